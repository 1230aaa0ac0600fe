import type { Environment, FactKind } from '../domain/environments/environment.js'
import type { JobEnvironment } from '../domain/job-environment.js'
import type { Admission } from '../domain/pods/admission.js'
import type { Evidence, GroupsOfRun } from '../domain/runs/judge-run.js'
import type { Submission } from '../domain/runs/launch.js'
import type { Place, RunPlan } from '../domain/runs/run-plan.js'
import type { UserError } from '../errors.js'
import type { Answers, Query, Site } from '../sites/site.js'
import type { Entry } from '../system/folders/entries.js'
import type { DealtGpus } from './gpus.js'
import type { OnTerminal, SingleJob, SingleJobParts } from './outside-runs.js'
import type { TemplateDialect } from './template-dialect.js'

/** The groups of one submission, by position among those of the attempt. */
type GroupSpan = Pick<Submission, 'first' | 'count'>

/** A submission, as it is recorded before its command is run. */
export interface PlannedSubmission extends GroupSpan {
  /** How many groups each of its jobs has, if there are several in a job; the last job has what is left. */
  readonly pack?: number
  /** The numbers of the jobs that are submitted again; missing for all, for the first time. */
  readonly jobs?: readonly number[]
}

/** One command that submits some of the groups to a scheduler, as words. */
export interface PreparedSubmission extends PlannedSubmission {
  readonly command: readonly string[]
}

/** Everything that a submission needs, computed without side effects. */
export interface Prepared<Options = unknown> {
  readonly plan: RunPlan
  readonly options: Options
  readonly limits: Limits
  readonly files: readonly Entry[]
  /** Empty for the local runner. */
  readonly submissions: readonly PreparedSubmission[]
}

/** A run as runners know it. */
interface RunIdentity {
  readonly token: string
  readonly runId: number
  readonly place: Place
  readonly groupCount: number
  /** Its job name for schedulers. */
  readonly jobName: string
}

/** What is needed to search for the submissions of an attempt after a crash. */
export interface SubmissionIntent extends RunIdentity {
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /** The groups of the attempt, in ascending order; null for all. */
  readonly indices: readonly number[] | null
}

/** A submission together with its attempt. */
export interface JobHandle extends SubmissionIntent, Submission {}

/** The result of a search for submissions of an attempt whose launcher died. */
interface Found {
  readonly handles: readonly JobHandle[]
  /** False if more may still turn up. */
  readonly final: boolean
}

/** Limits and identity of the scheduler or the host. */
export interface Limits {
  /** Who answers: the name of a cluster, a schedd, a host. */
  readonly identity: string
  /** How many jobs a submission has at most. */
  readonly groupsPerSubmission: number
  /** The longest time for which a job may ask, in seconds; missing or null without a limit. */
  readonly longest?: number | null
  /** Warnings about a launch with the requested template. */
  readonly remarks?: readonly string[]
  /** How GPUs are dealt to groups; missing if the template says nothing of them, or a scheduler deals them. */
  readonly gpus?: DealtGpus
  /** What a namespace admits; missing on machines, and if it does not tell. */
  readonly admission?: Admission
}

/** Jobs of a submission that are submitted again. */
export interface LaterSubmission {
  /** Number of the submission in its attempt, from 0; it is the generation of its jobs. */
  readonly number: number
  /** The numbers of the jobs in the span of the submission. */
  readonly jobs: readonly number[]
  /** The root of the project, as it is at the site. */
  readonly projectRoot: string
}

/** A run whose state is needed. */
export interface PolledRun extends RunIdentity, GroupsOfRun {
  readonly handles: readonly JobHandle[]
  /** Numbers of the attempts that may still get more submissions. */
  readonly partial: ReadonlySet<number>
  /** Numbers of the attempts of another project, with its root: see `foreignRoot`. They have no handles here. */
  readonly foreign: ReadonlyMap<number, string>
  /** The last attempt of a group. */
  attemptOf(index: number): number
  isCancelled(attempt: number): boolean
  /** When the runner last answered about it, in milliseconds since the epoch. */
  readonly asOf: number
  /** Where the last refresh stopped reading the run's files: {@link News.cursor} of that refresh, null for the first. */
  readonly cursor: unknown
}

/** What is new in the files of a run since its cursor; each runner has its own type. */
export interface News {
  /** Where the next refresh begins, as JSON. */
  readonly cursor: unknown
}

/** A run with the news in its files. */
export interface RunWithNews<RunNews extends News = News> {
  readonly run: PolledRun
  readonly news: RunNews
}

/** Explanations of a group's state from sources outside the store. */
export interface Explanation {
  readonly witnesses: readonly Witness[]
  /** The scheduler's command that releases a held group; null if there is none. */
  readonly release: string | null
}

/** One source (the scheduler, the exit record) and what it says about a group, in words. */
export interface Witness {
  readonly name: string
  readonly text: string
}

/** A log file about groups. */
export interface LogFile {
  readonly title: string
  /** Absolute. */
  readonly path: string
  /** Which entries to show, if it also has entries of other groups. */
  readonly only?: { readonly pattern: RegExp /** The separator after each entry. */; readonly end: string }
}

/** What a kind of runner is like, as far as the rest of the program has to know it. */
type RunnerTrait =
  /** Its answers lag: they may miss jobs that are new or have just ended, and it takes a moment to end jobs. */
  | 'lags'
  /** All commands together poll it at most once in an interval, for all runs at once. */
  | 'polledRarely'
  /** A launch waits for the run unless it is told not to, and Ctrl-C cancels a run that is waited for. */
  | 'foreground'
  /** Qanat starts the groups itself, in slots: one at a time unless more are asked for, and none while starts are held. */
  | 'dealsSlots'
  /** A scheduler decides when and on which hosts groups run. Without one they run on the machine of the site. */
  | 'hasScheduler'
  /** A job that has ended can be requeued by hand. */
  | 'requeuesEnded'
  /** A submission can wait until others have ended: see `jobsAhead` of a plan. */
  | 'waitsForJobs'
  /** It needs a site that is a namespace of a cluster. */
  | 'needsNamespace'

/** A kind of runner, without state. To add one is to add a folder here and a line to the registry. */
export interface RunnerKind<Options = unknown> {
  readonly name: string
  readonly traits: ReadonlySet<RunnerTrait>
  /** Programs that a launch looks for at its site. */
  readonly programs: readonly string[]
  /** What prints the version of its scheduler; missing if it has none. */
  readonly version?: readonly string[]
  /** What to write into a template so that jobs have the PATH of whoever submits them, if they have not anyway. */
  readonly pathSetting?: string
  /** Limits for a dry run if the scheduler is missing. */
  readonly usualLimits: Limits
  /** How it parses submit templates. */
  readonly template: TemplateDialect<Options>
  /** The runner of a site. */
  at(site: Site): Runner<Options>
}

/** The members of a plan that tell in which environment its groups run. */
export type DescribedPlan = Pick<
  RunPlan,
  'container' | 'environment' | 'executable' | 'executableCommand' | 'projectRoot'
>

/** What can be known of an environment without running a group in it. */
interface EnvironmentNow {
  readonly environment: Environment
  /** The kinds of facts that it tells. */
  readonly kinds: readonly FactKind[]
}

/** Which shell is wanted on a terminal. */
export interface Seat {
  /** The group whose environment it has. */
  readonly index: number
  /** Host of the terminal. */
  readonly host: string
  /** What the group would run, as a line of a shell. */
  readonly command: string
  /** Id of a job that runs: then the shell runs beside it. */
  readonly inside: string | null
}

/** Where groups execute: a kind of runner at a site. */
export interface Runner<Options = unknown> {
  readonly kind: RunnerKind<Options>
  readonly site: Site
  /**
   * Checks that groups can be executed from here, before anything is made.
   * @param options null for a check without a template
   * @throws QanatError if they cannot
   */
  probe(environment: JobEnvironment, options: Options | null): Promise<Limits>
  /** Prepares a shell in the environment of a group, on a node that a job of the template gets; pure. Missing if there are never any. */
  onTerminal?(plan: RunPlan, seat: Seat, options: Options): OnTerminal
  /** Why there are none; null, or missing, where there are. @param jobId of the job of a group that runs; null for a shell on any node */
  refuseShell?(jobId: string | null): UserError | null
  /** A job of the template that runs a script; pure. Missing if no scheduler decides. */
  singleJob?(parts: SingleJobParts, options: Options): SingleJob
  /**
   * What can be known of the environment in which groups would run now; only where that is this machine.
   * @param places the file that says where the packages of an earlier run were, which counts where a command does not tell
   */
  environmentNow?(plan: DescribedPlan, places: string): Promise<EnvironmentNow>
  /** Pure: the files to write and the commands to run. */
  prepare(plan: RunPlan, options: Options, limits: Limits): Prepared<Options>
  /**
   * Starts the groups. The caller stores each handle as soon as it is yielded.
   * @param warn called with warnings of the scheduler
   * @throws SchedulerError with the scheduler's message if it refuses
   */
  submit(prepared: Prepared<Options>, warn: (message: string) => void): AsyncIterable<JobHandle>
  /**
   * Submits jobs of many groups again that had not reached all of them.
   * @throws SchedulerError with the scheduler's message if it refuses
   */
  submitLater?(handle: JobHandle, later: LaterSubmission, warn: (message: string) => void): Promise<JobHandle>
  /**
   * Searches for what was really submitted, after the launch crashed or got no answer.
   * @param grace milliseconds after which a submission that has not turned up does not exist
   * @throws QanatError if that cannot be found out now
   */
  find(intent: SubmissionIntent, grace: number): Promise<Found>
  /** Pure: the queries before the files of the runs are read. */
  queries(runs: readonly PolledRun[]): readonly Query[]
  /** Reads what is new in the files of a run. @throws Error if its folder cannot be read */
  news(run: PolledRun): News
  /** Pure: further queries after the files have been read. */
  furtherQueries(polled: readonly RunWithNews[], answers: Answers): readonly Query[]
  /** Pure: the evidence from files and answers for each run, by the token of the run. */
  read(polled: readonly RunWithNews[], answers: Answers): ReadonlyMap<string, Evidence>
  /**
   * Cancels the live groups of these handles, and no other jobs to which a scheduler has given their ids again.
   * @param now kills the groups without giving them time to end
   * @param agreed called with the handles whose cancellation was accepted
   */
  cancel(handles: readonly JobHandle[], now: boolean, agreed: (handles: readonly JobHandle[]) => void): Promise<void>
  /**
   * The host where groups of these handles live, if their state cannot be known from this site; null if there is none.
   * @throws OperationError if the site does not tell
   */
  hostElsewhere?(handles: readonly JobHandle[]): Promise<string | null>
  /** Changes how many slots there are for the groups of these handles; only where Qanat deals them. */
  setSlots?(handles: readonly JobHandle[], slots: number): Promise<void>
  /**
   * The scheduler's command that lets so many groups of these handles run at a time, or no other group start; null if it has none.
   * Only where a scheduler deals them.
   */
  slotsCommand?(handles: readonly JobHandle[], slots: number): string | null
  /**
   * Starts again what deals the groups of a handle, if all processes of it have died; only where Qanat deals them. The caller stores
   * the new handle as soon as it is yielded; none is if a process lives, or may live.
   * @param environment of the attempt
   * @param waiting indices of the groups that have not begun
   * @param slots how many slots were asked for
   */
  resume?(
    handle: JobHandle,
    environment: JobEnvironment,
    waiting: ReadonlySet<number>,
    slots: number,
  ): AsyncIterable<JobHandle>
  /** Removes what a scheduler keeps of jobs that are over, once all of it is recorded; missing if it forgets them by itself. */
  forget?(handles: readonly JobHandle[]): Promise<void>
  /** Waits for `milliseconds`, or until it notices the end of a handle, or until `stop` is aborted. */
  waitForChange(handle: JobHandle | null, milliseconds: number, stop: AbortSignal): Promise<void>
  /** Their names for the user, as in `Slurm job 4651 (array 0-999)`; empty for local runs. */
  describe(handles: readonly JobHandle[]): string
  /** Explains the state of one group, from sources outside the store. @param index of the group */
  explain(handles: readonly JobHandle[], index: number): Promise<Explanation>
  /** The scripts that the scheduler was given, if they tell the user something. */
  scripts?(handles: readonly JobHandle[]): readonly LogFile[]
  /**
   * The runner's own logs of a run, by absolute paths; those of groups that have not started do not exist yet.
   * @param group index of a single group, if the logs can be split by group; null for all
   */
  logFiles(handles: readonly JobHandle[], group: number | null): readonly LogFile[]
}
