import type { PodVolume } from '../domain/pods/manifest.js'
import type { TerminalPod } from '../domain/pods/terminal.js'
import type { Place } from '../domain/runs/run-plan.js'
import type { Change } from '../system/folders/changes.js'
import type { Entry } from '../system/folders/entries.js'
import type { BegunProcess, Life, Machine, ProcessIdentity } from '../system/process-identity.js'
import type { ProgramOptions, ProgramResult } from '../system/programs.js'

/** A query to a site. Its answer has the same key. */
export type Query = ProgramQuery | ProcessQuery

/** Runs a program that changes nothing, such as squeue. */
export interface ProgramQuery {
  readonly key: string
  readonly command: readonly string[]
  readonly options: ProgramOptions
}

/** Asks whether a process lives. */
export interface ProcessQuery {
  readonly key: string
  readonly process: ProcessIdentity | BegunProcess
}

/** The result of a program, or whether a process lives, by the key of the query. */
export type Answers = ReadonlyMap<string, ProgramResult | Life>

/** What a site that does not answer says to queries. */
export function silence(queries: readonly Query[]): Answers {
  const nothing: ProgramResult = { stdout: '', stderr: '', exitCode: null, ending: 'timeout' }
  return new Map(queries.map(query => [query.key, 'process' in query ? 'unknown' : nothing]))
}

/** The result of a program query; null if there was no such query. */
export function programAnswer(answers: Answers, key: string): ProgramResult | null {
  const answer = answers.get(key)
  return answer === undefined || typeof answer === 'string' ? null : answer
}

/** A background program, connected to the program that started it by pipes until either side closes them. */
export interface Started {
  /** Null if it could not be started. */
  readonly identity: ProcessIdentity | null
  /** Writes to its standard input and closes it. */
  tell(text: string): void
  /** Its first output, or how it ended without any. */
  readonly answer: Promise<{ readonly text: string } | { readonly failure: string }>
  /** Resolves when it has ended. */
  readonly end: Promise<unknown>
  /** Disconnects from it, and lets it run. */
  leave(): void
}

/** What is known of a site. It costs nothing to have what nobody reads. */
export interface SiteFacts {
  readonly machine: Machine
  /** Name of the user who runs programs there. */
  readonly user: string
  /** The environment that programs have there without any change. */
  readonly variables: Readonly<NodeJS.ProcessEnv>
  /** Those of the requested programs that are in the PATH there, or exist at their absolute path. */
  readonly programs: ReadonlySet<string>
}

/** What is kept of a program in the folder of a run. Paths are relative to it. */
export interface Kept {
  readonly place: Place
  /** Made before the program starts, first in the mirror: a later command learns from it that the program was to start. */
  readonly before: { readonly changes: readonly Change[]; readonly entries: readonly Entry[] }
  /** Files for its output, which are complete even if this program dies. */
  readonly output: readonly [stdout: string, stderr: string]
}

/** A file in the folder of a run there. */
export interface FileThere {
  /** Relative to the folder of the run. */
  readonly path: string
  /** In bytes. */
  readonly size: number
}

/** What is fetched of the folder of a run. */
export interface FetchWish {
  /** The folder in it that is looked through, relative to it; empty for all. */
  readonly folder: string
  wants(file: FileThere): boolean
  /** @param done of how many bytes in all have come */
  progress(done: number, total: number): void
}

/** What has come of the folder of a run. What was here already is in none of these. */
export interface Fetched {
  readonly came: readonly FileThere[]
  /** Files that are not here, or not as they are there. */
  readonly stayed: readonly FileThere[]
  /** Links that lead out of the folder of the run, relative to it: they are not followed. */
  readonly outside: readonly string[]
}

/** A file of this machine. */
export interface FileHere extends FileThere {
  /** When it was changed, in whole seconds. */
  readonly time: number
}

/** What is sent into a folder of another machine. */
export interface PushRequest {
  /** The folder around the files, absolute. */
  readonly top: string
  /** With paths relative to it; of a link, what it leads to is sent. */
  readonly files: readonly FileHere[]
  /** @param done of how many bytes in all were sent */
  progress(done: number, total: number): void
}

/** What was sent: the others were there already. */
export interface Pushed {
  readonly sent: readonly FileThere[]
}

/** A namespace of a Kubernetes cluster, with a volume that its pods can write. */
export interface Namespace {
  /** What people call it. */
  readonly title: string
  /** The words with which kubectl is called for it; each site runs them on this machine. */
  readonly kubectl: readonly string[]
  readonly volume: PodVolume
  /** The user that pods run as; null: as the namespace or the image says. */
  readonly user: number | null
  /** Secrets that were put into folders there, by their absolute paths: they go to pods as objects of the cluster, and into no file. */
  readonly secrets: Map<string, string>
}

/** How a program is run on the terminal of this command. */
export interface TerminalUse {
  /** Where, if the site is a namespace. */
  readonly pod: TerminalPod | null
  /** Aborted once nobody waits for that pod any longer. */
  readonly interruption: AbortSignal
  /** Aborted with a signal, which is passed on to the program. */
  readonly ending: AbortSignal
  /** Called with the reason as long as that pod does not begin, then with null. */
  waits(reason: string | null): void
}

/** A place where runs live. Every call is asynchronous, and a refresh of all its runs is one visit. */
export interface Site {
  readonly name: string
  /** Whether it is this machine. */
  readonly isHere: boolean
  /** The namespace of a Kubernetes cluster that it is; null for a machine. */
  readonly namespace: Namespace | null
  /** It is visited at most once in this many seconds; null: as the settings say. */
  readonly pollInterval: number | null
  /** Asks for facts that do not change while this program runs: a site that is far away asks once. */
  probe(programs?: readonly string[]): Promise<SiteFacts>
  /** Where a path of this machine is there. */
  there(path: string): string
  /** Where finished groups of the run with that folder are copied to there; null if they are not. @param path absolute, of this machine */
  stored(path: string): string | null
  /**
   * Writes files into a folder there, then into its mirror, but for secrets.
   * @returns the paths of private and secret ones that others can read there all the same
   */
  put(place: Place, entries: Iterable<Entry>): Promise<readonly string[]>
  /** Makes changes in a folder there, then in its mirror. @throws Error with the code of the file system at the first that fails */
  mutate(place: Place, changes: readonly Change[]): Promise<void>
  /** How long to wait for a visit, in milliseconds; longer than the programs that it runs may take. */
  readonly patience: number
  /**
   * Sends all queries at once, then fetches what is new in the folders of runs. A query without an answer does not affect the
   * others.
   * @param ending nobody waits for the answers any more once it is aborted
   */
  visit(queries: readonly Query[], places: readonly Place[], ending?: AbortSignal): Promise<Answers>
  /**
   * Fetches files of the folder of a run, or of the place where it was copied to, whatever their size. What an earlier call has fetched whole does not come again, and a
   * large file goes on where an earlier call was cut.
   * @throws SchedulerError if the connection is lost; OperationError if the folder is gone
   */
  fetch(place: Place, wish: FetchWish): Promise<Fetched>
  /**
   * Makes a folder of ours there have these files, and no others, at once: whoever reads it meanwhile finds the former ones. What an
   * earlier call has sent does not go again, and a large file goes on where an earlier call was cut.
   * @param folder absolute, in the project of this machine
   * @throws SchedulerError if the connection is lost; OperationError if the files cannot be written there
   */
  push(folder: string, request: PushRequest): Promise<Pushed>
  /** Runs a program to its end. @param kept what is kept of it in the folder of a run */
  run(command: readonly string[], options: ProgramOptions, kept?: Kept): Promise<ProgramResult>
  /**
   * Runs a shell script that is there on the terminal of this command.
   * @param file absolute path there
   * @returns its exit code; that of ssh or kubectl if the connection was lost
   */
  interactive(file: string, use: TerminalUse): Promise<number>
  /** Removes what {@link interactive} may have left that was killed; missing if that is nothing. @param folder of the shell there */
  leaveTerminal?(folder: string): Promise<void>
  /** Starts a program in a session of its own. */
  start(command: readonly string[]): Promise<Started>
  /** Removes what it has made for visits; missing if that is nothing. Later calls make it anew. */
  leave?(): Promise<void>
}
