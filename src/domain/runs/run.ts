import type { Container } from '../container.js'

/** States of a group, and of a run made of them (product words; `lost`: nothing is known to run and no evidence of an end). */
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

/** Why a group failed (or, for the last two, why it is lost). */
export type FailureCause = 'exit' | 'signal' | 'oom' | 'timeout' | 'node_fail' | 'preempted' | 'launch' | 'deadline'
export type LossCause = 'vanished' | 'never_started'

/** Groups that failed although their script ended by itself with code 0: a scheduler said so. */
export const exitZero = 'exit_0'

/** The states and causes by which groups are told apart that ended without having finished. */
export const unfinishedEnds: readonly string[] = [
  ...(['failed', 'lost', 'cancelled'] satisfies GroupState[]),
  ...(['exit', 'signal', 'oom', 'timeout', 'node_fail', 'preempted', 'launch', 'deadline'] satisfies FailureCause[]),
  ...(['vanished', 'never_started'] satisfies LossCause[]),
  exitZero,
]

interface Start {
  /** Milliseconds since the epoch. */
  readonly started: number
  readonly host: string | null
  readonly jobId: string | null
  /** A scheduler has stopped its processes, which keep their place. */
  readonly suspended?: true
}

interface End {
  /** Milliseconds since the epoch, null where nobody saw the start or the end. */
  readonly started: number | null
  readonly finished: number | null
  readonly host: string | null
  readonly jobId: string | null
}

/** What is known of one group. An end exists only where the group has ended. */
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

/** A status together with the group that it is of. */
export interface GroupReport {
  readonly index: number
  readonly status: GroupStatus
  /** Which launch of the run it is of; not there for the first. */
  readonly attempt?: number
  /** How often a scheduler has put it back into its queue; not there for never. */
  readonly restarts?: number
  /** Since when its end, or its absence, awaits the word of a scheduler; not there where nothing is open. */
  readonly awaiting?: number
}

/** How many groups of a run are in which state. */
export type GroupCounts = Readonly<Record<GroupState, number>>

/** States after which nothing more is expected of a group. */
export function hasEnded(state: GroupState): boolean {
  return state === 'finished' || state === 'failed' || state === 'cancelled' || state === 'lost'
}

/** How the runner was asked to execute a run. */
export interface RunnerParameters {
  readonly submitTemplate: string | null
  /** The template as it was resolved at the launch. */
  readonly resolved: Readonly<Record<string, unknown>>
  /** At most so many groups at a time; null where the scheduler decides. */
  readonly slots: number | null
  readonly container: Container | null
}

/** One launch of an experiment. Times are milliseconds since the epoch. */
export interface Run {
  readonly id: number
  readonly experiment: string
  readonly status: RunStatus
  readonly counts: GroupCounts
  /** How many groups await the word of a scheduler on their end. */
  readonly awaiting: number
  readonly runner: string
  readonly runnerParameters: RunnerParameters
  readonly commit: string
  /** The tree had changes that were not committed; they are kept as a patch. */
  readonly dirty: boolean
  /** Whether the tree changed under a run that was not frozen; null while it is not known. */
  readonly codeChanged: boolean | null
  /** The frozen copy that it runs in, relative to the project; null in the tree itself. */
  readonly frozen: string | null
  /** Relative to the project where it lies inside. */
  readonly storagePath: string
  readonly description: string
  readonly tags: readonly string[]
  /** Id of the run that was launched again as this one; null for any other. */
  readonly rerunOf: number | null
  readonly launched: number
  readonly started: number | null
  readonly finished: number | null
  /** 0 to 100, null before anything is known. */
  readonly progress: number | null
  /** When its runner last answered. */
  readonly asOf: number
  /** Host whose processes it consists of, where only that one can tell; null otherwise. */
  readonly host: string | null
}

/** A group of a run with its place, its parameters and its command. */
export interface GroupDetails {
  readonly index: number
  readonly status: GroupStatus
  readonly attempt: number
  /** As paths are stored: relative to the project where it lies inside. */
  readonly storagePath: string
  readonly parameters: Readonly<Record<string, string | readonly string[]>>
  readonly command: readonly string[]
}
