import type { ProgramResult } from '../../system/programs.js'
import type { JobHandle } from '../types.js'
import { queueText } from './calls.js'
import { Listing } from './listing.js'
import { isOurs, type Submitted } from './ours.js'
import { type SlurmJob, slurmHost, slurmTime } from './states.js'

/** How much of the reasons is asked for, in bytes. */
const reasonWidth = 40

/** How squeue writes a time. */
const time = String.raw`\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d|N/A|NONE|None|Unknown`

/**
 * Columns of squeue after the id of the task. squeue writes each blank by itself, which takes most of its time: a column has
 * none if the form of its values shows where they end. Others have a width in bytes, as narrow as their values allow, and
 * longer ones are cut: names of hosts, and reasons for which a job waits by itself.
 */
const columns = [
  { name: 'State', form: '[A-Z_]+' },
  { name: 'exit_code', width: 7 },
  { name: 'StartTime', form: time },
  { name: 'EndTime', form: time },
  { name: 'RestartCnt', width: 5 },
  { name: 'Comment', width: 44 },
  { name: 'NodeList', width: 32 },
  // What a plugin says may have line breaks: the first one ends the line, without a name.
  { name: 'Reason', width: reasonWidth, form: `.{0,${reasonWidth}}` },
  { name: 'Name', form: '.*' },
] as const

/** Arguments of squeue: one line for each task, since tasks in one line share a reason; including those that just ended. */
export function squeueWords(asked: readonly Pick<JobHandle, 'id'>[]): string[] {
  const widths = columns.map(column => `${column.name}:${'width' in column ? column.width : 0}`)
  const ids = asked.map(({ id }) => id).join(',')
  const format = ['JobArrayID:0', ...widths].join(',')
  return ['squeue', '--array', '--noheader', '--states=all', `--jobs=${ids}`, `--Format=${format}`]
}

const forms = columns.map(column => `(?<${column.name}>${'form' in column ? column.form : `.{${column.width}}`})`)
const lineForm = new RegExp(`^${forms.join('')}$`, 's')

/** How the output of squeue is decoded: it counts bytes, and a site may write any text into comments. */
export const queueEncoding = 'latin1'

/**
 * A line about a job; one in another form counts if its id is that of a task. Some versions print the name of a remote cluster
 * before its jobs.
 */
const jobForm = new RegExp(`^\\s*(CLUSTER: |\\d+(_|${forms.join('')}$))`, 'm')

/**
 * The output of squeue, in {@link queueEncoding}; null if it did not answer, or has printed something without any line about a
 * job: then nobody knows which jobs there are.
 */
export function queueOutput(result: ProgramResult | null): string | null {
  const text = queueText(result)
  return text === null || jobForm.test(text) || text.trim() === '' ? text : null
}

/**
 * A line of squeue without its id; its state is empty, which is unknown, if it has another format. Times and hosts are parsed on
 * demand: most of ten thousand jobs wait.
 */
class QueuedJob implements SlurmJob {
  readonly state: string
  readonly restarts: number
  readonly reason: string
  readonly comment: string
  readonly name: string
  /** Whether the line has all columns. */
  readonly isWhole: boolean
  private readonly fields: Readonly<Record<string, string>>

  constructor(line: string) {
    this.fields = lineForm.exec(line)?.groups ?? {}
    this.state = this.field('State')
    this.restarts = Number(this.field('RestartCnt'))
    this.reason = this.field('Reason')
    this.comment = this.field('Comment')
    this.name = this.field('Name')
    this.isWhole = this.fields.Reason?.length === reasonWidth
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

  of(submitted: Submitted): SlurmJob | null {
    if (isOurs(submitted, this.name, this.comment)) return this
    return this.isWhole ? null : unknownJob
  }

  private field(column: (typeof columns)[number]['name']): string {
    const text = this.fields[column] ?? ''
    return (/[\x80-\xff]/.test(text) ? Buffer.from(text, queueEncoding).toString() : text).trim()
  }
}

/** Stands for a line that may belong to the job of anybody. */
const unknownJob = new QueuedJob('')

/** The jobs that squeue has listed. @param output in {@link queueEncoding} */
export function parseQueue(output: string): Listing {
  const jobs = new Listing()
  // Most of ten thousand lines differ only in their ids.
  const known = new Map<string, QueuedJob>()
  for (const text of output.split('\n')) {
    const line = text.trimStart()
    const end = line.search(/[^\d_[\],%-]|$/)
    const others = line.slice(end)
    const job = known.get(others) ?? new QueuedJob(others)
    if (!known.has(others)) known.set(others, job)
    jobs.add(line.slice(0, end), job)
  }
  return jobs
}
