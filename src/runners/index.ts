import { UserError } from '../errors.js'
import { htcondorRunner } from './htcondor/runner.js'
import { localRunner } from './local/runner.js'
import { slurmRunner } from './slurm/runner.js'
import type { Runner } from './types.js'

export const runners: readonly Runner[] = [localRunner, slurmRunner as Runner, htcondorRunner as Runner]

export const runnerNames: readonly string[] = runners.map(runner => runner.name)

/** @throws UserError that lists the runners there are */
export function findRunner(name: string): Runner {
  const runner = runners.find(candidate => candidate.name === name)
  if (runner) return runner
  const range = /^-|\s/.test(name) ? '. For a range of parameters use -R' : ''
  throw new UserError(`no runner '${name}'${range}`, `the runners are: ${runnerNames.join(', ')}`)
}
