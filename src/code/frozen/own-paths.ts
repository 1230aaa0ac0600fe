import { createHash, randomBytes } from 'node:crypto'
import {
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fewOf } from '../../domain/text/names.js'
import { OperationError } from '../../errors.js'
import { explainWriting, isFolder } from '../../system/files.js'
import { canReflink, isOnNetwork } from '../../system/folders/file-system.js'
import { runProgram } from '../../system/programs.js'
import { hasEnvironments, type Own } from './build-signs.js'
import { dropConfiguration, isConfiguration, isMesonStale } from './configured.js'
import { type IgnoredPaths, isInsideCopy, temporaryName } from './ignored-paths.js'
import { readOwned, removeOwn, writeOwned } from './own-mark.js'

/** How much is cloned. */
interface Limit {
  readonly files: number
  readonly bytes: number
}

/** What is in a place of the tree. */
interface State extends Limit {
  readonly text: string
}

/** What is cloned at most where every block has to be copied, which takes about three seconds: launches wait for it. */
const most: Limit = { files: 1_500, bytes: 400 * 1024 * 1024 }

/** Where blocks need not be copied, only the number of files counts. */
const mostReflinks: Limit = { files: 100_000, bytes: Number.POSITIVE_INFINITY }

/** Why a path of the copy's own begins empty. */
type Emptiness =
  | 'another commit'
  | 'too large'
  | 'on a network file system'
  | 'environments'
  | 'configured'
  | 'prepared'

/** What a launch does with the paths that a copy has of its own. */
export interface OwnPlan {
  /** With the state of the tree's. */
  readonly cloned: ReadonlyMap<string, string>
  readonly empty: ReadonlyMap<string, Emptiness>
  /** Too large to be cloned, and nothing shows that builds write there: links after all. */
  readonly shared: readonly string[]
  /** Absolute paths in the tree that are not cloned, since the copy has links to them. */
  readonly skipped: readonly string[]
}

/**
 * Decides what is cloned from the tree. That is done only for the commit of the tree: what was built of other sources may
 * have times that are newer than those of the copy.
 * @param gitRoot absolute
 * @param copies folder in which the copy lies, absolute
 * @param ignored paths of the tree; what is linked in a folder of the copy's own is not cloned
 * @param isOfTree whether the copy is made for the commit that is checked out
 */
export function planOwn(gitRoot: string, copies: string, { own, links }: IgnoredPaths, isOfTree: boolean): OwnPlan {
  const cloned = new Map<string, string>()
  const empty = new Map<string, Emptiness>()
  const shared: string[] = []
  const skipped = links.map(path => join(gitRoot, path))
  let limit: Limit | null = null
  for (const [path, kind] of own) {
    const place = join(gitRoot, path)
    const reason = reasonForNothing(place, kind, isOfTree)
    if (reason !== null) {
      empty.set(path, reason)
      continue
    }
    limit ??= limitFor(place, copies)
    const state: State | null = limit && stateOf(place, limit, skipped)
    if (state) {
      cloned.set(path, state.text)
      limit = { files: limit!.files - state.files, bytes: limit!.bytes - state.bytes }
    } else if (kind === 'programs') shared.push(path)
    else empty.set(path, limit ? 'too large' : 'on a network file system')
  }
  return { cloned, empty, shared, skipped }
}

/** Why a path begins empty, whatever its size; null if it is to be cloned. */
function reasonForNothing(place: string, kind: Own, isOfTree: boolean): Emptiness | null {
  if (kind === 'environment') return 'prepared'
  if (!isOfTree) return 'another commit'
  if (hasEnvironments(place)) return 'environments'
  return isMesonStale(place) ? 'configured' : null
}

/** Why a path begins empty, in words. They are made when they are told: the first number in a language takes 9 ms. */
const emptiness = (): Readonly<Record<Exclude<Emptiness, 'prepared'>, string>> => ({
  'another commit': 'the copy is of another commit than the tree',
  'too large': `more than ${most.bytes / 1024 ** 2} MiB or ${most.files.toLocaleString('en-US')} files would have to be copied`,
  'on a network file system': 'cloning over a network takes too long',
  environments: 'environments work in their own place alone',
  configured: 'Meson would configure it again, for the sources of the tree',
})

/**
 * Says what was built in the tree and is not in the copy.
 * @param begun the paths that begin empty at this launch
 */
export function warnOfOwn({ empty, shared }: OwnPlan, made: MadeOwn, warn: (message: string) => void): void {
  const { empty: begun, unconfigured } = made
  for (const reason of new Set(begun.map(path => empty.get(path)!))) {
    if (reason === 'prepared') continue
    const paths = begun.filter(path => empty.get(path) === reason)
    const hint =
      reason === 'configured'
        ? 'ninja -C FOLDER        configures and builds it in the tree; then it is cloned'
        : 'link: in .qanat/config.yaml        names what is only read, and is shared with the tree'
    warn(`what builds write starts empty in the frozen copy, since ${emptiness()[reason]}: ${fewOf(paths)}\n${hint}`)
  }
  if (shared.length > 0)
    warn(
      `the frozen copy shares folders that hold programs with the tree, since ${emptiness()['too large']}: ${fewOf(shared)}
own: in .qanat/config.yaml        names what builds write: each copy has its own, which begins empty`,
    )
  if (unconfigured.size > 0)
    warn(
      `the frozen copy has what CMake built, but not its configuration, which names the sources of the tree: ${fewOf([...unconfigured])}
cmake -S . -B FOLDER        in the script, or under prepare: of .qanat/config.yaml, configures it in the copy`,
    )
}

/** What a launch has given a copy of its own: paths relative to the repository. */
interface MadeOwn {
  readonly cloned: string[]
  readonly empty: string[]
  /** Builds whose configuration was not cloned. */
  readonly unconfigured: Set<string>
}

/** A text that differs once something that a copy has made has changed; null if it is too large to be compared or cloned. */
export function stateInCopy(copy: string, path: string): string | null {
  return stateOf(join(copy, path), most, [])?.text ?? null
}

/** Null where nothing is cloned. */
function limitFor(place: string, copies: string): Limit | null {
  if (isOnNetwork(realpathSync(place)) || isOnNetwork(copies)) return null
  const file = firstFile(realpathSync(place))
  const trial = join(copies, `.${randomBytes(6).toString('hex')}`)
  return file !== null && canReflink(file, trial) ? mostReflinks : most
}

function firstFile(place: string): string | null {
  if (!isFolder(place)) return place
  for (const entry of readdirSync(place, { withFileTypes: true })) {
    if (entry.isFile()) return join(place, entry.name)
    const file = entry.isDirectory() ? firstFile(join(place, entry.name)) : null
    if (file !== null) return file
  }
  return null
}

/** A text that differs once something in a place has changed; null if more is there than the limit allows. */
function stateOf(place: string, limit: Limit, skipped: readonly string[]): State | null {
  const lines: string[] = []
  let bytes = 0
  const look = (path: string): boolean => {
    const stats = (path === place ? statSync : lstatSync)(path, { throwIfNoEntry: false })
    if (!stats || skipped.includes(path)) return true
    if (stats.isDirectory()) return readdirSync(path).every(name => look(join(path, name)))
    bytes += stats.size
    lines.push(`${path}\t${stats.size}\t${stats.mtimeMs}`)
    return lines.length <= limit.files && bytes <= limit.bytes
  }
  if (!look(place)) return null
  return { text: createHash('sha256').update(lines.join('\n')).digest('hex'), files: lines.length, bytes }
}

/**
 * Gives a copy what it has of its own. What it has from an earlier launch stays if the tree's is as it was then.
 * @param goesOn whether the groups of the same run continue in the copy
 * @throws OperationError if there is no room
 */
export async function provideOwn(
  gitRoot: string,
  copy: string,
  { cloned, empty, skipped }: OwnPlan,
  goesOn: boolean,
): Promise<MadeOwn> {
  const { builds: before, prepared } = readOwned(copy)
  const now: Record<string, string | null> = {}
  const made: MadeOwn = { cloned: [], empty: [], unconfigured: new Set() }
  for (const path of [...cloned.keys(), ...empty.keys()]) {
    const place = join(copy, path)
    // Nothing is made inside what the links of a copy lead to.
    if (!isInsideCopy(copy, path)) continue
    const state = cloned.get(path) ?? null
    const there = lstatSync(place, { throwIfNoEntry: false })
    const known = before[path]
    // Groups of the run may be at work there.
    if (goesOn && there) continue
    const isCurrent = known !== undefined && (state === null || state === known)
    if (isCurrent && !there?.isSymbolicLink() && (there || state === null)) {
      now[path] = known
      continue
    }
    if (there) rmSync(place, { recursive: true, force: true })
    mkdirSync(dirname(place), { recursive: true })
    if (state !== null) {
      if (!(await clone(join(gitRoot, path), copy, path, skipped)))
        made.unconfigured.add(isConfiguration(join(gitRoot, path)) ? dirname(path) : path)
      // Tools that make an environment would take an empty folder for a broken one.
    } else if (empty.get(path) !== 'prepared' && isFolder(join(gitRoot, path))) mkdirSync(place)
    now[path] = state
    ;(state === null ? made.empty : made.cloned).push(path)
  }
  // What the config or the tree no longer calls a build was made by us, too.
  if (!goesOn) for (const path of Object.keys(before)) if (!(path in now)) removeOwn(copy, path)
  const isNew = made.cloned.length + made.empty.length > 0
  const isStale = isNew && !goesOn && prepared !== null && 'key' in prepared
  writeOwned(copy, { builds: goesOn ? { ...before, ...now } : now, prepared: isStale ? null : prepared })
  return made
}

/**
 * Clones a path of the tree with times, modes and links, by reflink where the file system can.
 * @returns whether all of it was cloned: the configuration of CMake is not
 */
export async function clone(source: string, copy: string, path: string, skipped: readonly string[]): Promise<boolean> {
  const [place, temporary] = [join(copy, path), temporaryName(copy)]
  if (isConfiguration(source)) return false
  try {
    await cloneTo(source, temporary, skipped)
    const isWhole = !isFolder(temporary) || !dropConfiguration(temporary)
    renameSync(temporary, place)
    return isWhole
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    throw explainWriting(error, place)
  }
}

async function cloneTo(source: string, place: string, skipped: readonly string[]): Promise<void> {
  if (skipped.includes(source)) return
  if (isFolder(source) && !skipped.some(path => path.startsWith(`${source}/`)))
    return cloneFolder(realpathSync(source), place)
  const { atime, mtime } = statSync(source)
  if (isFolder(source)) {
    mkdirSync(place)
    for (const name of readdirSync(source)) await cloneTo(join(source, name), join(place, name), skipped)
  } else copyFileSync(source, place, constants.COPYFILE_FICLONE)
  utimesSync(place, atime, mtime)
}

async function cloneFolder(from: string, to: string): Promise<void> {
  const options = process.platform === 'darwin' ? '-cpPR' : '-dpPR'
  const reflink = process.platform === 'darwin' ? [] : ['--reflink=auto', '--preserve=links']
  const environment = { set: { LC_ALL: 'C' } }
  const result = await runProgram(['cp', options, ...reflink, '--', from, to], { environment, timeout: 600_000 })
  if (result.exitCode === 0) return
  if (/No space left|quota/i.test(result.stderr)) throw Object.assign(new Error(result.stderr), { code: 'ENOSPC' })
  const [reason = 'cp is not on this machine'] = result.stderr.split('\n', 1)
  throw new OperationError(
    `${from} cannot be cloned into the frozen copy: ${reason}`,
    'build again, or name the folder under link: of .qanat/config.yaml, so that frozen copies share it',
  )
}
