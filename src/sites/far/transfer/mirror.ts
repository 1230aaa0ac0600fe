import { createHash } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { statsOf } from '../../../system/files.js'
import type { Listed } from './listing.js'

/** The mirror of a run on this machine, which files of it come into. Whoever reads one meanwhile sees its former or its new text. */
export class Mirror {
  /** What has come, by path. */
  readonly came = new Set<string>()
  /** Where files of an archive are unpacked. */
  readonly archive: string
  private readonly staging: string

  /** @param here the folder of the run on this machine, absolute */
  constructor(private readonly here: string) {
    this.staging = join(here, '.run/fetching')
    this.archive = join(this.staging, 'archive')
    mkdirSync(this.archive, { recursive: true })
  }

  /** Whether a file is here as it is there. */
  has(file: Listed): boolean {
    return isLike(join(this.here, file.path), file)
  }

  /** Moves files of an archive to their places, unless they came only in part. */
  takeWhole(files: readonly Listed[]): void {
    this.take(files.filter(file => isLike(join(this.archive, file.path), file)))
  }

  /** Moves those files of an archive that are there to their places. */
  take(files: readonly Listed[]): void {
    for (const { path } of files)
      if (statsOf(join(this.archive, path), lstatSync)) this.moveIn(join(this.archive, path), path)
  }

  /** Where the part of a large file is that has come. Another version of the file has another one; what is left of that is removed. */
  partOf({ path, size, time }: Listed): string {
    const name = `${createHash('sha256').update(path).digest('hex')}.`
    const own = `${name}${size}.${time}`
    for (const each of readdirSync(this.staging))
      if (each.startsWith(name) && each !== own) rmSync(join(this.staging, each))
    return join(this.staging, own)
  }

  /** Gives a large file that has come its time and its place. */
  finish(file: Listed): void {
    const part = this.partOf(file)
    utimesSync(part, file.time, file.time)
    this.moveIn(part, file.path)
  }

  /** Makes a link, unless it is there. */
  link(path: string, target: string): void {
    const made = join(this.archive, path)
    mkdirSync(dirname(made), { recursive: true })
    rmSync(made, { force: true })
    symlinkSync(target, made)
    this.moveIn(made, path)
  }

  /** Removes what is needed no more. The parts of large files that have not come whole stay. */
  cleanUp(): void {
    rmSync(this.archive, { recursive: true, force: true })
    if (readdirSync(this.staging).length === 0) rmdirSync(this.staging)
  }

  /** A folder that is in the place of a file stays. */
  private moveIn(from: string, path: string): void {
    const target = join(this.here, path)
    try {
      mkdirSync(dirname(target), { recursive: true })
      renameSync(from, target)
      this.came.add(path)
    } catch (error) {
      if (!['EISDIR', 'ENOTDIR', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
}

/** Files that this program has put there have other times than here. */
const own = /^(\.run\/(?!attempts\/|left_behind\/)|info\.yaml$)/

function isLike(place: string, { path, size, time, link }: Listed): boolean {
  const stats = statsOf(place, lstatSync)
  if (link !== null) return stats?.isSymbolicLink() === true && readlinkSync(place) === link
  if (!stats?.isFile() || stats.size !== size) return false
  return own.test(path) || Math.floor(stats.mtimeMs / 1000) === time
}
