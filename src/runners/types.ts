import type { JobEnvironment } from '../domain/job-environment.js'
import type { GroupReport } from '../domain/runs/run.js'
import type { RunPlan } from '../domain/runs/run-plan.js'

/** A file to write at launch; the text may come in pieces, since plans can be large. */
export interface PreparedFile {
  /** Relative to the run's folder. */
  readonly path: string
  readonly text: Iterable<string>
  readonly executable?: boolean
}

/** The groups of one submission, by their place among those that a launch is of. */
export interface GroupSpan {
  readonly first: number
  readonly count: number
}

/** One command that submits some of the groups to another program, word for word. */
export interface PreparedSubmission extends GroupSpan {
  readonly command: readonly string[]
}

/** Everything that a submission needs, made without touching the outside world. */
export interface Prepared<Options = unknown> {
  readonly plan: RunPlan
  readonly options: Options
  readonly limits: Limits
  readonly files: readonly PreparedFile[]
  /** Empty where nothing is submitted to another program. */
  readonly submissions: readonly PreparedSubmission[]
}

/** A run as runners know it. */
interface RunIdentity {
  readonly token: string
  /** Absolute folder of the run. */
  readonly storagePath: string
  readonly groupCount: number
  /** What schedulers call it. */
  readonly jobName: string
}

/** What is needed to look for the submissions of a launch after a crash. */
export interface SubmissionIntent extends RunIdentity {
  /** Which launch of the run it is, from 1. */
  readonly attempt: number
  /** The groups that it is of, in ascending order; null for all. */
  readonly indices: readonly number[] | null
}

/** One submission: a supervisor, a job array, a cluster of jobs. Stored as JSON as soon as it exists. */
export interface JobHandle extends SubmissionIntent, GroupSpan {
  /** What the user knows it by: a process or job id. */
  readonly id: string
  /** The runner's own. */
  readonly data: Readonly<Record<string, string | number>>
}

/** What a search for the submissions of a launch that died has found. */
interface Found {
  readonly handles: readonly JobHandle[]
  /** False where more may still turn up. */
  readonly final: boolean
}

/** What can be submitted from here, and to whom. */
export interface Limits {
  /** Which one of its kind answers: the name of a cluster, a schedd, a host. */
  readonly identity: string
  readonly groupsPerSubmission: number
}

/** A run to ask for. */
export interface PolledRun extends RunIdentity {
  readonly handles: readonly JobHandle[]
  /** False while the program that launches it may submit more. */
  readonly complete: boolean
  /** What is stored, by group; nothing for a pending one. */
  readonly known: ReadonlyMap<number, GroupReport>
}

/** How runs are asked for. Times are in milliseconds. */
export interface PollOptions {
  /** Whether it is time to ask the scheduler; otherwise only files are read. */
  readonly ask: boolean
  readonly now: number
  /** How long file systems and accounting may lag behind. */
  readonly grace: number
}

export interface PollAnswer {
  /** Whether the runner itself has answered, rather than only the records of the groups. */
  readonly answered: boolean
  /** Of every group that is not as it is known; others may be among them. */
  readonly reports: readonly GroupReport[]
}

/** What is known of a group outside of the store. */
interface Explanation {
  readonly witnesses: readonly Witness[]
  /** The scheduler's own command that lets it go on where it is held; null where there is none. */
  readonly release: string | null
}

/** What somebody who has seen a group says of it, in words. */
export interface Witness {
  readonly name: string
  readonly text: string
}

/** Where groups execute. Adding one is a folder here and a line in the registry. */
export interface Runner<Options = unknown> {
  readonly name: string
  /** Whether runs are asked of a scheduler, which is done rarely and for all runs at once. */
  readonly isScheduler: boolean
  /**
   * Reads a template: the keys that are not the same for every runner, and how the others map to its own.
   * @throws UserError naming the key that is wrong
   */
  parseOptions(keys: Readonly<Record<string, unknown>>, environment: JobEnvironment): Options
  /**
   * Makes sure that groups can be executed from here, before anything is made.
   * @throws QanatError where they cannot
   */
  probe(environment: JobEnvironment): Promise<Limits>
  /** Taken for a dry run where the scheduler is not there. */
  readonly usualLimits: Limits
  /** Pure: the files to write and the commands to run. */
  prepare(plan: RunPlan, options: Options, limits: Limits): Prepared<Options>
  /**
   * Starts the groups. Each handle is to be stored as soon as it comes.
   * @param warn called with what the scheduler remarks
   * @throws SchedulerError with the scheduler's own words where it refuses
   */
  submit(prepared: Prepared<Options>, warn: (message: string) => void): AsyncIterable<JobHandle>
  /** After a crash of the launch: what was really submitted? Throws a QanatError where that cannot be said now. */
  find(intent: SubmissionIntent, grace: number): Promise<Found>
  /** Asks for all runs at once, by token; a run that is missing got no answer, which changes nothing. */
  poll(runs: readonly PolledRun[], options: PollOptions): Promise<ReadonlyMap<string, PollAnswer>>
  /** Ends whatever lives of them. `now`: without leaving the groups time to end by themselves. */
  cancel(handles: readonly JobHandle[], now?: boolean): Promise<void>
  /** Resolves early when the end of a handle is noticed or `stop` is aborted, at the latest after `milliseconds`. */
  settle(handle: JobHandle | null, milliseconds: number, stop: AbortSignal): Promise<void>
  /** What the user knows them by, as in `Slurm job 4651 (array 0-999)`; empty where nobody else has them. */
  describe(handles: readonly JobHandle[]): string
  /** What is known of one group outside of the store, in words. @param index of the group */
  explain(handles: readonly JobHandle[], index: number): Promise<Explanation>
  /**
   * Its own logs of a run, by absolute paths; those of groups that have not started are not there yet.
   * @param group index of the only group that is wanted, where the logs are apart; null for all
   */
  logFiles(
    handles: readonly JobHandle[],
    group: number | null,
  ): readonly { readonly title: string; readonly path: string }[]
}
