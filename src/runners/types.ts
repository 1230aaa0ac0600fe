import type { JobEnvironment } from '../domain/job-environment.js'
import type { Evidence } from '../domain/runs/judge-run.js'
import type { Submission } from '../domain/runs/launch.js'
import type { GroupReport } from '../domain/runs/run.js'
import type { RunPlan } from '../domain/runs/run-plan.js'
import type { Answers, Query, Site } from '../sites/site.js'
import type { TemplateDialect } from './template-dialect.js'

/** A file to write at launch; the text may come in pieces, since plans can be large. */
export interface PreparedFile {
  /** Relative to the run's folder. */
  readonly path: string
  readonly text: Iterable<string>
  /** `private`: it may hold secrets. */
  readonly access?: 'executable' | 'private'
}

/** The groups of one submission, by their place among those of the attempt. */
export type GroupSpan = Pick<Submission, 'first' | 'count'>

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

/** What is needed to look for the submissions of an attempt after a crash. */
export interface SubmissionIntent extends RunIdentity {
  /** Which launch of the run it is, from 1. */
  readonly attempt: number
  /** The groups that it is of, in ascending order; null for all. */
  readonly indices: readonly number[] | null
}

/** A submission together with the attempt that it belongs to. */
export interface JobHandle extends SubmissionIntent, Submission {}

/** What a search for the submissions of an attempt whose launcher died has found. */
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
  /** What a launch with the template that was asked for is warned of, in words. */
  readonly remarks?: readonly string[]
}

/** A run to ask for. */
export interface AskedRun extends RunIdentity {
  readonly handles: readonly JobHandle[]
  /** Numbers of the attempts whose launcher may still submit more. */
  readonly partial: ReadonlySet<number>
  /** The attempt that a group was launched in last. */
  attemptOf(index: number): number
  /** The groups that may still change and are more than pending, as they are stored. */
  readonly open: ReadonlyMap<number, GroupReport>
  readonly settled: { has(index: number): boolean }
  /** When the runner last answered about it, in milliseconds since the epoch. */
  readonly asOf: number
  /** Where the last look at the run's files ended: {@link News.cursor} of that look, null for the first. */
  readonly cursor: unknown
}

/** What is new in the files of a run since its cursor; each runner has its own kind. */
export interface News {
  /** Where the next look begins, as JSON can hold it. */
  readonly cursor: unknown
}

/** A run with what its files say. */
export interface LookedAt<RunNews extends News = News> {
  readonly run: AskedRun
  readonly news: RunNews
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

/** A file with something to read about groups. */
export interface LogFile {
  readonly title: string
  /** Absolute. */
  readonly path: string
  /** The entries that are wanted, where it has those of other groups, too. */
  readonly only?: { readonly pattern: RegExp /** What stands behind each entry. */; readonly end: string }
}

/** A kind of runner, without state. To add one is to add a folder here and a line to the registry. */
export interface RunnerKind<Options = unknown> {
  readonly name: string
  /**
   * `queue`: runs live in the queue of a scheduler, which is asked rarely and for all runs at once, and whose evidence may lag.
   * `processes`: runs are processes of the site; the launch waits for them, and Ctrl-C cancels them.
   */
  readonly evidence: 'queue' | 'processes'
  /** Whether a job that has ended can be put back into the queue by hand. */
  readonly requeuesEnded?: true
  /** Taken for a dry run where the scheduler is not there. */
  readonly usualLimits: Limits
  /** How it reads its submit templates. */
  readonly template: TemplateDialect<Options>
  /** The runner of a site. */
  at(site: Site): Runner<Options>
}

/** Where groups execute: a kind of runner at a site. */
export interface Runner<Options = unknown> {
  readonly kind: RunnerKind<Options>
  /**
   * Makes sure that groups can be executed from here, before anything is made.
   * @param options null where no template is meant
   * @throws QanatError where they cannot
   */
  probe(environment: JobEnvironment, options: Options | null): Promise<Limits>
  /** Starts what takes its time to start, while a launch is still being prepared. */
  getReady?(): void
  /** Pure: the files to write and the commands to run. */
  prepare(plan: RunPlan, options: Options, limits: Limits): Prepared<Options>
  /**
   * Starts the groups. Each handle is to be stored as soon as it comes.
   * @param warn called with what the scheduler remarks
   * @throws SchedulerError with the scheduler's own words where it refuses
   */
  submit(prepared: Prepared<Options>, warn: (message: string) => void): AsyncIterable<JobHandle>
  /**
   * After a crash or a silence of the launch: what was really submitted?
   * @param grace milliseconds after which what does not turn up was not submitted
   * @throws QanatError where that cannot be said now
   */
  find(intent: SubmissionIntent, grace: number): Promise<Found>
  /** Pure: what to ask before the files of the runs are read. */
  queries(runs: readonly AskedRun[]): readonly Query[]
  /** Reads what is new in the files of a run. @throws Error where its folder cannot be read */
  news(run: AskedRun): News
  /** Pure: what to ask once the files have been read. */
  furtherQueries(looks: readonly LookedAt[], answers: Answers): readonly Query[]
  /** Pure: what files and answers say of the groups of each run, by the token of the run. */
  read(looks: readonly LookedAt[], answers: Answers): ReadonlyMap<string, Evidence>
  /**
   * Ends whatever lives of them.
   * @param now without leaving the groups time to end by themselves
   * @param agreed called once the end of these handles is certain to come, and not where it is refused
   */
  cancel(handles: readonly JobHandle[], now: boolean, agreed: (handles: readonly JobHandle[]) => void): Promise<void>
  /** Resolves early when the end of a handle is noticed or `stop` is aborted, at the latest after `milliseconds`. */
  settle(handle: JobHandle | null, milliseconds: number, stop: AbortSignal): Promise<void>
  /** What the user knows them by, as in `Slurm job 4651 (array 0-999)`; empty where nobody else has them. */
  describe(handles: readonly JobHandle[]): string
  /** What is known of one group outside of the store, in words. @param index of the group */
  explain(handles: readonly JobHandle[], index: number): Promise<Explanation>
  /**
   * Its own logs of a run, by absolute paths; those of groups that have not started are not there yet.
   * @param group index of the only group that is wanted, where it can be told apart; null for all
   */
  logFiles(handles: readonly JobHandle[], group: number | null): readonly LogFile[]
}
