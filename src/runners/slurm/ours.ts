import { markOf } from '../scheduler/locate.js'
import type { JobHandle } from '../types.js'

/** A submission to ask Slurm about. */
export interface Submitted {
  /** Id of the array. */
  readonly id: string
  readonly jobName: string
  /** The comment that it was submitted with. */
  readonly token: string
}

/** What tells the jobs of a submission from those of others. */
export function submittedOf(handle: JobHandle): Submitted {
  return { id: handle.id, jobName: handle.jobName, token: markOf(handle) }
}

/**
 * Whether a job with the id of a submission belongs to it: Slurm gives ids again. Some sites replace comments, and the
 * accounting keeps none unless AccountingStoreFlags has job_comment: then the name has to be the same.
 */
export function isOurs({ token, jobName }: Submitted, name: string, comment: string): boolean {
  return comment === token || (name === jobName && !isToken(comment))
}

function isToken(comment: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.\d+)?$/.test(comment)
}
