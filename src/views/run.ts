import { isOver, totalOf } from '../domain/runs/aggregate.js'
import type { Run } from '../domain/runs/run.js'
import { displayCommand } from '../domain/text/shell-text.js'
import type { Failure } from '../operations/runs/failures.js'
import type { Style } from './format/style.js'
import { duration } from './format/times.js'
import { causeText, durationOf, stateText } from './runs/state.js'

/** What was launched of a run. */
interface LaunchFacts {
  /** How many groups. */
  readonly groups: number
  /** Whether they were launched before. */
  readonly again: boolean
  readonly submitTemplate: string | null
  /** What the scheduler calls the submission; empty without a scheduler. */
  readonly submission: string
}

/** Said when groups of a run have been submitted. */
export function launchText(run: Run, launch: LaunchFacts, waits: boolean): string {
  const commit = `Run ${run.id} of ${run.experiment} · commit ${run.commit.slice(0, 7)}`
  const changes = run.dirty ? ' (with uncommitted changes)' : ''
  const lines =
    launch.submission === ''
      ? [`${commit}${changes}${run.frozen ? ' (frozen)' : ''} · ${slotsText(run, launch)}`]
      : [`${commit}${changes}${run.frozen ? `, frozen in ${run.frozen}` : ''}`, `  ${submissionText(run, launch)}`]
  lines.push(`  ${run.storagePath}`)
  if (!waits) lines.push(`  qanat experiment status ${run.experiment} --live`)
  return lines.join('\n')
}

function groupsText({ groups, again }: LaunchFacts): string {
  return `${groups} group${groups === 1 ? '' : 's'}${again ? ' again' : ''}`
}

function slotsText({ runnerParameters }: Run, launch: LaunchFacts): string {
  const slots = Math.min(runnerParameters.slots ?? 1, launch.groups)
  const where = launch.groups === 1 ? '' : ` on ${slots} slot${slots === 1 ? '' : 's'}`
  const template = launch.again && launch.submitTemplate !== null ? `, template ${launch.submitTemplate}` : ''
  return `${groupsText(launch)}${where}${template}`
}

function submissionText({ runnerParameters }: Run, launch: LaunchFacts): string {
  const { slots } = runnerParameters
  const limit = slots !== null && slots < launch.groups ? `, ${slots} at a time` : ''
  return `${groupsText(launch)} → ${launch.submission}, template ${launch.submitTemplate}${limit}`
}

/** Said of a run that was told to end: what became of it, or that this is not known yet. */
export function cancelText(style: Style, run: Run): string {
  if (isOver(run.counts)) return outcomeText(style, run, [])
  const { id, experiment, runner, counts } = run
  const live = counts.pending + counts.running + counts.held
  return [
    `Run ${id} was told to end; ${runner} has not said yet that ${live === 1 ? 'its last group has' : `${live} groups have`}`,
    `  qanat run_wait ${experiment} ${id}`,
  ].join('\n')
}

/** Said when a run that was waited for is over: what became of it, the first failures, what to type next. */
export function outcomeText(style: Style, run: Run, failures: readonly Failure[]): string {
  const { counts, experiment, id } = run
  const parts = (['finished', 'failed', 'cancelled', 'lost'] as const)
    .filter(state => counts[state] > 0)
    .map(state => `${counts[state]} ${state}`)
  const took = duration(durationOf(run, Date.now()))
  const head = `Run ${id} ${stateText(style, run.status)}: ${parts.join(', ')}${took && ` in ${took}`}`
  if (run.status === 'finished') return head
  const lines = failures.map(({ report, arguments: words, lastError }) => {
    const reason = [causeText(report.status), lastError].filter(text => text).join(': ')
    const given = words.length > 0 ? ` (${displayCommand(words).replaceAll('\n', '⏎')})` : ''
    return `  group ${report.index}${given}: ${reason}`
  })
  const [first] = failures
  const why = `qanat why ${experiment} ${id}${first && totalOf(counts) > 1 ? `.${first.report.index}` : ''}`
  return [head, ...lines, `  ${why}        qanat run_retry ${experiment} ${id}`].join('\n')
}
