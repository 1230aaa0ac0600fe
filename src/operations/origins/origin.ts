import type { ListedAction } from '../../domain/action-record.js'
import type { RunSource } from '../../domain/made-from.js'
import type { Run } from '../../domain/runs/run.js'
import type { CompileNote } from '../../project/documents/compile-note.js'
import type { ReadRun } from '../data/read-runs.js'

/** A run whose files another run has read as a dataset. */
export interface ReadOrigin extends ReadRun {
  /** The id of the run that has read them. */
  readonly reader: number
  readonly source: RunSource
}

/** What may have made a file. */
export interface Origin {
  /** `group`: it is in the folder of a run. `plot`, `report`: it says so itself. `compilation`: the compile script of a document wrote it. */
  readonly kind: 'group' | 'action' | 'export' | 'compilation' | 'plot' | 'report'
  /** Null if the run is not in this project, or was deleted for good. */
  readonly run: Run | null
  /** Null for a file of the whole run, or of several groups. */
  readonly group: number | null
  readonly isTrashed: boolean
  /** The code, the data and the environments of the run; of one that is not in this project, what the file says itself. */
  readonly source: RunSource | null
  /** The earlier runs whose files it has read as datasets, and those that these have read, the nearest first. */
  readonly read: readonly ReadOrigin[]
  /** Where that made it, relative to the project where it lies inside; null if only the file itself is known. */
  readonly path: string | null
  /** The action that made it; null without one. */
  readonly action: ListedAction | null
  /** The document that it was exported to, or that was compiled; null for another origin. */
  readonly document: string | null
  /** The command that made a plot, a report or a compiled document; null for another origin. */
  readonly command: readonly string[] | null
  /** The compilation that wrote it; null for another origin. */
  readonly compilation: CompileNote | null
  /** What has changed since of its code, its data and its script, a sentence each; null if that was not looked up. */
  readonly changed: readonly string[] | null
  /** Why this is not to be trusted as it is; null if it is what the content proves. */
  readonly doubt: string | null
}

/** All that a search found, the surest first. */
export interface Origins {
  /** As it was typed. */
  readonly file: string
  /** In bytes. */
  readonly size: number
  readonly digest: string
  readonly origins: readonly Origin[]
  /** Which groups of the runs have read other data than their run has recorded, and which data may have changed since; a sentence each. */
  readonly notes: readonly string[]
  /** How many files of runs were looked at. */
  readonly files: number
  /** False if the search was stopped before it had looked at all of them. */
  readonly complete: boolean
}
