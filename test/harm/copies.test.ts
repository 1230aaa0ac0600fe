import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Folder, groups, shellProject } from '../e2e/project.js'

/** A copy of a whole project, as `cp -a` makes it. */
function copyOf(project: Folder): Folder {
  const copy = new Folder(project.environment)
  cpSync(project.path, copy.path, { recursive: true, verbatimSymlinks: true })
  return copy
}

test('the worktrees of a repository stay its own after launches and a cleaned cache in a copy of it', async () => {
  const project = await shellProject()
  await project.qanat('run', 'it', ...groups('true', 'exit 3'))
  const own = new Folder()
  project.git('worktree', 'add', '--quiet', '--detach', join(own.path, 'own'))
  const worktrees = () => {
    const listed = project.git('worktree', 'list', '--porcelain')
    const folders = [...listed.matchAll(/^worktree (.*)/gm)].map(([, folder]) => folder!)
    const statusOf = (cwd: string) => execFileSync('git', ['rev-parse', '--git-dir'], { cwd, encoding: 'utf8' })
    return [listed, ...folders.map(statusOf)]
  }
  const before = worktrees()
  const copy = copyOf(project)
  await copy.qanat('run_retry', '1')
  expect(worktrees()).toEqual(before)
  const [name] = copy.copies()
  expect(copy.git('worktree', 'list', '--porcelain')).toContain(`worktree ${copy.path}/.qanat/cache/${name}\n`)
  copy.write('changed.txt', '')
  copy.commit()
  expect((await copy.qanat('run', 'it', ...groups('true', 'true'))).code).toBe(0)
  expect((await copy.qanat('cache', 'clean')).code).toBe(0)
  expect(copy.copies()).toEqual([])
  expect(copy.git('worktree', 'list')).not.toContain('.qanat/cache')
  expect(worktrees()).toEqual(before)
})
