import type { JobEnvironment } from '../domain/job-environment.js'
import type { GroupReport } from '../domain/run.js'
import type { RunPlan } from '../domain/run-plan.js'

/** A file to write at launch; the text may come in pieces, since plans can be large. */
interface PreparedFile {
  /** Relative to the run's folder. */
  readonly path: string
  readonly text: Iterable<string>
  readonly executable?: boolean
}

/** Everything that a submission needs, made without touching the outside world. */
export interface Prepared {
  readonly plan: RunPlan
  readonly files: readonly PreparedFile[]
  /** The command that submits, word for word; null where nothing is submitted to another program. */
  readonly submitCommand: readonly string[] | null
}

/** What is needed to look for a run's submission after a crash. */
export interface SubmissionIntent {
  readonly token: string
  /** Absolute folder of the run. */
  readonly storagePath: string
  readonly groupCount: number
}

/** One submission: a supervisor, a job array, a cluster of jobs. Stored as JSON as soon as it exists. */
export interface JobHandle extends SubmissionIntent {
  /** What the user knows it by: a process or job id. */
  readonly id: string
  /** The runner's own. */
  readonly data: Readonly<Record<string, string | number>>
}

/** Where groups execute. Adding one is a folder here and a line in the registry. */
export interface Runner<Options = unknown> {
  readonly name: string
  /**
   * Reads the keys of a template that are not the same for every runner.
   * @throws UserError naming the key that is wrong
   */
  parseOptions(keys: Readonly<Record<string, unknown>>): Options
  /**
   * Makes sure that groups can be executed from here, before anything is made.
   * @throws QanatError where they cannot
   */
  probe(environment: JobEnvironment): Promise<void>
  /** Pure: the files to write and the command to run. */
  prepare(plan: RunPlan, options: Options): Prepared
  /** Starts the groups. Each handle is to be stored as soon as it comes. */
  submit(prepared: Prepared): AsyncIterable<JobHandle>
  /** After a crash of the launch: what was really submitted? */
  find(intent: SubmissionIntent): Promise<readonly JobHandle[]>
  /**
   * Asks for all handles at once.
   * @returns reports by token; a token that is missing got no answer, which changes nothing
   */
  poll(handles: readonly JobHandle[]): Promise<ReadonlyMap<string, readonly GroupReport[]>>
  /** Ends whatever lives of them. `now`: without leaving the groups time to end by themselves. */
  cancel(handles: readonly JobHandle[], now?: boolean): Promise<void>
  /** Resolves early when the end of a handle is noticed, at the latest after `milliseconds`. */
  settle(handle: JobHandle | null, milliseconds: number): Promise<void>
}
