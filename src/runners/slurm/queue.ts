import { type SlurmJob, slurmHost, slurmTime } from './states.js'
import { tasksOf } from './task-ids.js'

/** Columns of squeue and their widths: what is longer is cut, and only names of hosts are. */
const columns = [
  ['JobArrayID', 64],
  ['State', 16],
  ['RestartCnt', 6],
  ['StartTime', 20],
  ['EndTime', 20],
  ['exit_code', 8],
  ['Name', 80],
  ['Comment', 44],
  ['NodeList', 32],
  ['Reason', 48],
] as const

/** Arguments of squeue: a line for each task, since several in one line share their reasons; those that have just ended too. */
export function squeueWords(ids: readonly string[]): string[] {
  const format = columns.map(([name, width]) => `${name}:${width}`).join(',')
  return ['squeue', '--array', '--noheader', '--states=all', `--jobs=${ids.join(',')}`, `--Format=${format}`]
}

/** A submission that the queue is asked for. */
export interface Queued {
  /** Id of the array. */
  readonly id: string
  readonly jobName: string
  /** The comment that it was submitted with. */
  readonly token: string
}

/** Jobs by the id of their array and the number of their task (`36_7`); an id may have become another job's. */
export function parseQueue(output: string, asked: readonly Queued[]): Map<string, SlurmJob> {
  const arrays = new Map(asked.map(each => [each.id, each]))
  const jobs = new Map<string, SlurmJob>()
  for (const line of output.split('\n')) {
    const [
      id = '',
      state = '',
      restarts,
      started = '',
      finished = '',
      exitCode = '',
      name,
      comment,
      hosts = '',
      reason = '',
    ] = fieldsOf(line)
    const array = arrays.get(id.split('_')[0]!)
    // Some sites write a comment of their own.
    const isOurs = array && (comment === array.token || (name === array.jobName && !isToken(comment)))
    if (!isOurs) continue
    const times = { started: slurmTime(started), finished: slurmTime(finished) }
    const job = { state, exitCode, restarts: Number(restarts), ...times, host: slurmHost(hosts), reason }
    for (const task of tasksOf(id)) jobs.set(`${array.id}_${task}`, { id: `${array.id}_${task}`, ...job })
  }
  return jobs
}

function isToken(comment: string | undefined): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.\d+)?$/.test(comment ?? '')
}

function fieldsOf(line: string): string[] {
  let at = 0
  return columns.map(([, width]) => {
    const field = line.slice(at, at + width)
    at += width
    return field.trim()
  })
}
