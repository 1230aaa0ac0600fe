import { jobQuotaText } from '../../domain/pods/admission.js'
import { launchedCount } from '../../domain/runs/run-plan.js'
import { quoteWord } from '../../domain/text/shell-text.js'
import { SchedulerError } from '../../errors.js'
import { begunSubmissions, submittedText } from '../../runfolder/evidence/submissions.js'
import { podJobsFile } from '../../runfolder/layout.js'
import type { Site } from '../../sites/site.js'
import { packedPart } from '../scheduler/locate.js'
import { submitWith } from '../scheduler/submission.js'
import type { JobHandle, Prepared, SubmissionIntent } from '../types.js'
import { copyOf, type JobList, jobStem } from './jobs.js'
import { namespaceOf } from './kubectl.js'
import type { KubernetesOptions } from './options.js'

/** How long the creation of all jobs of a launch may take, in milliseconds. */
const submitPatience = 300_000

/**
 * Makes the jobs of a launch. Where a quota has come to allow only some of them, these take all groups, unless each has its share.
 * @returns how many there are
 * @throws SchedulerError with the reason if that is not enough
 */
export async function createJobs(
  site: Site,
  prepared: Prepared<KubernetesOptions>,
  list: JobList,
  warn: (message: string) => void,
): Promise<number> {
  const wanted = list.items.length
  try {
    await submitWith(site, prepared, 0, prepared.submissions[0]!, { timeout: submitPatience }, warn)
    return wanted
  } catch (error) {
    const quota = error instanceof SchedulerError ? jobQuotaText(error.message) : null
    if (quota === null) throw error
    const { place, attempt } = prepared.plan
    const made = begunSubmissions(place.here, attempt)[0]?.stdout.match(/^job\.batch\//gm)?.length ?? 0
    if (made === 0) {
      const words = [...namespaceOf(site).kubectl, 'get', 'jobs'].map(quoteWord).join(' ')
      throw new SchedulerError(
        `the namespace has no room for a job: ${quota}`,
        `${words}        shows them: wait for their end, or delete those that nobody needs`,
      )
    }
    if (copyOf(list) !== null)
      throw new SchedulerError(
        `the namespace has room for ${made} of ${wanted} jobs, each of which has its share of the groups: ${quota}`,
        `ask for fewer pods: --n_threads ${made}`,
      )
    warn(`the namespace has room for ${made} of ${wanted} jobs, which take the groups one after another: ${quota}`)
    return made
  }
}

/** Jobs that follow those of a launch. */
interface LaterJobs {
  /** Number of the submission in its attempt, from 1. */
  readonly number: number
  readonly list: JobList
  /** Positions of the groups that they have, without a volume. */
  readonly jobs?: readonly number[]
}

/**
 * Makes jobs that follow those of a launch. Those that there are already were made by a call of which nobody has heard.
 * @throws SchedulerError with the words of the server if it refuses some for another reason
 */
export async function createAgain(
  site: Site,
  { place, attempt, count }: JobHandle,
  { number, list, jobs }: LaterJobs,
  warn: (message: string) => void,
): Promise<void> {
  const file = podJobsFile(attempt, number)
  await site.put(place, [{ path: file, text: [jsonOf(list)] }])
  const submission = { first: 0, count, ...(jobs && { jobs }), command: createWords(site, `${place.here}/${file}`) }
  try {
    await submitWith(site, { plan: { attempt, place } }, number, submission, { timeout: submitPatience }, warn)
  } catch (error) {
    const refusals = error instanceof SchedulerError ? (error.message.match(/^.*Error from server.*$/gm) ?? []) : []
    if (refusals.length === 0 || !refusals.every(line => line.includes('(AlreadyExists)'))) throw error
  }
}

export function jsonOf(list: JobList): string {
  return `${JSON.stringify(list, null, 2)}\n`
}

/** The jobs of a submission. Null if the file is gone. */
export function listIn({ place, attempt }: Pick<JobHandle, 'place' | 'attempt'>, number: number): JobList | null {
  const text = submittedText(place.here, podJobsFile(attempt, number))
  return text === null ? null : (JSON.parse(text) as JobList)
}

/** The same. @throws SchedulerError if it is gone */
export function keptList(handle: JobHandle, number: number): JobList {
  const list = listIn(handle, number)
  if (list === null) throw new SchedulerError('the record of the jobs of the run is gone', 'cancel and retry it')
  return list
}

export function createWords(site: Site, file: string): string[] {
  return [...namespaceOf(site).kubectl, 'create', '-f', file, '-o', 'name']
}

/**
 * @param jobs how many there are
 * @param hasShares whether each of them has its share of the groups
 */
export function handleOf(intent: SubmissionIntent, jobs: number, hasShares: boolean): JobHandle {
  return handleWith(intent, { first: 0, count: launchedCount(intent), data: hasShares ? { pack: 1 } : {} }, jobs)
}

/** A handle of jobs that have taken over groups of others. @param jobs positions of these groups */
export function laterHandle(intent: SubmissionIntent, number: number, jobs: readonly number[]): JobHandle {
  const span = { first: 0, count: launchedCount(intent), pack: 1, jobs }
  return handleWith(intent, packedPart(intent, span, number), listIn(intent, number)?.items.length ?? 0)
}

function handleWith(intent: SubmissionIntent, part: Pick<JobHandle, 'first' | 'count' | 'data'>, jobs: number) {
  const { token, runId, place, groupCount, jobName, attempt, indices } = intent
  const identity = { token, runId, place, groupCount, jobName, attempt, indices }
  const { first, count, data } = part
  return { ...identity, first, count, id: jobStem(intent), data: { ...data, workers: jobs } }
}
