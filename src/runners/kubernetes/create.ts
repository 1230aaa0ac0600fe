import { SchedulerError } from '../../errors.js'
import { begunSubmissions } from '../../runfolder/evidence/submissions.js'
import type { Site } from '../../sites/site.js'
import { submitWith } from '../scheduler/submission.js'
import type { Prepared, PreparedSubmission } from '../types.js'
import type { KubernetesOptions } from './options.js'

/** How long the creation of all jobs of a launch may take, in milliseconds. */
export const submitPatience = 300_000

/**
 * Makes the jobs of a launch. Where a quota allows only some of them, these take all groups.
 * @returns how many there are
 */
export async function createJobs(
  site: Site,
  prepared: Prepared<KubernetesOptions>,
  submission: PreparedSubmission,
  workers: number,
  warn: (message: string) => void,
): Promise<number> {
  try {
    await submitWith(site, prepared, 0, submission, { timeout: submitPatience }, warn)
    return workers
  } catch (error) {
    if (!(error instanceof SchedulerError) || !/exceeded quota: [^\n]*jobs/.test(error.message)) throw error
    const { place, attempt } = prepared.plan
    const made = begunSubmissions(place.here, attempt)[0]?.stdout.match(/^job\.batch\//gm)?.length ?? 0
    if (made === 0) throw error
    warn(`the quota of the namespace allows ${made} of ${workers} jobs: so many pods take the groups one after another`)
    return made
  }
}
