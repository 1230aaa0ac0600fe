import { totalOf } from '../../domain/runs/aggregate.js'
import { type Attempt, spanOf } from '../../domain/runs/launch.js'
import type { Run } from '../../domain/runs/run.js'
import { jobNameOf } from '../../domain/runs/run-plan.js'
import { SchedulerError } from '../../errors.js'
import { cloneOf, foreignRoot, lifeOfLauncher } from '../../project/clone.js'
import type { JobHandle, SubmissionIntent } from '../../runners/types.js'
import { faultPoint } from '../../system/fault-point.js'
import { placeOf, runnerOf, type Workspace } from '../workspace.js'
import { visit } from './visit.js'

/** Longer than any launch takes to submit its groups, in milliseconds. */
const submissionTime = 15 * 60_000

/** Stores a submission. */
export function storeHandle({ store }: Workspace, run: number, handle: JobHandle): void {
  faultPoint('handle-known')
  store.transaction(() => store.attempts.addSubmission(run, handle.attempt, handle))
  faultPoint('handle-stored')
}

/** What is needed to search for the submissions of an attempt. */
export function intentOf(
  workspace: Workspace,
  run: Run,
  { attempt, groups }: Pick<Attempt, 'attempt' | 'groups'>,
): SubmissionIntent {
  return {
    token: workspace.store.runs.token(run.id),
    runId: run.id,
    place: placeOf(workspace, run),
    groupCount: totalOf(run.counts),
    jobName: jobNameOf(run.experiment, run.id),
    attempt,
    indices: groups,
  }
}

/** The known submissions of a run. */
export interface Submissions {
  readonly attempts: readonly Attempt[]
  /** In the order of the attempts. */
  readonly handles: readonly JobHandle[]
  /** Attempts that may get more submissions, from a launcher that lives or that died. */
  readonly partial: ReadonlySet<number>
  /** Attempts that another project launched, of which this one is a copy, with the root of that one. */
  readonly foreign: ReadonlyMap<number, string>
}

/** The submissions of a run. Those of a launch that died are searched for, and stored when found. */
export async function submissionsOf(workspace: Workspace, run: Run): Promise<Submissions> {
  const { attempts } = workspace.store.runs.submission(run.id)
  const handles: JobHandle[] = []
  const partial = new Set<number>()
  const foreign = new Map<number, string>()
  const own = cloneOf(workspace.project)
  for (const attempt of attempts) {
    const original = foreignRoot(attempt, own)
    if (original !== null) foreign.set(attempt.attempt, original)
    const intent = intentOf(workspace, run, attempt)
    const stored = attempt.submissions.map(submission => ({ ...intent, ...submission }))
    const isKnown = isComplete(attempt, intent) || original !== null
    const found = isKnown ? { handles: stored, final: true } : await lookFor(workspace, run, attempt, intent, stored)
    handles.push(...found.handles)
    if (!found.final) partial.add(attempt.attempt)
  }
  return { attempts, handles, partial, foreign }
}

/** Jobs of many groups may be followed by later ones, so that their number does not tell. */
function isComplete({ complete, groups, submissions }: Attempt, { groupCount }: SubmissionIntent): boolean {
  const isPacked = submissions.some(submission => spanOf(submission).pack !== null)
  const submitted = submissions.reduce((sum, { count }) => sum + count, 0)
  return complete || (!isPacked && submitted >= (groups?.length ?? groupCount))
}

async function lookFor(
  workspace: Workspace,
  run: Run,
  attempt: Attempt,
  intent: SubmissionIntent,
  stored: readonly JobHandle[],
) {
  if (isLaunching(attempt)) return { handles: stored, final: false }
  try {
    const runner = runnerOf(workspace, run)
    // What the launcher has written lies there.
    if (!(await visit(workspace, runner.site, [], [intent.place], 'is left'))) return { handles: stored, final: false }
    const found = await runner.find(intent, 1000 * workspace.config.grace)
    faultPoint('refresh-found')
    const { store } = workspace
    store.transaction(() => {
      for (const handle of found.handles) store.attempts.addSubmission(run.id, handle.attempt, handle)
      if (found.final) store.attempts.setComplete(run.id, attempt.attempt)
    })
    return found
  } catch (error) {
    // A scheduler that does not answer changes nothing.
    if (error instanceof SchedulerError) return { handles: stored, final: false }
    throw error
  }
}

/** Whether the program that launches an attempt is still running. On another machine this is unknown: wait long enough. */
function isLaunching({ launcher, launched }: Attempt): boolean {
  if (launcher === null) return false
  const life = lifeOfLauncher(launcher)
  return life === 'lives' || (life === 'unknown' && Date.now() - launched < submissionTime)
}

/** The names of an attempt's submissions for the user, such as job ids; empty without a scheduler. */
export function describeSubmissions(workspace: Workspace, run: Run, attempt: Attempt): string {
  const intent = intentOf(workspace, run, attempt)
  return runnerOf(workspace, run).describe(attempt.submissions.map(submission => ({ ...intent, ...submission })))
}
