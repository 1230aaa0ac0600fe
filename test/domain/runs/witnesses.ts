import type { EndRecord, GroupRecord } from '../../../src/domain/runs/group-record.js'
import { judgeGroup, type KnownGroup, unknownGroup, type Witnesses } from '../../../src/domain/runs/judge-run.js'
import type { GroupStatus } from '../../../src/domain/runs/run.js'
import type { SchedulerState } from '../../../src/domain/runs/verdicts.js'

export const now = 100_000
export const grace = 10_000
/** Since when a group waits: for a while, or for as long as the grace. */
export const [early, late] = [now - 1, now - grace]

const place = { host: 'n1', jobId: '36_7' }
const seen = { started: 1_000, finished: 2_000, ...place }

/** A record in the journal: `start`, `exit 3`, `stopped 143`; with `#1` that of the start after a requeue. */
export function recordOf(text: string): GroupRecord | null {
  const [, kind, code, restarts] = /^(\w*)(?: (\d+))?(?:#(\d))?$/.exec(text)!
  if (kind === '') return null
  const facts = { index: 7, attempt: 1, started: 1_000, ...place, restarts: Number(restarts ?? 0) }
  if (kind === 'start') return { kind, pid: 5, ...facts }
  return { kind: 'end', code: Number(code), outcome: kind as EndRecord['outcome'], ended: 2_000, ...facts }
}

type Ended = Extract<SchedulerState, { kind: 'ended' }>

/** What the queue says: `pending#1` after a requeue, `gone`; of an end `exit 3`, `oom`, and `timeout at 1999` (`?`: unknown). */
export function jobOf(text: string): SchedulerState | null {
  const [, kind = '', code, restarts, end] = /^(\w*)(?: (\d+))?(?:#(\d))?(?: at (\d+|\?))?$/.exec(text)!
  const count = { restarts: Number(restarts ?? 0) }
  const isRunning = { kind: 'running', ...count, started: 900, host: 's1', jobId: '36_7' } as const
  if (kind === '') return null
  if (kind === 'pending' || kind === 'completing') return { kind, ...count }
  if (kind === 'held') return { kind, ...count, reason: 'JobHeldAdmin' }
  if (kind === 'running') return isRunning
  if (kind === 'suspended') return { ...isRunning, suspended: true }
  if (kind === 'gone' || kind === 'removed' || kind === 'unattended' || kind === 'unsubmitted') return { kind }
  const finished = end === '?' ? null : Number(end ?? 2_100)
  const how = { exitCode: Number(code ?? 0), signal: kind === 'signal' ? 'SIGKILL' : null, started: 900, finished }
  return { kind: 'ended', outcome: kind as Ended['outcome'], ...how, host: 's1', jobId: '36_7' }
}

const unseen = { started: null, finished: null, host: null, jobId: null }
/** What may be stored of a group. */
export const statuses: Readonly<Record<string, GroupStatus>> = {
  pending: { state: 'pending' },
  held: { state: 'held', reason: null },
  'held for a reason': { state: 'held', reason: 'JobHeldAdmin' },
  running: { state: 'running', started: 1_000, ...place },
  'running since 900': { state: 'running', started: 900, host: 's1', jobId: null },
  suspended: { state: 'running', started: 1_000, ...place, suspended: true },
  finished: { state: 'finished', exitCode: 0, ...seen },
  failed: { state: 'failed', cause: 'exit', exitCode: 3, signal: null, ...seen },
  cancelled: { state: 'cancelled', ...seen },
  removed: { state: 'cancelled', ...unseen },
  lost: { state: 'lost', cause: 'vanished', ...seen, finished: null },
  'never started': { state: 'lost', cause: 'never_started', ...unseen },
}

/** What is stored: `running#1`; with `waits` it waits for the scheduler for a while, with `waited` for as long as the grace. */
export function knownOf(text: string): KnownGroup {
  const [, name, restarts] = /^([^#,]*)(?:#(\d))?/.exec(text)!
  const awaiting = text.includes(', waits') ? early : text.includes(', waited') ? late : null
  return { status: statuses[name || 'pending']!, restarts: Number(restarts ?? 0), awaiting }
}

export function judge(witnesses: Partial<Witnesses>): KnownGroup {
  return judgeGroup({ record: null, job: null, known: unknownGroup, cancelled: false, now, grace, ...witnesses })
}

/** A judgement: `failed exit 3 1000–2000 n1`; with `open` it waits since now, with `waits` since it did before. */
export function judgementText({ status, restarts, awaiting }: KnownGroup): string {
  const { state, started, finished, host, ...how } = { started: undefined, finished: null, host: null, ...status }
  const { cause, signal, exitCode, reason, suspended } = how as Readonly<Record<string, unknown>>
  const times = started === undefined ? null : `${started ?? ''}–${finished ?? ''}`
  const words = [cause, signal, exitCode, reason, suspended && 'suspended', times, host].filter(word => word != null)
  const waits = awaiting === now ? ', open' : awaiting === early ? ', waits' : awaiting === null ? '' : `, ${awaiting}`
  return [state + (restarts > 0 ? `#${restarts}` : ''), ...words].join(' ') + waits
}
