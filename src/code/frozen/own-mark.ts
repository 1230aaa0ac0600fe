import { lstatSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { atomicWrite } from '../../system/files.js'
import { readRegular } from '../../system/regular-file.js'
import { openGit } from '../git.js'
import { kindOfIgnored } from './build-signs.js'
import { isInsideCopy } from './ignored-paths.js'

/** What a copy has of its own. Paths are relative to it. */
export interface Owned {
  /** With the state of the tree's that were cloned; null for what began empty. */
  readonly builds: Readonly<Record<string, string | null>>
  /** What the commands under `prepare` have made; null if they have not run. */
  readonly prepared: Prepared | Begun | null
}

/** A preparation that runs, or was interrupted. */
interface Begun {
  /** What was in the copy before, which others have made. */
  readonly before: readonly string[]
}

/** The result of a preparation. */
interface Prepared {
  /** Of the commands and of what they are for. */
  readonly key: string
  /** What they have made, with its state; null if that is too large to be compared. */
  readonly made: Readonly<Record<string, string | null>>
}

/** File beside a copy that names what the copy has of its own. */
export function ownMark(copy: string): string {
  return `${copy}.own`
}

/** What a copy has of its own; nothing if it has no such file, or a damaged one. */
export function readOwned(copy: string): Owned {
  try {
    const read = JSON.parse(readRegular(ownMark(copy)) ?? '{}') as Partial<Owned>
    return { builds: read.builds ?? {}, prepared: read.prepared ?? null }
  } catch (error) {
    if (error instanceof SyntaxError) return { builds: {}, prepared: null }
    throw error
  }
}

/** Notes what a copy has of its own. */
export function writeOwned(copy: string, owned: Owned): void {
  if (Object.keys(owned.builds).length === 0 && owned.prepared === null) rmSync(ownMark(copy), { force: true })
  else atomicWrite(ownMark(copy), `${JSON.stringify(owned)}\n`)
}

/** Tells what a copy has of its own, and what was built in it where git ignores it. */
export function ownIn(copy: string): (path: string, isIgnored: boolean) => boolean {
  const { builds, prepared } = readOwned(copy)
  const isPrepared = (path: string) =>
    prepared !== null && ('before' in prepared ? !prepared.before.includes(path) : path in prepared.made)
  const isBuild = (path: string) => ['build', 'programs'].includes(kindOfIgnored(join(copy, path)))
  return (path, isIgnored) => path in builds || isPrepared(path) || (isIgnored && isBuild(path))
}

/** Removes what a copy has of its own, with what was built in it: the next launch in it begins as in a new one. */
export async function dropOwn(copy: string): Promise<void> {
  const isOwn = ownIn(copy)
  const { builds, prepared } = readOwned(copy)
  const made = prepared !== null && 'made' in prepared ? prepared.made : {}
  const ignored = await untracked(copy, '--ignored')
  const others = await untracked(copy)
  for (const path of new Set([...Object.keys(builds), ...Object.keys(made), ...ignored, ...others]))
    if (isOwn(path, ignored.includes(path))) removeOwn(copy, path)
  rmSync(ownMark(copy), { force: true })
}

/** Removes a path of a copy, unless it is a link, or is reached through one. */
export function removeOwn(copy: string, path: string): void {
  if (!isInsideCopy(copy, path) || lstatSync(join(copy, path), { throwIfNoEntry: false })?.isSymbolicLink()) return
  rmSync(join(copy, path), { recursive: true, force: true })
}

/** What is in a copy besides its code and our links. */
export async function madeInCopy(copy: string): Promise<string[]> {
  const paths = [...(await untracked(copy)), ...(await untracked(copy, '--ignored'))]
  return paths.filter(path => !lstatSync(join(copy, path)).isSymbolicLink())
}

/** What git does not track in a copy; a folder of which it tracks nothing is one entry. */
async function untracked(copy: string, ...options: string[]): Promise<string[]> {
  const git = openGit(copy)
  const listed = await git.run('ls-files', '--others', ...options, '--exclude-standard', '--directory', '-z')
  return listed
    .split('\0')
    .map(path => path.replace(/\/$/, ''))
    .filter(path => path !== '')
}
