import { isOurs, type Submitted } from './ours.js'
import { type SlurmJob, slurmHost, slurmTime } from './states.js'
import { tasksOf } from './task-ids.js'

/**
 * Columns of squeue and their widths in bytes, as narrow as their values allow: squeue writes each blank by itself, which
 * takes most of its time. It cuts longer values: names of hosts, and reasons for which a job waits by itself.
 */
const columns = [
  ['JobArrayID', 20],
  ['State', 14],
  ['RestartCnt', 5],
  ['StartTime', 19],
  ['EndTime', 19],
  ['exit_code', 7],
  ['Comment', 44],
  ['NodeList', 32],
  ['Reason', 40],
] as const

/** Arguments of squeue: one line for each task, since tasks in one line share a reason; including those that just ended. */
export function squeueWords(asked: readonly Submitted[]): string[] {
  // The name comes last, and is as wide as it takes to tell a longer name from ours.
  const nameWidth = 2 + Math.max(...asked.map(({ jobName }) => jobName.length))
  const format = [...columns, ['Name', nameWidth]].map(([name, width]) => `${name}:${width}`).join(',')
  const ids = asked.map(({ id }) => id).join(',')
  return ['squeue', '--array', '--noheader', '--states=all', `--jobs=${ids}`, `--Format=${format}`]
}

const idWidth = columns[0][1]

/** Start and end of each column in a line. */
const places = columns.reduce<Record<string, readonly [number, number]>>((found, [name, width]) => {
  const begin = Math.max(0, ...Object.values(found).map(([, end]) => end))
  return Object.assign(found, { [name]: [begin, begin + width] })
}, {})

/** How the output of squeue is decoded: it counts bytes, and a site may write any text into comments. */
export const queueEncoding = 'latin1'

const nameAt = columns.reduce((total, [, width]) => total + width, 0)

/** A line of squeue without its id. Times and hosts are parsed on demand: most of ten thousand jobs wait. */
class QueuedJob implements SlurmJob {
  readonly state: string
  readonly restarts: number
  readonly reason: string
  readonly comment: string
  readonly name: string

  constructor(private readonly line: string) {
    this.state = this.field('State')
    this.restarts = Number(this.field('RestartCnt'))
    this.reason = this.field('Reason')
    this.comment = this.field('Comment')
    this.name = line.slice(nameAt - idWidth).trim()
  }

  get exitCode() {
    return this.field('exit_code')
  }
  get started() {
    return slurmTime(this.field('StartTime'))
  }
  get finished() {
    return slurmTime(this.field('EndTime'))
  }
  get host() {
    return slurmHost(this.field('NodeList'))
  }

  private field(column: (typeof columns)[number][0]): string {
    const [begin, end] = places[column]!
    const text = this.line.slice(begin - idWidth, end - idWidth)
    return (/[\x80-\xff]/.test(text) ? Buffer.from(text, queueEncoding).toString() : text).trim()
  }
}

/**
 * Jobs by the id of their array and the number of their task (`36_7`); a reused id may belong to another job.
 * @param output in {@link queueEncoding}
 */
export function parseQueue(output: string, asked: readonly Submitted[]): Map<string, SlurmJob> {
  const arrays = new Map(asked.map(each => [each.id, each]))
  const jobs = new Map<string, SlurmJob>()
  // Most of ten thousand lines differ only in their ids.
  const known = new Map<string, QueuedJob>()
  for (const line of output.split('\n')) {
    const id = line.slice(0, idWidth).trim()
    const array = arrays.get(id.slice(0, id.indexOf('_')))
    if (!array) continue
    const others = line.slice(idWidth)
    const job = known.get(others) ?? new QueuedJob(others)
    known.set(others, job)
    if (!isOurs(array, job.name, job.comment)) continue
    for (const task of tasksOf(id)) jobs.set(`${array.id}_${task}`, job)
  }
  return jobs
}
