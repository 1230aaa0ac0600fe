import { lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openGit } from '../system/git.js'
import type { TreeState } from './tree-state.js'

/**
 * What git ignores in a tree and a frozen copy links to (`data/`, `.venv/`): not what is ours, nor `__pycache__`.
 * Relative to the repository's root; what lies in a folder that is named is not named itself.
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

/** Makes `path` a link to `target`; what a script has made there itself is left alone. */
export function linkTo(target: string, path: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there && !there.isSymbolicLink()) return
  if (there && readlinkSync(path) === target) return
  if (there) rmSync(path)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}
