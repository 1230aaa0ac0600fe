import type { Run } from '../../domain/runs/run.js'
import { OperationError } from '../../errors.js'
import type { Submissions } from './submissions.js'

/** The error about a run that belongs to the original of this project: what is typed there only looks. */
export function foreignError(
  { id }: Run,
  original: string,
  command: 'logs' | 'show' | 'wait' = 'show',
): OperationError {
  return new OperationError(
    `run ${id} belongs to the project in ${original}: this project counts as a copy of it, and leaves the processes and jobs of the run alone`,
    `qanat run_${command} ${id}        in ${original}
${giveUpCommand(id)}`,
  )
}

/** @throws OperationError if another project made all launches of a run that is not over */
export function refuseForeign(
  run: Run,
  { attempts, foreign }: Pick<Submissions, 'attempts' | 'foreign'>,
  command: 'logs' | 'show' | 'wait' = 'show',
): void {
  const [original] = foreign.values()
  if (original !== undefined && foreign.size === attempts.length) throw foreignError(run, original, command)
}

/** What to type if a run of the original should be over in the copy. */
export function giveUpCommand(id: number): string {
  return `qanat run_cancel ${id} --give_up        counts its open groups as lost, only in this copy`
}
