import { liveOf } from '../../domain/runs/aggregate.js'
import { groupsOf } from '../../domain/runs/launch.js'
import { exitZero, type GroupReport, haltOf, hasEnded, type Run, unfinishedEnds } from '../../domain/runs/run.js'
import { UserError } from '../../errors.js'
import type { JobHandle } from '../../runners/types.js'
import { endedWithZero } from '../runs/failures.js'
import type { Workspace } from '../workspace.js'
import type { ResolvedLaunch } from './resolve.js'

/** The groups to retry, with their last status; none with the reason, and what to type next. */
type Retried =
  | { readonly reports: readonly [GroupReport, ...GroupReport[]] }
  | { readonly reports: readonly []; readonly why: string }

/**
 * Finds the groups to retry. A group whose script ended on its own with code 0 is left out unless
 * `only` asks for it: its results may be complete.
 * @param only states and causes of the groups to retry; null for all that did not finish
 * @throws UserError for an unknown state or cause, if all groups that have not finished are live, and for those that `only` has to name
 */
export function groupsToRetry(workspace: Workspace, run: Run, only: readonly string[] | null): Retried {
  const unknown = only?.find(word => !unfinishedEnds.includes(word))
  if (unknown !== undefined)
    throw new UserError(`--only ${unknown}: unknown state or cause`, `use one of ${unfinishedEnds.join(', ')}`)
  const ended = workspace.store.runs
    .groups(run.id)
    .filter(({ status }) => hasEnded(status.state) && status.state !== 'finished')
  const isNamed = ({ status }: GroupReport) =>
    only === null || only.includes(status.state) || ('cause' in status && only.includes(status.cause))
  const zero = new Set(ended.filter(report => endedWithZero(workspace, run, report)))
  const takesZero = only?.includes(exitZero) ?? false
  const wanted = ended.filter(report => (zero.has(report) ? takesZero : isNamed(report)))
  const left = takesZero ? 0 : [...zero].filter(isNamed).length
  const remark = `${left} group${left === 1 ? '' : 's'} of run ${run.id} failed although the script ended with code 0; not retried, since the results may be complete`
  const hint = `qanat run_retry ${run.id} --only ${exitZero}        retries them`
  const [first, ...others] = wanted
  if (first === undefined) {
    if (left > 0) throw new UserError(remark, hint)
    const next =
      haltOf(run) === 'no_worker' ? `run_wait ${run.id} --yes        starts workers again` : `run_show ${run.id}`
    if (liveOf(run.counts) > 0) throw new UserError(nothingToRetry(run, only), `qanat ${next}`)
    return { reports: [], why: nothingToRetry(run, only) }
  }
  if (left > 0) workspace.warn(`${remark}\n${hint}`)
  return { reports: [first, ...others] }
}

/**
 * Keeps the limit of groups at a time over the live groups of a run and those of a retry, and says what that means; if the runner
 * cannot keep it, warns.
 * @param retried how many groups are retried
 * @returns ids of the submissions that the retry has to wait for
 */
export function keepLimit(
  workspace: Workspace,
  run: Run,
  { runner, plan: { slots } }: ResolvedLaunch,
  handles: readonly JobHandle[],
  retried: number,
): string[] {
  // Without a worker, those that wait stay where they are.
  const live = haltOf(run) === 'no_worker' ? run.counts.running : liveOf(run.counts)
  if (slots === null || live === 0 || live + retried <= slots) return []
  const groups = `${live} live group${live === 1 ? '' : 's'} of run ${run.id}`
  if (runner.kind.traits.has('waitsForJobs')) {
    workspace.warn(`the retry waits for the end of the ${groups}, since at most ${slots} may run at a time`)
    return liveJobs(workspace, run, handles)
  }
  const together = Math.min(live, slots) + Math.min(retried, slots)
  workspace.warn(
    `the retry does not wait for the ${groups}: up to ${together} run at a time, not ${slots}
qanat run_wait ${run.id}        before a retry keeps the limit`,
  )
  return []
}

/** Ids of the submissions with a live group that was not launched again since. */
function liveJobs(workspace: Workspace, run: Run, handles: readonly JobHandle[]): string[] {
  const reports = new Map(workspace.store.runs.groups(run.id).map(report => [report.index, report]))
  const isLive = (index: number, attempt: number) => {
    // A group without a report is pending in the first attempt.
    const report = reports.get(index)
    return (report?.attempt ?? 1) === attempt && !(report && hasEnded(report.status.state))
  }
  return handles.flatMap(handle => (groupsOf(handle).some(index => isLive(index, handle.attempt)) ? [handle.id] : []))
}

function nothingToRetry(run: Run, only: readonly string[] | null): string {
  const counts = Object.entries(run.counts).filter(([, count]) => count > 0)
  return `run ${run.id} has no group to retry${only ? ` with the state or cause ${only.join(', ')}` : ''}: ${counts.map(([state, count]) => `${count} ${state}`).join(', ')}`
}
