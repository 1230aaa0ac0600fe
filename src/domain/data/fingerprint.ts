/**
 * How much of a dataset is looked at when a run is launched: paths, sizes and times of its files (`stat`), some blocks of
 * each file besides (`sample`), all of each file (`content`), or nothing (`off`).
 */
export const levels = ['stat', 'sample', 'content', 'off'] as const
export type Level = (typeof levels)[number]

/** What a dataset may say of its level: one, or `auto`, which is `content` for small data and `stat` for others. */
export const settings = ['auto', ...levels] as const
export type Setting = (typeof settings)[number]

/** What holds for a dataset that says nothing about it. */
export const usualSetting: Setting = 'auto'

/** With `auto`, the contents of at most so many files, and of so many bytes in all, are read. */
const most = { files: 1_000, bytes: 64 * 1024 * 1024 }

/** The level that a setting means for data. @param read sizes of the files that git does not track, in bytes; null if some were not found */
export function levelFor(setting: Setting, read: readonly number[] | null): Level {
  if (setting !== 'auto') return setting
  const isSmall = read !== null && read.length <= most.files && read.reduce((sum, size) => sum + size, 0) <= most.bytes
  return isSmall ? 'content' : 'stat'
}

/** A file of a dataset. */
export interface DataFile {
  /** Relative to the dataset; `.` for a dataset that is a file itself. */
  readonly path: string
  /** In bytes. */
  readonly size: number
  /** Modification time in milliseconds since the epoch; null for a file that git tracks, since git does not keep it. */
  readonly mtime: number | null
  /** Its hash after the name of its kind, as in `sha256:…`, `sample:…`, `git:…`; null if it was not computed. */
  readonly hash: string | null
}

/** The files of a dataset at some time. */
export interface DataListing {
  /** Sorted by path. */
  readonly files: readonly DataFile[]
  /** Paths that could not be read, and those of what is no file and no folder. */
  readonly skipped: readonly string[]
  /** Why files are missing; null if none is. */
  readonly partial: string | null
  /** Of what a run has left: the end of the run, in milliseconds since the epoch; null if it is not known. */
  readonly end?: number | null
}

/** What a run records of a dataset; its files are listed apart. */
export interface Fingerprint {
  readonly name: string
  readonly level: Level
  /** Whether that was chosen by the size of the data, as the setting `auto` does; without it, the dataset says it. */
  readonly auto?: true
  /** When it was computed, in milliseconds since the epoch. */
  readonly taken: number
  readonly files: number
  /** How many of them git tracks. */
  readonly tracked: number
  readonly bytes: number
  /** Why files or hashes of files are missing; null if none is. */
  readonly partial: string | null
  /** A hash of paths, sizes and hashes: equal for equal data, whatever the times of the files. Null at level `off`. */
  readonly digest: string | null
  /** The name of the listing of its files; null at level `off`. */
  readonly listing: string | null
  /** Sentences on how it changed after the launch, as far as groups may have read other data; without any, they are missing. */
  readonly notes?: readonly string[]
}

/** What the dataset said of its level when this was recorded: it decides again when the data are compared. */
export function settingOf({ level, auto }: Pick<Fingerprint, 'level' | 'auto'>): Setting {
  return auto ? 'auto' : level
}
