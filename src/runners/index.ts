import { UserError } from '../errors.js'
import { htcondorKind } from './htcondor/runner.js'
import { kubernetesKind } from './kubernetes/runner.js'
import { localKind } from './local/runner.js'
import { slurmKind } from './slurm/runner.js'
import type { RunnerKind } from './types.js'

/** All kinds of runners. */
export const runnerKinds: readonly RunnerKind[] = [
  localKind as RunnerKind,
  slurmKind as RunnerKind,
  htcondorKind as RunnerKind,
  kubernetesKind as RunnerKind,
]

export const runnerNames: readonly string[] = runnerKinds.map(kind => kind.name)

/** @throws UserError that lists the runners */
export function findRunnerKind(name: string): RunnerKind {
  const kind = runnerKinds.find(candidate => candidate.name === name)
  if (kind) return kind
  const range = /^-|\s/.test(name) ? '. For a range of parameters use -R' : ''
  throw new UserError(`no runner '${name}'${range}`, `the runners are: ${runnerNames.join(', ')}`)
}
