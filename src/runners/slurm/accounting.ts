import type { Usage } from '../../domain/runs/run.js'
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
  const steps = new Map<string, Step[]>()
  const processorTimes = new Map<string, number | null>()
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
      ...rest
    ] = fields
    const [elapsed = '', cpu = '', tasks = '', memory = '', comment = ''] = rest
    if (id.includes('.')) {
      noteStep(steps, id, tasks, memory)
      continue
    }
    const array = arrays.get(id.split('_')[0]!)
    if (!array || !isOurs(array, name, comment)) continue
    if ((slurmTime(submit) ?? 0) < array.submitted - slack) continue
    const times = { started: slurmTime(start), finished: slurmTime(end) }
    const job = { state, exitCode, restarts: Number(restarts), ...times, host: slurmHost(nodes), reason }
    for (const task of tasksOf(id)) jobs.set(`${array.id}_${task}`, job)
    if (Number(elapsed) >= firstLook) processorTimes.set(id, secondsOf(cpu))
  }
  for (const [id, cpuTime] of processorTimes) addUsage(jobs, id, cpuTime, steps.get(id) ?? [])
  return lines.length > 0 && understood === 0 ? null : jobs
}

/** A step of a job: its batch script, or an `srun` in it. */
interface Step {
  readonly tasks: number
  /** The peak of the task that had the most, in bytes; null if it was not measured. */
  readonly memory: number | null
}

/** How often Slurm usually looks at the memory of jobs, in seconds: of a shorter job it has seen the start only. */
const firstLook = 30

/** @param id `36_7.batch`; the step `extern` has no processes of the job */
function noteStep(steps: Map<string, Step[]>, id: string, tasks: string, memory: string): void {
  const [job = '', name] = id.split('.')
  if (name !== 'extern') steps.set(job, [...(steps.get(job) ?? []), { tasks: Number(tasks), memory: bytesOf(memory) }])
}

/**
 * Adds what a job has used. A Slurm that does not gather it says nothing of the memory, and that the CPU time is 0. Of several
 * steps or tasks, nobody knows how much they had together.
 */
function addUsage(jobs: Map<string, SlurmJob>, id: string, cpuTime: number | null, steps: readonly Step[]): void {
  const job = jobs.get(id)
  if (!job || !steps.some(({ memory }) => memory)) return
  const [only, ...others] = steps
  const used: Usage = { peakMemory: others.length === 0 && only!.tasks === 1 ? only!.memory : null, cpuTime }
  jobs.set(id, { ...job, used })
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
