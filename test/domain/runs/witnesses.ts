import type { EndRecord, StartRecord } from '../../../src/domain/runs/group-record.js'
import { judgeGroup, type KnownGroup, unknownGroup, type Witnesses } from '../../../src/domain/runs/judge-run.js'
import type { GroupStatus } from '../../../src/domain/runs/run.js'
import type { SchedulerState } from '../../../src/domain/runs/verdicts.js'

export const now = 100_000
export const grace = 10_000
export const early = now - 1
export const late = now - grace

const place = { host: 'n1', jobId: '36_7' }
export const seen = { started: 1_000, finished: 2_000, ...place }

export function start(facts: Partial<StartRecord> = {}): StartRecord {
  return { kind: 'start', index: 7, attempt: 1, pid: 5, started: 1_000, ...place, restarts: 0, ...facts }
}

export function exit(code: number, facts: Partial<EndRecord> = {}): EndRecord {
  const times = { started: 1_000, ended: 2_000 }
  return { kind: 'end', index: 7, attempt: 1, code, outcome: 'exit', ...times, ...place, restarts: 0, ...facts }
}

export const stopped = exit(143, { outcome: 'stopped' })

export type Ended = Extract<SchedulerState, { kind: 'ended' }>

export function ended(outcome: Ended['outcome'], facts: Partial<Ended> = {}): SchedulerState {
  const times = { started: 900, finished: 2_100, host: 'slurm-n1', jobId: '36_7' }
  return { kind: 'ended', outcome, exitCode: 0, signal: null, ...times, ...facts }
}

export function pending(restarts = 0): SchedulerState {
  return { kind: 'pending', restarts }
}

export function running(restarts = 0): SchedulerState {
  return { kind: 'running', restarts, started: 900, host: 'slurm-n1', jobId: '36_7' }
}

export function completing(restarts = 0): SchedulerState {
  return { kind: 'completing', restarts }
}

export const held: SchedulerState = { kind: 'held', restarts: 0, reason: 'JobHeldAdmin' }
export const gone: SchedulerState = { kind: 'gone' }
export const removed: SchedulerState = { kind: 'removed' }
export const unsubmitted: SchedulerState = { kind: 'unsubmitted' }

export function known(status: GroupStatus, facts: Partial<KnownGroup> = {}): KnownGroup {
  return { status, restarts: 0, awaiting: null, ...facts }
}

export const isRunning: GroupStatus = { state: 'running', started: 1_000, ...place }
export const isFinished: GroupStatus = { state: 'finished', exitCode: 0, ...seen }
export const isLost: GroupStatus = { state: 'lost', cause: 'vanished', ...seen, finished: null }
export const neverStarted: GroupStatus = { ...isLost, cause: 'never_started', started: null, host: null, jobId: null }

export function judge(witnesses: Partial<Witnesses>): KnownGroup {
  return judgeGroup({ record: null, job: null, known: unknownGroup, cancelled: false, now, grace, ...witnesses })
}
