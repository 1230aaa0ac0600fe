import type { Usage } from '../../domain/runs/run.js'
import { Listing } from './listing.js'
import { isOurs, type Submitted } from './ours.js'
import { type SlurmJob, slurmHost, slurmTime } from './states.js'

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
  'ElapsedRaw',
  'TotalCPU',
  'NTasks',
  'MaxRSS',
  // The last, since a site may write anything into it.
  'Comment',
] as const

/** Ask from a day before a job was submitted: clocks differ, and without a start sacct begins at midnight. */
const slack = 86_400_000

/** Arguments of sacct for jobs that were submitted at that time or later (milliseconds since the epoch). */
export function sacctWords(ids: readonly string[], submitted: number): string[] {
  const since = new Date(submitted - slack).toISOString().slice(0, 19)
  const format = `--format=${columns.join(',')}`
  return ['sacct', '--parsable2', '--noheader', `--jobs=${ids.join(',')}`, `--starttime=${since}`, format]
}

/** Whether a job with the id of a submission belongs to it, also by the time of its submission. */
export function wasSubmittedAs(submitted: Submitted, time: string, name: string, comment: string): boolean {
  return (slurmTime(time) ?? 0) >= Number(submitted.data.submitted) - slack && isOurs(submitted, name, comment)
}

/** How often Slurm usually looks at the memory of jobs, in seconds: of a shorter job it has seen the start only. */
const firstSample = 30

/** A line of sacct, which is parsed on demand: the ends of most of ten thousand jobs are known already. */
class AccountedJob {
  /** @param steps the lines of the batch scripts of jobs, and of each `srun` in them, by the id of the job */
  constructor(
    private readonly line: string,
    private readonly steps: ReadonlyMap<string, readonly string[]>,
  ) {}

  of(submitted: Submitted): SlurmJob | null {
    const field = fieldsOf(this.line)
    if (!wasSubmittedAs(submitted, field('Submit'), field('JobName'), field('Comment'))) return null
    return {
      state: field('State'),
      exitCode: field('ExitCode'),
      restarts: Number(field('Restarts')),
      started: slurmTime(field('Start')),
      finished: slurmTime(field('End')),
      host: slurmHost(field('NodeList')),
      reason: field('Reason'),
      used: usageOf(field, this.steps.get(field('JobID')) ?? []),
    }
  }
}

type Field = (column: (typeof columns)[number]) => string

/** The fields of a line by their columns. */
function fieldsOf(line: string): Field {
  const fields = line.split('|')
  return column => fields[columns.indexOf(column)]!
}

/**
 * What a job has used. A Slurm that does not gather it says nothing of the memory, and that the CPU time is 0. Of several steps
 * or tasks, nobody knows how much they had together.
 */
function usageOf(job: Field, lines: readonly string[]): Usage | undefined {
  // Each step has the peak of the task that had the most.
  const steps = lines.map(fieldsOf).map(step => ({ tasks: Number(step('NTasks')), memory: bytesOf(step('MaxRSS')) }))
  if (!(Number(job('ElapsedRaw')) >= firstSample && steps.some(({ memory }) => memory))) return undefined
  const [only, ...others] = steps
  return {
    peakMemory: others.length === 0 && only!.tasks === 1 ? only!.memory : null,
    cpuTime: secondsOf(job('TotalCPU')),
  }
}

/** A line with all columns. */
const lineForm = new RegExp(`^([^|]*[|]){${columns.length - 1}}`)

/** The jobs that sacct has listed; null for an output that cannot be parsed. */
export function parseAccounting(output: string): Listing | null {
  const jobs = new Listing()
  const steps = new Map<string, string[]>()
  let understood = 0
  for (const line of output.split('\n')) {
    if (!lineForm.test(line)) continue
    understood++
    const id = line.slice(0, line.indexOf('|'))
    if (id.includes('.')) noteStep(steps, id, line)
    else jobs.add(id, new AccountedJob(line, steps))
  }
  return output.trim() !== '' && understood === 0 ? null : jobs
}

/** @param id `36_7.batch`; the step `extern` has no processes of the job */
function noteStep(steps: Map<string, string[]>, id: string, line: string): void {
  const [job = '', name] = id.split('.')
  if (name !== 'extern') steps.set(job, [...(steps.get(job) ?? []), line])
}

/** `205584K`, `1.50G`, or a number of bytes; null for anything else. */
function bytesOf(text: string): number | null {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([KMGT]?)$/.exec(text) ?? []
  return number === undefined ? null : Math.round(Number(number) * 1024 ** ' KMGT'.indexOf(unit || ' '))
}

/** `00:06.123`, `01:02:03` or `2-03:04:05`; null for anything else. */
function secondsOf(text: string): number | null {
  const [, days = '0', clock] = /^(?:(\d+)-)?((?:\d+:){1,2}\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (clock === undefined) return null
  return 86_400 * Number(days) + clock.split(':').reduce((total, part) => 60 * total + Number(part), 0)
}
