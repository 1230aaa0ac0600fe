import { isOurs, type Submitted } from './ours.js'
import { type SlurmJob, slurmHost, slurmTime } from './states.js'
import { tasksOf } from './task-ids.js'

const columns = [
  'JobID',
  'JobName',
  'State',
  'ExitCode',
  'Submit',
  'Start',
  'End',
  'Restarts',
  'Reason',
  'NodeList',
  // The last, since a site may write anything into it.
  'Comment',
]

/** Ask from a day before a job was submitted: clocks differ, and without a start sacct begins at midnight. */
const slack = 86_400_000

/** Arguments of sacct for jobs that were submitted at that time or later (milliseconds since the epoch). */
export function sacctWords(ids: readonly string[], submitted: number): string[] {
  const since = new Date(submitted - slack).toISOString().slice(0, 19)
  const format = `--format=${columns.join(',')}`
  return [
    'sacct',
    '--allocations',
    '--parsable2',
    '--noheader',
    `--jobs=${ids.join(',')}`,
    `--starttime=${since}`,
    format,
  ]
}

/** A submission to ask sacct about. */
export interface Accounted extends Submitted {
  /** Milliseconds since the epoch. */
  readonly submitted: number
}

/**
 * Jobs by id (`36_7`). A job of another run, or submitted before ours, had the same id at another time.
 * @returns null for an output that cannot be parsed
 */
export function parseAccounting(output: string, asked: readonly Accounted[]): Map<string, SlurmJob> | null {
  const arrays = new Map(asked.map(each => [each.id, each]))
  const jobs = new Map<string, SlurmJob>()
  const lines = output.split('\n').filter(line => line.trim() !== '')
  let understood = 0
  for (const line of lines) {
    const fields = line.split('|')
    if (fields.length < columns.length) continue
    understood++
    const [
      id = '',
      name = '',
      state = '',
      exitCode = '',
      submit = '',
      start = '',
      end = '',
      restarts,
      reason = '',
      nodes = '',
      comment = '',
    ] = fields
    const array = arrays.get(id.split('_')[0]!)
    if (!array || !isOurs(array, name, comment)) continue
    if ((slurmTime(submit) ?? 0) < array.submitted - slack) continue
    const times = { started: slurmTime(start), finished: slurmTime(end) }
    const job = { state, exitCode, restarts: Number(restarts), ...times, host: slurmHost(nodes), reason }
    for (const task of tasksOf(id)) jobs.set(`${array.id}_${task}`, { id: `${array.id}_${task}`, ...job })
  }
  return lines.length > 0 && understood === 0 ? null : jobs
}
