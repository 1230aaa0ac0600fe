import { closeSync, type Dirent, opendirSync, openSync, readSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isConfiguration } from './configured.js'

/**
 * What a frozen copy has of its own: a folder or file that tools write when they build, a folder with programs, or an
 * environment where commands make one for each copy.
 */
export type Own = 'build' | 'programs' | 'environment'

/** What an ignored path is: frozen copies share what is there to be read. A `mixed` folder holds builds beside other things. */
export type Kind = Exclude<Own, 'environment'> | 'shared' | 'mixed'

/** Names of folders of builds, with files of which one beside the folder shows that a tool uses the name. */
const folders: readonly (readonly [name: RegExp, beside: RegExp])[] = [
  [/^target$/, /^(Cargo\.toml|pom\.xml|build\.sbt)$/],
  [
    /^build$/,
    /^(CMakeLists\.txt|meson\.build|[Mm]akefile|GNUmakefile|configure|setup\.py|pyproject\.toml|build\.gradle(\.kts)?|package\.json)$/,
  ],
  [/^dist$/, /^(package\.json|tsconfig.*\.json|setup\.py|pyproject\.toml|.*\.cabal)$/],
  [/^(bin|obj)$/, /\.(cs|fs|vb)proj$/],
  [/^_build$/, /^(dune-project|mix\.exs|rebar\.config)$/],
  [/^\.(next|nuxt|svelte-kit|output)$/, /^package\.json$/],
]

/** Names that only builds use. */
const buildName =
  /^(.*\.egg-info|cmake-build-.*|CMakeFiles|dist-newstyle|\.stack-work|\.gradle|\.eggs|\.tox|\.nox|\.?zig-cache|zig-out|\.cargo-target)$/

/** Names of caches that compilers share by content, whatever is in them. */
const sharedCache = /^\.?s?ccache$/

/** Files that tools put into a folder in which they build. */
const buildMark =
  /^(CACHEDIR\.TAG|CMakeCache\.txt|CMakeFiles|\.ninja_log|build\.ninja|meson-info|config\.status|.*\.tsbuildinfo)$/

/** Files that compilers and linkers write. */
const object = /\.(o|lo|a|so(\.\d+)*|dylib|pyd|class|mod|smod|hi|cmx|cmo|gcno|gcda|d|tsbuildinfo)$/

/** Folders that are environments, whatever they hold. */
const environmentName = /^(node_modules|site-packages|__pypackages__|renv|packrat)$/
const environmentMark = /^(pyvenv\.cfg|conda-meta)$/

/** How far is looked: launches wait for it. */
const depth = 3
const entriesAtMost = 2_000

/** @param path absolute, of something that git ignores; what a link leads to counts */
export function kindOfIgnored(path: string): Kind {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return 'shared'
  if (!stats.isDirectory())
    return stats.isFile() && (isObject(path, stats.mode) || isConfiguration(path)) ? 'build' : 'shared'
  return kindOfFolder(path, depth)
}

/** Whether a folder is an environment, as uv, conda or npm make them. */
export function isEnvironment(path: string): boolean {
  return environmentName.test(basename(path)) || entriesOf(path).some(entry => environmentMark.test(entry.name))
}

/** Whether a folder holds environments, as `.tox` and `.nox` do. */
export function hasEnvironments(path: string): boolean {
  return entriesOf(path).some(entry => entry.isDirectory() && isEnvironment(join(path, entry.name)))
}

function kindOfFolder(path: string, deeper: number): Kind {
  const name = basename(path)
  if (sharedCache.test(name) || isEnvironment(path)) return 'shared'
  const entries = entriesOf(path)
  if (buildName.test(name) || isNamedByNeighbour(path) || entries.some(entry => buildMark.test(entry.name)))
    return 'build'
  if (entries.some(entry => entry.isFile() && isObjectIn(path, entry.name))) return 'programs'
  if (deeper === 0) return 'shared'
  const inside = entries.filter(entry => entry.isDirectory())
  return inside.some(entry => kindOfFolder(join(path, entry.name), deeper - 1) !== 'shared') ? 'mixed' : 'shared'
}

function isNamedByNeighbour(path: string): boolean {
  const tools = folders.filter(([name]) => name.test(basename(path)))
  if (tools.length === 0) return false
  return entriesOf(dirname(path)).some(entry => tools.some(([, beside]) => beside.test(entry.name)))
}

/** The first entries of a folder; none if it cannot be read. */
function entriesOf(path: string): Dirent[] {
  const entries: Dirent[] = []
  try {
    const folder = opendirSync(path)
    try {
      for (let entry = folder.readSync(); entry && entries.length < entriesAtMost; entry = folder.readSync())
        entries.push(entry)
    } finally {
      folder.closeSync()
    }
  } catch {
    return []
  }
  return entries
}

function isObjectIn(folder: string, name: string): boolean {
  if (object.test(name)) return true
  const stats = statSync(join(folder, name), { throwIfNoEntry: false })
  return stats !== undefined && isObject(join(folder, name), stats.mode)
}

/** Whether a file is an object or a compiled program. */
function isObject(path: string, mode: number): boolean {
  return object.test(path) || ((mode & 0o111) !== 0 && isCompiled(path))
}

/** By its first bytes: ELF, Mach-O in both orders of bytes and for several processors, WebAssembly. */
function isCompiled(path: string): boolean {
  try {
    const file = openSync(path, 'r')
    try {
      const head = Buffer.alloc(4)
      readSync(file, head, 0, 4, 0)
      return /^(7f454c46|feedfac[ef]|c[ef]faedfe|cafebabe|0061736d)$/.test(head.toString('hex'))
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}
