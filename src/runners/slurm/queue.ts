import { type SlurmJob, slurmHost, slurmTime } from './states.js'

/** Columns of squeue and their widths: what is longer is cut, and only names of hosts are. */
const columns = [
  ['JobArrayID', 32],
  ['State', 20],
  ['RestartCnt', 8],
  ['StartTime', 22],
  ['EndTime', 22],
  ['exit_code', 10],
  ['Name', 96],
  ['Comment', 40],
  ['NodeList', 64],
  ['Reason', 64],
] as const

/** Arguments of squeue: every task on a line of its own, those that have just ended, too. */
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
    const array = /^\d+_\d+$/.test(id) ? arrays.get(id.split('_')[0]!) : undefined
    // Some sites write a comment of their own.
    const isOurs = array && (comment === array.token || (name === array.jobName && !isToken(comment)))
    if (!isOurs) continue
    const times = { started: slurmTime(started), finished: slurmTime(finished) }
    jobs.set(id, { id, state, exitCode, restarts: Number(restarts), ...times, host: slurmHost(hosts), reason })
  }
  return jobs
}

function isToken(comment: string | undefined): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(comment ?? '')
}

function fieldsOf(line: string): string[] {
  let at = 0
  return columns.map(([, width]) => {
    const field = line.slice(at, at + width)
    at += width
    return field.trim()
  })
}
