import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Git, GitError, withoutHooks } from '../system/git.js'

/**
 * Commits files with the given texts on top of HEAD, whatever else is staged or changed: that stays as it is.
 * @param files texts by path, relative to git's folder
 * @returns the abbreviated id of the commit
 */
export async function commitOnly(git: Git, message: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'qanat-commit-'))
  const index = join(folder, 'index')
  try {
    const prefix = (await git.run('rev-parse', '--show-prefix')).trim()
    const head = await headOf(git)
    if (head) await git.runWithIndex(index, 'read-tree', head)
    for (const [path, text] of Object.entries(files)) {
      const source = join(folder, 'blob')
      writeFileSync(source, text)
      const blob = (await git.run('hash-object', '-w', '--no-filters', source)).trim()
      const entry = `100644,${blob},${prefix}${path}`
      await git.runWithIndex(index, 'update-index', '--add', '--cacheinfo', entry)
      await git.run('update-index', '--add', '--cacheinfo', entry)
    }
    const tree = (await git.runWithIndex(index, 'write-tree')).trim()
    const commit = (await git.run('commit-tree', tree, ...(head ? ['-p', head] : []), '-m', message)).trim()
    await git.run(...withoutHooks, 'update-ref', '-m', `commit: ${message}`, 'HEAD', commit, head ?? '')
    return commit.slice(0, 7)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function headOf(git: Git): Promise<string | null> {
  try {
    return (await git.run('rev-parse', '--verify', '--quiet', 'HEAD')).trim()
  } catch (error) {
    if (error instanceof GitError) return null
    throw error
  }
}
