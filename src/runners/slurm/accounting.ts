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
]

/** Ask from a day before a job was submitted: clocks differ, and without a start sacct begins at midnight. */
const slack = 86_400_000

/** Arguments of sacct for jobs that were submitted at that time or later (milliseconds since the epoch). */
export function sacctWords(ids: readonly string[], submitted: number): string[] {
  const since = new Date(submitted - slack).toISOString().slice(0, 19)
  const format = `--format=${columns.join(',')}`
  return ['sacct', '--parsable2', '--noheader', `--jobs=${ids.join(',')}`, `--starttime=${since}`, format]
}

/** How often Slurm usually looks at the memory of jobs, in seconds: of a shorter job it has seen the start only. */
const firstLook = 30

/** A line of sacct, which is parsed on demand: the ends of most of ten thousand jobs are known already. */
class AccountedJob implements SlurmJob {
  private fields: readonly string[] | null = null

  /** @param steps the lines of the batch scripts of jobs, and of each `srun` in them, by the id of the job */
  constructor(
    private readonly line: string,
    private readonly steps: ReadonlyMap<string, readonly AccountedJob[]>,
  ) {}

  get state() {
    return this.field('State')
  }
  get exitCode() {
    return this.field('ExitCode')
  }
  get started() {
    return slurmTime(this.field('Start'))
  }
  get finished() {
    return slurmTime(this.field('End'))
  }
  get restarts() {
    return Number(this.field('Restarts'))
  }
  get reason() {
    return this.field('Reason')
  }
  get host() {
    return slurmHost(this.field('NodeList'))
  }

  of(submitted: Submitted): SlurmJob | null {
    const isLater = (slurmTime(this.field('Submit')) ?? 0) >= Number(submitted.data.submitted) - slack
    return isLater && isOurs(submitted, this.field('JobName'), this.field('Comment')) ? this : null
  }

  /**
   * What it has used. A Slurm that does not gather it says nothing of the memory, and that the CPU time is 0. Of several steps
   * or tasks, nobody knows how much they had together.
   */
  get used(): Usage | undefined {
    const steps = this.steps.get(this.field('JobID')) ?? []
    if (!(Number(this.field('ElapsedRaw')) >= firstLook && steps.some(({ memory }) => memory))) return undefined
    const isOne = steps.length === 1 && Number(steps[0]!.field('NTasks')) === 1
    return { peakMemory: isOne ? steps[0]!.memory : null, cpuTime: secondsOf(this.field('TotalCPU')) }
  }

  /** The peak of the task of a step that had the most, in bytes; null if it was not measured. */
  private get memory() {
    return bytesOf(this.field('MaxRSS'))
  }

  private field(column: (typeof columns)[number]): string {
    this.fields ??= this.line.split('|')
    return this.fields[columns.indexOf(column)]!
  }
}

/** A line with all columns. */
const lineForm = new RegExp(`^([^|]*[|]){${columns.length - 1}}`)

/** The jobs that sacct has listed; null for an output that cannot be parsed. */
export function parseAccounting(output: string): Listing | null {
  const jobs = new Listing()
  const steps = new Map<string, AccountedJob[]>()
  let understood = 0
  for (const line of output.split('\n')) {
    if (!lineForm.test(line)) continue
    understood++
    const id = line.slice(0, line.indexOf('|'))
    const job = new AccountedJob(line, steps)
    const [of, step] = id.includes('.') ? id.split('.') : [id]
    if (step === undefined) jobs.add(id, job)
    // The step of this name has no processes of the job.
    else if (step !== 'extern') steps.set(of!, [...(steps.get(of!) ?? []), job])
  }
  return output.trim() !== '' && understood === 0 ? null : jobs
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
