import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { parse } from 'yaml'
import { fewOf } from '../../domain/text/names.js'
import { openGit } from '../git.js'
import { importsFolder } from './imports-folder.js'
import { type Entries, writeEntries } from './link-folders.js'
import { textOf } from './python-packages.js'

/** Data of DVC for a frozen copy. Paths are relative to the root of the repository. */
interface DvcData {
  /** Links to the data of the commit, absolute, where the tree has those of another one. */
  readonly places: ReadonlyMap<string, string>
  /** Data of the commit that are not in the cache of DVC: the copy has nothing there. */
  readonly missing: readonly string[]
  /** What stages of a pipeline write: the copy has what the tree has, since a link into the cache would be written to. */
  readonly outputs: readonly string[]
  /** Folders, in which the copy has links to files: what DVC and scripts write there is then in the copy. */
  readonly folders: readonly string[]
  /** The folder with the places, absolute. */
  readonly folder: string
}

/**
 * Finds the data that a commit has under the control of DVC, by its `.dvc` files and `dvc.lock`. Where the tree has the
 * same, they are shared; otherwise links into the cache of DVC are made.
 * @param repository root, absolute
 * @param copy root of the frozen copy, absolute
 */
export async function provideDvcData(repository: string, copy: string): Promise<DvcData> {
  const git = openGit(copy)
  const listed = await git.run('ls-files', '-z', '--full-name', '--', ':/*.dvc', ':/*dvc.lock')
  const folder = join(importsFolder(copy), 'dvc')
  const [links, places]: [Entries, Map<string, string>] = [new Map(), new Map()]
  const [missing, outputs, folders]: [string[], string[], string[]] = [[], [], []]
  for (const file of listed.split('\0').slice(0, -1)) {
    const inTree = dataOf(repository, file)
    for (const [path, hash] of dataOf(copy, file)) {
      const isOutput = file.endsWith('.lock')
      if (hash.endsWith('.dir')) folders.push(path)
      if (inTree.get(path) === hash) continue
      const data = isOutput ? null : dataInCache(cachesFor(repository, file), hash)
      if (isOutput) outputs.push(path)
      else if (data === null) missing.push(path)
      else {
        put(links, path, data)
        places.set(path, join(folder, path))
      }
    }
  }
  if (links.size > 0) writeEntries(folder, links)
  return { places, missing, outputs, folders, folder }
}

/**
 * Says which data the groups do not have as the commit has them.
 * @param links what the copy shares with the tree
 */
export function warnOfDvc(
  { places, missing, outputs }: DvcData,
  links: readonly string[],
  warn: (message: string) => void,
): void {
  if (missing.length > 0)
    warn(`the frozen copy lacks data that DVC had in this commit, and has no longer in its cache: ${fewOf(missing)}
dvc fetch --all-commits        gets them, if a remote has them`)
  const below = [...places.keys(), ...missing].filter(path => links.some(link => path.startsWith(`${link}/`)))
  const shared = [...below, ...outputs.filter(path => links.some(link => `${path}/`.startsWith(`${link}/`)))]
  if (shared.length > 0)
    warn(`the groups have data of the tree, and not what DVC had in this commit: ${fewOf(shared)}
own: in .qanat/config.yaml        names what stages write: each copy has its own, which begins empty`)
}

/** What a file of DVC names: hashes of data by their paths. Nothing if it is no file of DVC, whatever its name is. */
function dataOf(root: string, file: string): Map<string, string> {
  const { outs, wdir, stages } = mapping(parsed(() => parse(textOf(join(root, file)))))
  const all = [...listOf(outs), ...Object.values(mapping(stages)).flatMap(stage => listOf(mapping(stage).outs))]
  const found = all.flatMap((out): [string, string][] => {
    const { path, md5 } = mapping(out)
    if (typeof path !== 'string' || path.startsWith('/') || typeof md5 !== 'string' || !isHash.test(md5)) return []
    const place = normalize(join(dirname(file), typeof wdir === 'string' ? wdir : '', path))
    return place.startsWith('..') ? [] : [[place, md5]]
  })
  return new Map(found)
}

const isHash = /^[0-9a-f]{3,}(\.dir)?$/

/** What a text says; nothing if it cannot be read. */
function parsed(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return null
  }
}

function mapping(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The folders with the data of DVC for a file of the repository, absolute: since DVC 3, and before. */
function cachesFor(repository: string, file: string): string[] {
  let folder = join(repository, dirname(file))
  while (!existsSync(join(folder, '.dvc')) && folder !== repository) folder = dirname(folder)
  const settings = ['config.local', 'config'].map(name => textOf(join(folder, '.dvc', name)))
  const named = settings.flatMap(text => /^\s*\[cache\]\s*\n(?:\s+.*\n)*?\s+dir\s*=\s*(.*\S)/m.exec(text)?.[1] ?? [])
  const cache = resolve(folder, '.dvc', named[0] ?? 'cache')
  return [join(cache, 'files/md5'), cache]
}

/** The file with some data, or a folder of links to files; null if one is not in the cache, or the cache is damaged. */
function dataInCache(caches: readonly string[], hash: string): string | Entries | null {
  const file = caches.map(cache => join(cache, hash.slice(0, 2), hash.slice(2))).find(place => existsSync(place))
  if (file === undefined || !hash.endsWith('.dir')) return file ?? null
  const root: Entries = new Map()
  const listed = parsed(() => JSON.parse(readFileSync(file, 'utf8')))
  if (!Array.isArray(listed)) return null
  for (const { md5, relpath } of listed.map(mapping)) {
    const isClean = typeof relpath === 'string' && !relpath.split('/').some(name => ['', '.', '..'].includes(name))
    const data = isClean && typeof md5 === 'string' && isHash.test(md5) ? dataInCache(caches, md5) : null
    if (data === null) return null
    put(root, relpath as string, data)
  }
  return root
}

function put(entries: Entries, path: string, data: string | Entries): void {
  const [name, ...rest] = path.split('/')
  if (rest.length === 0) return void entries.set(name!, data)
  const inside = entries.get(name!)
  const folder: Entries = inside instanceof Map ? inside : new Map()
  entries.set(name!, folder)
  put(folder, rest.join('/'), data)
}
