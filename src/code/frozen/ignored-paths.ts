import { randomBytes } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { quoteWord } from '../../domain/text/shell-text.js'
import { OperationError } from '../../errors.js'
import { hasLinks, isFolder } from '../../system/files.js'
import { listFiles } from '../../system/folders/listing.js'
import { openGit } from '../git.js'
import type { TreeState } from '../tree-state.js'
import { isEnvironment, type Kind, kindOfIgnored, type Own } from './build-signs.js'

/** Paths of the config that say what the guess gets wrong; relative to the repository's root, without a slash at the end. */
export interface Chosen {
  readonly link: readonly string[]
  readonly own: readonly string[]
  /** Commands that give each copy environments of its own; none: copies have links to those of the tree. */
  readonly prepare: readonly string[]
}

/** The ignored paths of a tree, relative to the repository's root. An ignored folder is one entry, unless its parts differ. */
export interface IgnoredPaths {
  /** A frozen copy has links to these: `data/`, `.venv/`, the results. */
  readonly links: readonly string[]
  /** A frozen copy has these of its own, but for links in them, since builds write into them: `target/`, `build/`, programs. */
  readonly own: ReadonlyMap<string, Own>
}

/** Caches that tools of Python keep by content, and that nobody misses in a copy. */
const toolCache = /(^|\/)(__pycache__|\.(pytest|mypy|ruff)_cache|\.hypothesis)(\/|$)/

/**
 * The ignored paths of a tree: all except our own files and caches of tools.
 * @param resultDir relative to the repository's root, null if it is outside: scripts may build in the folders of runs
 */
export async function ignoredPaths(
  { gitRoot, prefix }: TreeState,
  { link, own, prepare }: Chosen,
  resultDir: string | null,
): Promise<IgnoredPaths> {
  const git = openGit(gitRoot)
  const listed = await git.run('ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z')
  const qanat = join(prefix, '.qanat')
  const [links, owned] = [new Set<string>(), new Map<string, Own>()]
  const known = new Map<string, boolean>()
  const isBuildFolder = (folder: string) => {
    if (!known.has(folder)) known.set(folder, kindOfIgnored(join(gitRoot, folder)) === 'build')
    return known.get(folder)!
  }
  const decide = (path: string): Kind => {
    const named = foldersOf(path).toReversed()
    const choice = named.find(each => link.includes(each) || own.includes(each) || each === resultDir)
    if (choice !== undefined) return own.includes(choice) ? 'build' : 'shared'
    // Git tracks a file of such a folder, such as .gitkeep, so that its entries are listed one by one.
    if (named.slice(1).some(isBuildFolder)) return 'build'
    return kindOfIgnored(join(gitRoot, path))
  }
  /** @param given the kind of the folder around it, if that is known */
  const take = (path: string, given: Kind | null) => {
    if (isWithin(path, qanat) || toolCache.test(path)) return
    if (foldersOf(path).some(folder => links.has(folder) || owned.has(folder))) return
    const kind = given === null || own.includes(path) ? decide(path) : given
    const isInside = (each: string) => each !== path && isWithin(each, path)
    const isDivided = kind === 'mixed' || isInside(qanat) || (kind === 'shared' && own.some(isInside))
    if (isDivided && isFolder(join(gitRoot, path)))
      for (const name of readdirSync(join(gitRoot, path))) take(join(path, name), kind === 'mixed' ? null : kind)
    else if (kind === 'shared' && prepare.length > 0 && !link.includes(path) && isEnvironment(join(gitRoot, path)))
      owned.set(path, 'environment')
    else if (kind === 'shared' || kind === 'mixed') links.add(path)
    else {
      // What the config calls the copy's own cannot be in a folder that turns out to be shared.
      owned.set(path, own.some(isInside) ? 'build' : kind)
      for (const each of link) if (isInside(each) && existsSync(join(gitRoot, each))) links.add(each)
    }
  }
  for (const entry of listed.split('\0')) {
    const path = entry.replace(/\/$/, '')
    if (path !== '' && path !== '.') take(path, null)
  }
  return { links: [...links], own: owned }
}

/** A path and its parent folders. */
function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, depth) => parts.slice(0, depth + 1).join('/'))
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

/**
 * Makes `path` in a copy a link to `target`. A file that a script has made there is left alone, and nothing is made
 * inside the targets of the copy's own links.
 * @param target absolute; null to remove a link that is there
 */
export function linkTo(target: string | null, copy: string, path: string): void {
  const place = join(copy, path)
  if (!isInsideCopy(copy, path)) return
  const there = lstatSync(place, { throwIfNoEntry: false })
  if (there && !there.isSymbolicLink()) return
  if (there && readlinkSync(place) === target) return
  if (there) rmSync(place)
  if (target === null) return
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(target, place)
}

/** Whether a path of a copy is reached through its own folders alone, and not through one of its links. */
export function isInsideCopy(copy: string, path: string): boolean {
  return realFolder(dirname(join(copy, path))) === join(realpathSync(copy), dirname(path))
}

/** Tries it before a copy is made. @throws OperationError @param cacheFolder absolute */
export function refuseWithoutLinks(cacheFolder: string): void {
  mkdirSync(cacheFolder, { recursive: true })
  if (hasLinks(cacheFolder)) return
  throw new OperationError(
    'the file system of the project has no links, without which no copy of the code can be frozen',
    'qanat run --snapshot never …        runs in the tree itself, as all runs do after: qanat config set snapshot never',
  )
}

/** Names of our own entries in the cache: copies, also numbered, lost and incomplete ones, their files, older clones, outputs of shells. */
const ownNames =
  /^\.?[0-9a-f]{12}(-[0-9a-f]{8})?(_shell)?(_\d+)?(_lost_[0-9a-f]{8})?(-[0-9a-f]{8})?(\.(kept|own|prepared\.log))?$|^[0-9a-f]{40}$|^(digests\.json|whole\.git)$|^shell_[0-9a-f]{8}(\.lock(-journal)?)?$/

/** A name beside a copy for what is not complete yet; `cache clean` removes a folder that a crash has left. */
export function temporaryName(copy: string): string {
  return join(dirname(copy), `.${basename(copy)}-${randomBytes(4).toString('hex')}`)
}

/**
 * Makes links beside the copies, so that `../NAME` leads to the same place from a copy as from the repository. There is no
 * link to the repository itself, whose code is not the recorded one. What scripts have made there stays.
 * @param cacheFolder absolute folder of the copies
 * @param warn called if something that scripts have made is in the place of a link
 */
export function linkNeighbours(gitRoot: string, cacheFolder: string, warn: (message: string) => void): void {
  const parent = dirname(gitRoot)
  const names = new Set(namesIn(parent))
  names.delete(basename(gitRoot))
  const there = readdirSync(cacheFolder, { withFileTypes: true })
  for (const entry of there) {
    const { name } = entry
    const place = join(cacheFolder, name)
    const target = entry.isSymbolicLink() ? readlinkSync(place) : null
    const isCurrent = target === join(parent, name) && names.has(name)
    // A link of ours is outdated if its neighbour is gone or the project was moved. Scripts may have made other links.
    const isOutdated = !isCurrent && target?.endsWith(`/${name}`) && (names.has(name) || !existsSync(place))
    if (isOutdated) rmSync(place)
    else {
      if (!isCurrent && names.has(name) && !ownNames.test(name)) warnOfShadow(join(parent, name), place, warn)
      names.delete(name)
    }
  }
  for (const name of names) if (!ownNames.test(name)) symlinkSync(join(parent, name), join(cacheFolder, name))
}

function warnOfShadow(neighbour: string, place: string, warn: (message: string) => void): void {
  warn(
    `../${basename(place)} leads the groups to ${place}, which a script has made, and not to ${neighbour} as in the project
mv ${quoteWord(place)} ELSEWHERE        makes it lead there at the next launch`,
  )
}

/** What scripts have made beside the copies, as `../NAME`: names of files and folders. */
export function madeBeside(cacheFolder: string): string[] {
  if (!existsSync(cacheFolder)) return []
  const entries = readdirSync(cacheFolder, { withFileTypes: true })
  return entries.filter(entry => !entry.isSymbolicLink() && !ownNames.test(entry.name)).map(({ name }) => name)
}

/** The most that is looked at beside the copies, since other launches wait meanwhile. */
const limit = { files: 10_000, milliseconds: 200 }

/**
 * The names beside the copies that were written since a time, or that are folders with a file written since then. A
 * short look may not find all of them.
 * @param since milliseconds since the epoch
 */
export function writtenBeside(cacheFolder: string, since: number): string[] {
  const names = madeBeside(cacheFolder)
  const { files } = listFiles(
    names.map(name => ({ path: join(cacheFolder, name), deep: true })),
    limit,
  )
  const written = [...files].flatMap(([path, { changed }]) => (changed >= since ? path : []))
  return names.filter(name => {
    const place = join(cacheFolder, name)
    const changed = lstatSync(place, { throwIfNoEntry: false })?.ctimeMs ?? 0
    return changed >= since || written.some(path => isWithin(path, place))
  })
}

/** Empty if the folder above a repository cannot be listed. */
function namesIn(folder: string): string[] {
  try {
    return folder === dirname(folder) ? [] : readdirSync(folder)
  } catch {
    return []
  }
}

/** The path of a folder with links resolved, as far as it exists; null if a file or a broken link is in its way. */
function realFolder(path: string): string | null {
  if (existsSync(path)) return statSync(path).isDirectory() ? realpathSync(path) : null
  const parent = realFolder(dirname(path))
  const isBrokenLink = parent !== null && lstatSync(path, { throwIfNoEntry: false }) !== undefined
  return parent === null || isBrokenLink ? null : join(parent, basename(path))
}
