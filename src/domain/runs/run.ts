import type { Container } from '../container.js'
import type { Asked } from '../job-environment.js'

/** States of a group and of a run. `lost`: nothing is known to run, and there is no evidence of an end. */
export type GroupState = 'pending' | 'running' | 'held' | 'finished' | 'failed' | 'cancelled' | 'lost'
export type RunStatus = GroupState

export const groupStates: readonly GroupState[] = [
  'pending',
  'running',
  'held',
  'finished',
  'failed',
  'cancelled',
  'lost',
]

/** Why a group failed (or, for the last two, why it was lost). */
export const failureCauses = [
  'exit',
  'signal',
  'oom',
  'timeout',
  'node_fail',
  'preempted',
  'incomplete',
  'launch',
  'deadline',
] as const
export type FailureCause = (typeof failureCauses)[number]
export type LossCause = 'vanished' | 'never_started'

/** All causes of groups that did not finish. */
export const endCauses: readonly string[] = [...failureCauses, ...(['vanished', 'never_started'] satisfies LossCause[])]

/** Groups that failed according to a scheduler although their script ended on its own with code 0. */
export const exitZero = 'exit_0'

/** Whether the cause is in the script or in the launch, so that a retry of the same code mostly fails again. */
export function failsAgain(cause: string): boolean {
  return ['exit', 'signal', 'launch', 'incomplete'].includes(cause)
}

/** Words accepted by `--only`: the end states other than finished, and their causes. */
export const unfinishedEnds: readonly string[] = [
  ...(['failed', 'lost', 'cancelled'] satisfies GroupState[]),
  ...endCauses,
  exitZero,
]

interface Start {
  /** Milliseconds since the epoch. */
  readonly started: number
  readonly host: string | null
  readonly jobId: string | null
  readonly suspended?: true
}

interface End {
  /** Milliseconds since the epoch; null if the start or the end is not known. */
  readonly started: number | null
  readonly finished: number | null
  readonly host: string | null
  readonly jobId: string | null
  /** Missing if nothing is known of it. */
  readonly used?: Usage
}

/** What the processes of a group have used together; null for what nobody has measured. */
export interface Usage {
  /** The most memory at one time, in bytes. */
  readonly peakMemory: number | null
  /** CPU time in seconds. */
  readonly cpuTime: number | null
  /** Ids of the GPUs that it was dealt, with commas; missing if it was dealt none. */
  readonly gpus?: string
}

export const unknownUsage: Usage = { peakMemory: null, cpuTime: null }

/** What is known of one usage from several sources, the best source first; undefined if nothing is. */
export function mergedUsage(...sources: readonly (Usage | undefined)[]): Usage | undefined {
  const first = (name: 'peakMemory' | 'cpuTime') =>
    sources.find(source => (source?.[name] ?? null) !== null)?.[name] ?? null
  const gpus = sources.find(source => source?.gpus !== undefined)?.gpus
  const merged = { peakMemory: first('peakMemory'), cpuTime: first('cpuTime'), ...(gpus !== undefined && { gpus }) }
  return merged.peakMemory === null && merged.cpuTime === null && gpus === undefined ? undefined : merged
}

/** The status of one group. Only a group that has ended has an end time. */
export type GroupStatus =
  | { readonly state: 'pending' }
  | { readonly state: 'held'; readonly reason: string | null }
  | ({ readonly state: 'running' } & Start)
  | ({ readonly state: 'finished'; readonly exitCode: 0 } & End)
  | ({
      readonly state: 'failed'
      readonly cause: FailureCause
      readonly exitCode: number | null
      readonly signal: string | null
    } & End)
  | ({ readonly state: 'cancelled' } & End)
  | ({ readonly state: 'lost'; readonly cause: LossCause } & End)

/** A status together with its group. */
export interface GroupReport {
  readonly index: number
  readonly status: GroupStatus
  /** Number of the attempt; missing for the first. */
  readonly attempt?: number
  /** How often a scheduler has requeued it; missing for never. */
  readonly restarts?: number
  /** Since when its end, or its absence, waits for confirmation by a scheduler; missing if it does not. */
  readonly awaiting?: number
}

/** The number of groups of a run in each state. */
export type GroupCounts = Readonly<Record<GroupState, number>>

/** Whether a state is an end state. */
export function hasEnded(state: GroupState): boolean {
  return state === 'finished' || state === 'failed' || state === 'cancelled' || state === 'lost'
}

interface RunnerParameters {
  readonly submitTemplate: string | null
  /** The template, as resolved at the launch; see `NewAttempt`. */
  readonly resolved: Readonly<Record<string, unknown>>
  /** At most this many groups at a time; null if the scheduler decides. */
  readonly slots: number | null
  readonly container: Container | null
}

/** The name of this machine where the name of a context is meant. */
export const HERE = 'here'

/** One launch of an experiment. Times are milliseconds since the epoch. */
export interface Run {
  readonly id: number
  readonly experiment: string
  readonly status: RunStatus
  readonly counts: GroupCounts
  /** How many ends wait for confirmation by a scheduler. */
  readonly awaiting: number
  /** Name of the site where it lives: {@link HERE}, or a context. */
  readonly site: string
  readonly runner: string
  readonly runnerParameters: RunnerParameters
  readonly commit: string
  /** Whether the tree had uncommitted changes; they are kept as a patch. */
  readonly dirty: boolean
  /** Hash of the files that count as code of its experiment; null if git did not have the code. */
  readonly codeUsed: string | null
  /** Whether the tree changed while a run that was not frozen ran; null if it is not known. */
  readonly codeChanged: boolean | null
  /** The frozen copy that it runs in, relative to the project; null in the tree itself. */
  readonly frozen: string | null
  /** Its folder on this machine, see {@link Place}; relative to the project if it lies inside. */
  readonly storagePath: string
  readonly description: string
  readonly tags: readonly string[]
  /** Id of the run that this one reruns; null for any other. */
  readonly rerunOf: number | null
  /** Id of the run whose unfinished cells it was launched for; null for any other. */
  readonly fillOf: number | null
  readonly retired: Retirement | null
  readonly launched: number
  readonly started: number | null
  readonly finished: number | null
  /** 0 to 100, null before anything is known. */
  readonly progress: number | null
  /** When its runner last answered. */
  readonly asOf: number
  /** Host of its processes, for a local run; null otherwise. */
  readonly host: string | null
  /** How Qanat deals its groups now, as far as that differs from what was asked. */
  readonly dealing: Dealing
}

/** That a run was wrong: it stays, and its groups count nowhere. */
export interface Retirement {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Empty if nobody has said it. */
  readonly why: string
}

/** How Qanat itself deals the groups of a run that is not over. */
export interface Dealing {
  /** How many slots there are now; 0 while it is paused; null for as many as were asked for, and where a scheduler deals the groups. */
  readonly slots: number | null
  /** Whether groups wait that nothing will start: all processes of its pools have died. */
  readonly hasNoWorker: boolean
}

/** How groups are dealt as they were asked to be, or by a scheduler. */
export const asAsked: Dealing = { slots: null, hasNoWorker: false }

/** How many slots a local run has now; null for one that is over, and where a scheduler deals the groups. */
export function slotsNow({ host, finished, dealing, runnerParameters }: Run): number | null {
  return host === null || finished !== null ? null : (dealing.slots ?? runnerParameters.slots ?? 1)
}

/** Whether groups of a run that have not begun wait until its user gives it slots again, or has its workers started again; null if not. */
export function haltOf({ dealing, counts }: Pick<Run, 'dealing' | 'counts'>): 'paused' | 'no_worker' | null {
  if (counts.pending === 0) return null
  return dealing.hasNoWorker ? 'no_worker' : dealing.slots === 0 ? 'paused' : null
}

/** A group of a run with its folder, its parameters and its command. */
export interface GroupDetails {
  readonly index: number
  readonly status: GroupStatus
  readonly attempt: number
  /** Stored path: relative to the project if it lies inside. */
  readonly storagePath: string
  readonly parameters: Readonly<Record<string, string | readonly string[]>>
  /** By the template of its attempt. */
  readonly asked: Asked
  readonly command: readonly string[]
}

/**
 * Whether the code changed in the tree in which a run ran, so that nobody knows what its groups ran. In a frozen copy, only
 * the groups themselves write, and any file that git tracks counts.
 */
export function ranOtherCode({ codeChanged, frozen }: Pick<Run, 'codeChanged' | 'frozen'>): boolean {
  return codeChanged === true && frozen === null
}

/** How a warning begins that is kept with a run whose groups import code which comes from the project's tree, not from the commit. */
export const liveCodeMark = 'imports live code'

/** Whether the warnings of a run tell that. */
export function importsLiveCode(warnings: readonly string[]): boolean {
  return warnings.some(warning => warning.startsWith(liveCodeMark))
}
