/** A file as it was found. */
export interface FoundFile {
  /** Relative to the project where it lies inside. */
  readonly path: string
  /** In bytes. */
  readonly size: number
  /** Of its content, `sha256:…`; null if it was too large to be read at once. */
  readonly digest: string | null
}

/** A file that an action has made, changed or removed. Of a removed one, the size is what it had before. */
export interface MadeFile extends FoundFile {
  readonly change: 'made' | 'changed' | 'removed'
}

/** What an action had to work with: the files of its runs when it began. */
export interface ActionInputs {
  readonly files: number
  readonly bytes: number
  /** The first of them. */
  readonly listed: readonly FoundFile[]
  /** False if there were too many files, or too slow a file system, to count all of them. */
  readonly complete: boolean
}

/** A script that made files outside of a run. */
interface RecordedScript {
  /** Relative to the project where it lies inside. */
  readonly path: string
  /** The last commit that changed it; null if no commit contains it. */
  readonly commit: string | null
  /** Name of the file beside the record with its uncommitted changes; null if there were none. */
  readonly patch: string | null
  /** Digest of its content; null for a folder. */
  readonly content: string | null
}

/** The project as an action found it: its script may have imported or read any file there. */
export interface ActionTree {
  /** The commit that was checked out. */
  readonly commit: string
  /** How many files that may matter had uncommitted changes or were in no commit, besides the script itself. */
  readonly changed: number
  /** The first of them, relative to the project. */
  readonly files: readonly string[]
  /** Hash of all files that may matter, with their uncommitted changes; null if these were too large. */
  readonly code: string | null
}

/** `with uncommitted changes of 2 other files (a.py, b.py)`; null without any. */
export function othersChanged(tree: ActionTree | null): string | null {
  if (tree === null || tree.changed === 0) return null
  const { changed, files } = tree
  const more = changed > files.length ? ', …' : ''
  return `with uncommitted changes of ${changed} other file${changed === 1 ? '' : 's'} (${files.join(', ')}${more})`
}

/** A run that an action worked on. */
export interface ActionTarget {
  readonly id: number
  /** Distinguishes the run from one with the same id in another project. */
  readonly token: string
  /** The indexes of its groups; null for the run as a whole. */
  readonly groups: readonly number[] | null
}

/** What is recorded of one call of an action: before it starts, and again when it has ended. */
export interface ActionRecord {
  readonly format: 1
  readonly id: string
  readonly action: string
  readonly experiment: string
  readonly runs: readonly ActionTarget[]
  /** The document that needed it; null if it was typed. */
  readonly document: string | null
  readonly command: readonly string[]
  readonly script: RecordedScript
  /** Null where git could not tell. */
  readonly tree: ActionTree | null
  readonly user: string
  readonly host: string
  /** Identifies the process of Qanat that has called it; its members are opaque here. */
  readonly process: unknown
  /** Milliseconds since the epoch. */
  readonly started: number
  /** Null until it has ended, and for ever if Qanat was killed before that. */
  readonly finished: number | null
  readonly exitCode: number | null
  readonly inputs: ActionInputs
  readonly made: readonly MadeFile[]
  /** False until it has ended, and if not all folders could be compared before and after. */
  readonly complete: boolean
  /** True if groups of the run, or another action, worked there at the same time: files may be theirs. */
  readonly shared: boolean
}

/** `interrupted`: by Ctrl-C, or its end was not recorded, and Qanat is gone. `unknown`: this cannot be seen from here. */
export type ActionState = 'running' | 'finished' | 'failed' | 'interrupted' | 'unknown'

/** An action with its state. */
export interface ListedAction extends ActionRecord {
  readonly state: ActionState
}

/** @param lives whether the process that called it lives; asked only if its end is not recorded */
export function stateOfAction(
  { finished, exitCode }: ActionRecord,
  lives: () => 'lives' | 'dead' | 'unknown',
): ActionState {
  if (finished !== null) return exitCode === null ? 'interrupted' : exitCode === 0 ? 'finished' : 'failed'
  return ({ lives: 'running', dead: 'interrupted', unknown: 'unknown' } as const)[lives()]
}
