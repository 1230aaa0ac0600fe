import { markOf } from '../scheduler/locate.js'
import type { JobHandle } from '../types.js'

/** What tells the jobs of a submission from those of others. */
export type Submitted = Pick<JobHandle, 'id' | 'jobName' | 'token' | 'attempt' | 'data'>

/**
 * Whether a job with the id of a submission, or with its script, belongs to it: Slurm gives ids again. Some sites replace
 * comments, and the accounting keeps none unless AccountingStoreFlags has job_comment: then the name has to be the same.
 */
export function isOurs(
  submitted: Pick<Submitted, 'jobName' | 'token' | 'attempt'>,
  name: string,
  comment: string,
): boolean {
  // Some sites add words of their own.
  return comment.split(/[^\w.-]+/).includes(markOf(submitted)) || (name === submitted.jobName && !isToken(comment))
}

function isToken(comment: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.\d+)?$/.test(comment)
}
