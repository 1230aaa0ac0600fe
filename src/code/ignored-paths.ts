import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openGit } from './git.js'
import type { TreeState } from './tree-state.js'

/**
 * The ignored paths of a tree to which a frozen copy has links (`data/`, `.venv/`): all except our own files and
 * `__pycache__`. They are relative to the repository's root; an ignored folder is one entry.
 */
export async function ignoredPaths({ gitRoot, prefix }: TreeState, resultDir: string): Promise<string[]> {
  const git = await openGit(gitRoot)
  const listed = await git.run('ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z')
  const own = [join(prefix, '.qanat'), join(prefix, resultDir)]
  const paths: string[] = []
  const take = (path: string) => {
    if (own.some(ours => isWithin(path, ours)) || /(^|\/)__pycache__(\/|$)/.test(path)) return
    if (paths.some(taken => isWithin(path, taken))) return
    if (!own.some(ours => isWithin(ours, path))) paths.push(path)
    else for (const name of readdirSync(join(gitRoot, path))) take(join(path, name))
  }
  for (const entry of listed.split('\0')) {
    const path = entry.replace(/\/$/, '')
    if (path !== '' && path !== '.') take(path)
  }
  return paths
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

/**
 * Makes `path` in a copy a link to `target`. A file that a script has made there is left alone, and nothing is made
 * inside the targets of the copy's own links.
 */
export function linkTo(target: string, copy: string, path: string): void {
  const place = join(copy, path)
  if (realPath(dirname(place)) !== join(realpathSync(copy), dirname(path))) return
  const there = lstatSync(place, { throwIfNoEntry: false })
  if (there && !there.isSymbolicLink()) return
  if (there && readlinkSync(place) === target) return
  if (there) rmSync(place)
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(target, place)
}

/** The path with links resolved, as far as it exists; null for a broken link. */
function realPath(path: string): string | null {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there) return there.isSymbolicLink() && !existsSync(path) ? null : realpathSync(path)
  const parent = realPath(dirname(path))
  return parent === null ? null : join(parent, basename(path))
}
