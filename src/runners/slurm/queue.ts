import { isOurs, type Submitted } from './ours.js'
import { type SlurmJob, slurmHost, slurmTime } from './states.js'
import { tasksOf } from './task-ids.js'

/**
 * Columns of squeue and their widths, as narrow as their values allow: squeue writes each blank by itself, which takes most of
 * its time. It cuts longer values: names of hosts, and reasons for which a job waits by itself.
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

/** Start and end of each column in a line. */
const places = columns.reduce<Record<string, readonly [number, number]>>((found, [name, width]) => {
  const begin = Math.max(0, ...Object.values(found).map(([, end]) => end))
  return Object.assign(found, { [name]: [begin, begin + width] })
}, {})

const nameAt = columns.reduce((total, [, width]) => total + width, 0)

type Column = (typeof columns)[number][0]

function field(line: string, column: Column): string {
  const [begin, end] = places[column]!
  return line.slice(begin, end).trim()
}

/** A job from a line of squeue. Most of ten thousand lines are needed only for their state: the rest is parsed on demand. */
class QueuedJob implements SlurmJob {
  constructor(
    readonly id: string,
    private readonly line: string,
  ) {}

  get state() {
    return field(this.line, 'State')
  }
  get exitCode() {
    return field(this.line, 'exit_code')
  }
  get restarts() {
    return Number(field(this.line, 'RestartCnt'))
  }
  get started() {
    return slurmTime(field(this.line, 'StartTime'))
  }
  get finished() {
    return slurmTime(field(this.line, 'EndTime'))
  }
  get host() {
    return slurmHost(field(this.line, 'NodeList'))
  }
  get reason() {
    return field(this.line, 'Reason')
  }
}

/** Jobs by the id of their array and the number of their task (`36_7`); a reused id may belong to another job. */
export function parseQueue(output: string, asked: readonly Submitted[]): Map<string, SlurmJob> {
  const arrays = new Map(asked.map(each => [each.id, each]))
  const jobs = new Map<string, SlurmJob>()
  for (const line of output.split('\n')) {
    const id = field(line, 'JobArrayID')
    const array = arrays.get(id.slice(0, id.indexOf('_')))
    if (!array || !isOurs(array, line.slice(nameAt).trim(), field(line, 'Comment'))) continue
    for (const task of tasksOf(id)) {
      const job = new QueuedJob(`${array.id}_${task}`, line)
      jobs.set(job.id, job)
    }
  }
  return jobs
}
