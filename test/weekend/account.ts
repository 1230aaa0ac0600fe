import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ShownRun } from '../clusters/lifecycle-project.js'

/** Seconds that a group may run, which is the least that Slurm knows. */
const timeLimit = 60

/** One execution of a group, told from the inside. Times are milliseconds since the epoch. */
interface Execution {
  readonly begun: number
  /** Null while it goes on, and where it was killed from outside. */
  readonly end: { readonly at: number; readonly how: string } | null
  /** How many others of the same group went on when it began. */
  readonly beside: number
}

/** Something that was done to a group from outside, and that its state has to follow. */
export interface Deed {
  readonly at: number
  readonly name: string
  readonly means: 'cancelled' | 'put back' | 'nothing'
  /** When the scheduler last listed the job in the state that it was done in. */
  readonly listed: number
  /** Since when the scheduler could be seen to have put it back. */
  seen?: number
}

/** From when to when. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** All that happened to the groups of a run. */
export interface Past {
  readonly executions: ReadonlyMap<number, readonly Execution[]>
  /** At most one for each group, and that it was launched again. */
  readonly deeds: ReadonlyMap<number, readonly Deed[]>
  /** When the scheduler was asked and listed a group as waiting, the earliest first. */
  readonly waiting: ReadonlyMap<number, readonly number[]>
  /** When the scheduler could be seen to hold a group. */
  readonly held: ReadonlyMap<number, readonly Span[]>
  /** When the scheduler did not answer. */
  readonly outages: readonly Span[]
  /** When it may have put back any group. */
  readonly upheavals: readonly Span[]
}

type Shown = Pick<ShownRun['group_list'][number], 'index' | 'status' | 'cause' | 'exit_code'>

/** What a command showed of the groups of a run, and while it ran. */
export interface Look extends Span {
  readonly groups: readonly Shown[]
}

/** What the executions of a run wrote, by their groups, the earliest first. @param folder where each has a file */
export function executionsIn(folder: string): Map<number, Execution[]> {
  const executions = new Map<number, Execution[]>()
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8')
    const [, begun, beside] = /^begin (\d+) \d+ (\d+)\n/.exec(text) ?? []
    // Killed before it could write.
    if (begun === undefined) continue
    const [, at, how] = /^end (\d+) (\w+)\n/m.exec(text) ?? []
    const end = how === undefined ? null : { at: Number(at), how }
    const index = Number(name.split('.')[0])
    const all = [...(executions.get(index) ?? []), { begun: Number(begun), end, beside: Number(beside) }]
    executions.set(
      index,
      all.sort((one, other) => one.begun - other.begun),
    )
  }
  return executions
}

/**
 * What was shown of groups and was true at no time since the grace before.
 * @param grace in milliseconds
 */
export function complaints(look: Look, past: Past, grace: number): string[] {
  const from = look.from - grace
  // A scheduler that does not answer changes nothing.
  const outages = past.outages.filter(outage => outage.from <= look.to && outage.to >= from)
  const window = { from, to: look.to, wide: Math.min(from, ...outages.map(outage => outage.from - grace)) }
  return look.groups.filter(shown => !isTrue(shown, past, window)).map(shown => told(shown, past, look))
}

/** The same for groups that have ended, of which no more than one execution may have ended well. */
export function finalComplaints(look: Look, past: Past): string[] {
  const untrue = look.groups.filter(({ index, status }) => {
    if (status === 'running' || status === 'pending' || status === 'held') return true
    const all = past.executions.get(index) ?? []
    if (all.some(({ beside }) => beside > 0)) return true
    const extra = all.slice(0, -1).filter(({ end }) => end?.how === '0')
    return extra.some(execution => !isPutBack(execution, past, index, look.to))
  })
  return [...complaints(look, past, 0), ...untrue.map(shown => told(shown, past, look))]
}

/** `wide`: from when on a state counts that only the scheduler could have corrected. */
interface Window extends Span {
  readonly wide: number
}

function isTrue({ index, status, cause, exit_code }: Shown, past: Past, window: Window): boolean {
  const { from, to, wide } = window
  if (status === 'held') return (past.held.get(index) ?? []).some(span => span.from <= to && span.to >= wide)
  const deeds = past.deeds.get(index) ?? []
  const cancellation = deeds.find(({ means, at }) => means === 'cancelled' && at <= to)
  if (status === 'pending' && cancellation && cancellation.at < wide) return false
  const waiting = past.waiting.get(index) ?? []
  const all = past.executions.get(index) ?? []
  const next = all.find(execution => execution.begun > to)
  // A scheduler says that it runs when it is sent to its node: from then on it does not wait until the script begins.
  if (status === 'running' && next && !waiting.some(at => at > to && at < next.begun)) return true
  const begun = all.filter(execution => execution.begun <= to)
  if (begun.length === 0 || begun[0]!.begun >= wide) {
    if (status === 'pending' || (status === 'cancelled' && cancellation)) return true
  }
  return begun.some((execution, at) => {
    if ((begun[at + 1]?.begun ?? Number.POSITIVE_INFINITY) < wide) return false
    const { end } = execution
    const isOver = end === null || end.at <= to
    const isPut = isPutBack(execution, past, index, to)
    switch (status) {
      case 'running':
        // In an upheaval, a scheduler takes for running what it has sent to its node in vain, or will put back.
        if (isPut && past.upheavals.some(span => span.from <= to && span.to >= from)) return true
        return end === null || end.at >= (endedByItself(execution) ? from : wide)
      case 'pending':
        return isPut && isOver
      case 'finished':
        return end?.how === '0' && isOver && !deeds.some(deed => isPutBackSince(deed, end.at) && deed.seen! < wide)
      case 'cancelled':
        return cancellation !== undefined && isOver && (isPut || end!.at >= cancellation.listed)
      case 'failed':
        if (cause === 'exit') return isOver && end?.how === '3' && exit_code === 3
        if (cause === 'signal') return isOver && end?.how === 'KILL' && exit_code === 137
        return (
          cause === 'timeout' &&
          isOver &&
          !endedByItself(execution) &&
          // It was sent to its node after it waited.
          (end?.at ?? to) - (waiting.findLast(at => at < execution.begun) ?? 0) > (timeLimit - 1) * 1000
        )
      default:
        return false
    }
  })
}

function endedByItself({ end }: Execution): boolean {
  return end !== null && end.how !== 'TERM'
}

/** A job of HTCondor that ends while it is put back has ended, although it is listed as held for a moment. */
function isPutBackSince({ name, at, seen }: Deed, ended: number): boolean {
  return seen !== undefined && seen > ended && !(at <= ended && name.startsWith('condor_'))
}

/** Whether a group may wait, or wait no longer, after an execution of it. */
function isPutBack(execution: Execution, past: Past, index: number, to: number): boolean {
  const { begun, end } = execution
  if (!end || end.how === 'TERM') return true
  const deeds = past.deeds.get(index) ?? []
  if (deeds.some(({ means, at }) => means === 'put back' && at >= begun && at <= to)) return true
  return past.upheavals.some(span => span.from <= end.at && span.to >= end.at)
}

function told({ index, status, cause, exit_code }: Shown, past: Past, look: Look): string {
  const clock = (at: number) => new Date(at).toISOString().slice(11, 23)
  const words = [status, cause, exit_code].filter(word => word !== null).join(' ')
  const executions = (past.executions.get(index) ?? []).map(
    ({ begun, end, beside }) =>
      `${clock(begun)}${beside ? '(beside)' : ''}–${end ? `${clock(end.at)} ${end.how}` : '?'}`,
  )
  const deeds = (past.deeds.get(index) ?? []).map(({ at, name }) => `${clock(at)} ${name}`)
  return `${clock(look.from)}–${clock(look.to)}: group ${index} is ${words}; ${[...executions, ...deeds].join('; ') || 'never ran'}`
}
