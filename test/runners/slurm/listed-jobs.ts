import type { Listing } from '../../../src/runners/slurm/listing.js'
import type { Submitted } from '../../../src/runners/slurm/ours.js'
import type { SlurmJob } from '../../../src/runners/slurm/states.js'

/** What is listed about the first 100 tasks of a submission, by their numbers. */
export function listedJobs(listing: Listing, submitted: Submitted): Map<number, SlurmJob> {
  const tasks = Array.from({ length: 100 }, (_, task) => [task, listing.job(submitted, task)] as const)
  return new Map(tasks.flatMap(([task, job]) => (job ? [[task, job]] : [])))
}
