import { UserError } from '../../errors.js'
import type { LaunchRequest } from '../../operations/launch/launch-request.js'
import { type GivenOptions, runOptions } from './run-options.js'

const contradictory = [
  ['detach', 'wait'],
  ['commit', 'allow_dirty'],
  ['commit', 'commit_sha'],
] as const

/** @throws UserError for options that contradict each other */
export function checkTogether(options: GivenOptions): void {
  for (const [one, other] of contradictory) {
    if (options[one] !== undefined && options[other] !== undefined)
      throw new UserError(`--${one} and --${other} contradict each other`, 'give one of them')
  }
  if (options.commit?.trim() === '')
    throw new UserError('--commit needs a message', 'write, for example: --commit "what changed"')
}

/** Makes a request from our options, a name and the experiment's arguments. */
export function requestOf(
  options: GivenOptions,
  experiment: string,
  experimentArguments: readonly string[],
  typed: readonly string[],
): LaunchRequest {
  return {
    typed,
    experiment,
    experimentArguments,
    groups: options.group_param ?? [],
    ranges: options.range_param ?? [],
    values: options.values ?? [],
    parameterFile: options.param_file ?? null,
    runner: options.runner ?? runOptions.runner.default,
    submitTemplate: options.submit_template ?? null,
    slots: options.n_threads ?? null,
    storagePath: options.storage_path ?? null,
    tags: [...new Set(options.tag ?? [])],
    description: options.description ?? '',
    snapshot: options.snapshot ?? null,
    commitSha: options.commit_sha ?? null,
    container: options.container ?? null,
    gpu: options.gpu === true,
    commitMessage: options.commit ?? null,
    allowDirty: options.allow_dirty === true,
    detach: options.detach === true,
    maxFailures: options.max_failures ?? null,
  }
}
