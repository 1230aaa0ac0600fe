import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { realPath } from '../../system/files.js'

/** A package whose source is in the repository, as it is installed into an environment. */
export interface OwnPackage {
  readonly name: string
  /** The folder with the environment's packages, absolute. */
  readonly site: string
  /** Its source, relative to the repository; empty for the repository itself. */
  readonly source: string
  /** Whether the environment leads to the source; otherwise it has a copy. */
  readonly editable: boolean
  /** The files that belong to it, relative to `site`. */
  readonly files: readonly string[]
}

/** The path of what is inside of a folder, relative to it; null for any other. Both are absolute, without links. */
export function pathInside(folder: string, path: string): string | null {
  if (path === folder) return ''
  return path.startsWith(`${folder}/`) ? relative(folder, path) : null
}

function pathInsideOne(folders: readonly string[], path: string): string | null {
  return folders.map(folder => pathInside(folder, path)).find(inside => inside !== null) ?? null
}

/**
 * The packages of a repository that are installed into an environment, by what the installer noted of their origin (see
 * https://packaging.python.org/en/latest/specifications/direct-url/).
 * @param site the folder with the environment's packages, absolute
 * @param roots of the repository and its other worktrees, absolute, without links
 */
export function ownPackages(site: string, roots: readonly string[]): OwnPackage[] {
  return namesIn(site).flatMap(name => {
    if (!name.endsWith('.dist-info')) return []
    const origin = originOf(join(site, name))
    const source = origin && pathInsideOne(roots, realPath(origin.path))
    if (!origin || source === null || source.split('/').includes('.qanat')) return []
    const files = textOf(join(site, name, 'RECORD')).split('\n')
    return {
      name: name.slice(0, name.indexOf('-')),
      site,
      // A wheel may be anywhere in the repository.
      source: /\.(whl|zip|tar\.gz)$/.test(source) ? '' : source,
      editable: origin.editable,
      files: files.flatMap(line => /^"?(.*?)"?,[^,]*,[^,]*$/.exec(line)?.[1] ?? []),
    }
  })
}

/** Whether lines of its `.pth` files lead into one of these folders, as those of older installers do. */
export function hasPathsInto(site: string, roots: readonly string[]): boolean {
  const files = namesIn(site).filter(name => name.endsWith('.pth'))
  const lines = files.flatMap(name => textOf(join(site, name)).split('\n'))
  return lines.some(line => line.startsWith('/') && pathInsideOne(roots, realPath(line.trim())) !== null)
}

/** What became of the modules of a package that was installed as a copy. */
export interface ReplacedModules {
  /** The sources in the copy, absolute, by the place of the installed module. */
  readonly sources: Readonly<Record<string, string>>
  /** Installed modules without a source in the copy. */
  readonly missing: readonly string[]
  /** Compiled files, which no commit has. */
  readonly compiled: readonly string[]
}

/**
 * Finds the sources of a package that was installed as a copy in the frozen copy of its repository.
 * @param copy root of the frozen copy, absolute
 */
export function replaceModules({ site, source, files }: OwnPackage, copy: string): ReplacedModules {
  const modules = new Set(files.map(file => file.split('/')[0]!).filter(isModule))
  const places = ['src', '', 'python', 'lib'].map(folder => join(copy, source, folder))
  const found = [...modules].map(module => [module, places.find(place => existsSync(join(place, module)))] as const)
  const inSite = realPath(site)
  return {
    sources: Object.fromEntries(
      found.flatMap(([module, place]) => (place ? [[join(inSite, module), join(place, module)]] : [])),
    ),
    missing: found.flatMap(([module, place]) => (place || isCompiled(module) ? [] : [module])),
    compiled: files.filter(isCompiled),
  }
}

function isModule(name: string): boolean {
  return name !== '..' && name !== '__pycache__' && !/\.(dist-info|data|pth|pyc)$/.test(name) && name !== ''
}

/** Whether a file is a compiled module of Python. */
export function isCompiled(file: string): boolean {
  return /\.(so|dylib|pyd)$/.test(basename(file))
}

function originOf(info: string): { path: string; editable: boolean } | null {
  try {
    const { url, dir_info } = JSON.parse(textOf(join(info, 'direct_url.json')))
    return { path: fileURLToPath(url), editable: dir_info?.editable === true }
  } catch {
    // It is from an index, or from another machine.
    return null
  }
}

/** The text of a file; empty if it cannot be read. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** The names in a folder; none if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
