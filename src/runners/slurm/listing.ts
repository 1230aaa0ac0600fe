import type { Submitted } from './ours.js'
import type { SlurmJob } from './states.js'
import { tasksOf } from './task-ids.js'

/** A job that squeue or sacct has listed. */
interface ListedJob {
  /**
   * What it tells about a task of a submission that has its id; null if the job belongs to another submission, since
   * Slurm uses ids again.
   */
  of(submitted: Submitted): SlurmJob | null
}

/** The jobs that squeue or sacct has listed. */
export class Listing {
  /** By the id of their array and the number of their task. */
  private readonly jobs = new Map<string, Map<number, ListedJob>>()
  private readonly listed = new Map<Submitted, boolean>()

  /** @param id of one task or of several: see {@link tasksOf} */
  add(id: string, job: ListedJob): void {
    const numbers = tasksOf(id)
    if (numbers.length === 0) return
    const array = id.slice(0, id.indexOf('_'))
    const tasks = this.jobs.get(array)
    if (tasks) for (const task of numbers) tasks.set(task, lastOf(tasks.get(task), job))
    else this.jobs.set(array, new Map(numbers.map(task => [task, job])))
  }

  /** What is listed about a task of a submission; null if nothing is. */
  job(submitted: Submitted, task: number): SlurmJob | null {
    return this.jobs.get(submitted.id)?.get(task)?.of(submitted) ?? null
  }

  /** Whether any task of a submission is listed. */
  lists(submitted: Submitted): boolean {
    const known = this.listed.get(submitted)
    if (known !== undefined) return known
    const jobs = new Set(this.jobs.get(submitted.id)?.values())
    const isListed = [...jobs].some(job => job.of(submitted) !== null)
    this.listed.set(submitted, isListed)
    return isListed
  }

  /**
   * Whether a task that certainly belongs to a submission is listed. A line that cannot be parsed may be about another
   * job.
   */
  knows(submitted: Submitted): boolean {
    return [...(this.jobs.get(submitted.id)?.values() ?? [])].some(job => (job.of(submitted)?.state ?? '') !== '')
  }
}

/** Jobs with the same id: the last one that belongs to a submission tells about it. */
function lastOf(before: ListedJob | undefined, job: ListedJob): ListedJob {
  return before ? { of: submitted => job.of(submitted) ?? before.of(submitted) } : job
}
