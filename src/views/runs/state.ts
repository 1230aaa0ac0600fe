import { isOver, totalOf } from '../../domain/runs/aggregate.js'
import { causeLabel } from '../../domain/runs/cause-label.js'
import { type GroupState, type GroupStatus, haltOf, type Run } from '../../domain/runs/run.js'
import type { Style } from '../format/style.js'

const stateSymbols: Readonly<Record<GroupState, string>> = {
  pending: '⏱',
  running: '▶',
  held: '⏸',
  finished: '🏁',
  failed: '❌',
  cancelled: '🚫',
  lost: '❔',
}

/** A state with its symbol, in its colour. */
export function stateText({ colour, symbol }: Style, state: GroupState): string {
  const paint = { failed: colour.red, lost: colour.red, finished: colour.green, running: colour.cyan }[state as string]
  const text = `${symbol(stateSymbols[state])}${state}`
  return paint ? paint(text) : text
}

/** The status of a run, and what to type if it goes on only then. */
export function runStatusText(style: Style, run: Run): string {
  const halt = haltOf(run)
  const remark = { paused: `paused: qanat run_slots ${run.id} N`, no_worker: `no worker: qanat run_wait ${run.id}` }
  const retired = run.retired ? ' (retired)' : ''
  return stateText(style, run.status) + (halt === null ? '' : ` (${remark[halt]})`) + retired
}

/** What causes are whose word does not say it. */
const meanings: Readonly<Record<string, string>> = {
  oom: 'out of memory',
  incomplete: 'without its outputs',
  launch: 'before the script started',
  vanished: 'without a record of its end',
}

/** Why a group is in its state: the word of its cause, and what that means: `exit 1`, `oom (out of memory)`. */
export function causeText(status: GroupStatus): string {
  const meaning = 'cause' in status ? meanings[status.cause] : undefined
  return causeLabel(status) + (meaning === undefined ? '' : ` (${meaning})`)
}

/** Progress and failures of a run: `612/1000 (61%)`, `9/10, 1 failed`. */
export function progressText({ counts, progress }: Run): string {
  const done = `${counts.finished}/${totalOf(counts)}`
  const wrong = (['failed', 'cancelled', 'lost'] as const).filter(state => counts[state] > 0)
  const percentage = !isOver(counts) && progress !== null ? ` (${Math.floor(progress)}%)` : ''
  return [done + percentage, ...wrong.map(state => `${counts[state]} ${state}`)].join(', ')
}

/** Milliseconds from the first start to the last end, or until `now` if it has not ended; null if one is not known. */
export function durationOf({ started, finished }: Run, now: number | null): number | null {
  const ended = finished ?? now
  return started === null || ended === null ? null : ended - started
}
