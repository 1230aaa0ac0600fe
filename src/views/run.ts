import { groupBy } from '../domain/group-by.js'
import { isOver, liveOf, totalOf } from '../domain/runs/aggregate.js'
import { failureKey } from '../domain/runs/cause-label.js'
import { failsAgain, haltOf, type Run, slotsNow } from '../domain/runs/run.js'
import { displayCommand } from '../domain/text/shell-text.js'
import type { Failure } from '../operations/runs/failures.js'
import { counted } from './format/counted.js'
import type { Style } from './format/style.js'
import { duration } from './format/times.js'
import { causeText, durationOf, stateText } from './runs/state.js'

interface LaunchFacts {
  readonly groups: number
  /** Whether they were launched again. */
  readonly again: boolean
  readonly submitTemplate: string | null
  /** Name of the submission for users of the scheduler; empty without one. */
  readonly submission: string
}

/** The message after groups of a run were submitted. */
export function launchText(run: Run, launch: LaunchFacts, waits: boolean): string {
  const commit = `Run ${run.id} of ${run.experiment} · commit ${run.commit.slice(0, 7)}`
  const isLocal = launch.submission === ''
  const frozen = run.frozen === null ? [] : [isLocal ? 'frozen' : `frozen in ${run.frozen}`]
  const remarks = [...(run.dirty ? ['with uncommitted changes'] : []), ...frozen]
  const code = remarks.length === 0 ? commit : `${commit} (${remarks.join(', ')})`
  const lines = isLocal ? [`${code} · ${localText(run, launch)}`] : [code, `  ${submissionText(run, launch)}`]
  lines.push(`  ${run.storagePath}`)
  if (!waits) lines.push(`  qanat experiment status ${run.experiment} --live`)
  return lines.join('\n')
}

function groupsText({ groups, again }: LaunchFacts): string {
  return counted(groups, 'group') + (again ? ' again' : '')
}

function localText({ runnerParameters }: Run, launch: LaunchFacts): string {
  const slots = Math.min(runnerParameters.slots ?? 1, launch.groups)
  const where = launch.groups === 1 ? '' : ` on ${counted(slots, 'slot')}`
  const template = launch.again && launch.submitTemplate !== null ? `, template ${launch.submitTemplate}` : ''
  return `${groupsText(launch)}${where}${template}`
}

function submissionText({ runnerParameters }: Run, launch: LaunchFacts): string {
  const { slots } = runnerParameters
  const limit = slots !== null && slots < launch.groups ? `, ${slots} at a time` : ''
  return `${groupsText(launch)} → ${launch.submission}, template ${launch.submitTemplate}${limit}`
}

/** The message after a run was cancelled: how it ended, or that this is not known yet. */
export function cancelText(style: Style, run: Run): string {
  if (isOver(run.counts)) return outcomeText(style, run, [])
  const live = liveOf(run.counts)
  const groups = live === 1 ? 'one group is' : `${live} groups are`
  return `Run ${run.id} was cancelled; ${groups} not known to have ended yet\n  qanat run_wait ${run.id}`
}

const shownKinds = 3
const longestArguments = 200

/** The message at the end of a run that was waited for: how it ended, failures by their kinds, what to type next. @param hasSkipped whether groups were not started because of them */
export function outcomeText(style: Style, run: Run, failures: readonly Failure[], hasSkipped = false): string {
  const { counts, id } = run
  const parts = (['finished', 'failed', 'cancelled', 'lost'] as const)
    .filter(state => counts[state] > 0)
    .map(state => `${counts[state]} ${state}`)
  const took = duration(durationOf(run, Date.now()))
  const head = `Run ${id} ${stateText(style, run.status)}: ${parts.join(', ')}${took && ` in ${took}`}`
  if (run.status === 'finished') return head
  const [first] = failures
  const why = `qanat why ${id}${first && totalOf(counts) > 1 ? `.${first.report.index}` : ''}`
  const skipped = '  stopped early: as many groups failed as --max_failures allows, and no others were started'
  const retries =
    counts.cancelled + counts.lost > 0 ||
    failures.some(({ report: { status } }) => status.state === 'failed' && !failsAgain(status.cause))
  return [
    head,
    ...(first ? failureLines(run, failures) : []),
    ...(hasSkipped ? [skipped] : []),
    `  ${why}${retries ? `        qanat run_retry ${id}` : ''}`,
  ].join('\n')
}

/** Says that the first groups of a run have all failed with the same error while it goes on. */
export function allFailedText({ id, counts }: Run, { report, lastError }: Failure): string {
  const live = liveOf(counts)
  const others = live === 1 ? 'One other is' : `${live} others are`
  return `the first ${counts.failed} groups have all failed with the same error: ${reasonText({ report, lastError })}
  ${others} waiting or running; qanat run_cancel ${id} ends the run`
}

/** Says that a run is paused, and what lets it go on. */
export function pausedText({ id, counts }: Run): string {
  const runs = counts.running === 0 ? '' : `, and ${counts.running} ${counts.running === 1 ? 'runs' : 'run'} to the end`
  return `run ${id} is paused: ${counted(counts.pending, 'group')} ${counts.pending === 1 ? 'waits' : 'wait'}${runs}
qanat run_slots ${id} N        lets N groups run at a time`
}

/** The message after the slots of a run were changed. */
export function slotsText(run: Run): string {
  if (haltOf(run) === 'paused') return pausedText(run).replace(/^r/, 'R').replace('\n', '\n  ')
  return `Run ${run.id} has ${counted(slotsNow(run) ?? 0, 'slot')} now`
}

/** Asks whether to start the workers of a run again, which have all died. */
export function reviveQuestion({ id, counts }: Run): string {
  return `All workers of run ${id} have died. Start them again for ${counted(counts.pending, 'group')}?`
}

function reasonText({ report, lastError }: Pick<Failure, 'report' | 'lastError'>): string {
  return [causeText(report.status), lastError].filter(text => text).join(': ')
}

function failureLines({ id, counts }: Run, failures: readonly Failure[]): string[] {
  const kinds = groupBy(failures, ({ report, lastError }) => failureKey(report.status, lastError))
  const shown = [...kinds.values()].sort((one, other) => other.length - one.length).slice(0, shownKinds)
  const lines = shown.map(([first, ...alike]) => {
    const { report, arguments: words } = first!
    const given = words.length > 0 ? ` (${cut(displayCommand(words).replaceAll('\n', '⏎'))})` : ''
    const others = alike.length === 0 ? '' : `, and ${alike.length} more with the same error`
    return `  group ${report.index}${given}: ${reasonText(first!)}${others}`
  })
  const left = counts.failed + counts.lost - shown.reduce((sum, { length }) => sum + length, 0)
  return left === 0 ? lines : [...lines, `  and ${left} more: qanat failures ${id}`]
}

/** Arguments may have any length. */
function cut(text: string): string {
  return text.length > longestArguments ? `${text.slice(0, longestArguments - 1)}…` : text
}
