import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { Folder, groups, shellProject } from '../e2e/project.js'

const git = ({ environment }: Folder, cwd: string, ...words: string[]) =>
  execFileSync('git', words, { cwd, env: environment, encoding: 'utf8' })

/** A worktree of the user's with a staged change and a commit of its own, which git knows from nowhere else. */
function ownWorktree(project: Folder, place: string, ...options: string[]): string {
  const path = join(project.path, place)
  project.git('worktree', 'add', '--quiet', ...options, '--detach', path)
  project.write(`${place}/own.txt`, 'committed')
  for (const words of [
    ['add', '--all'],
    ['commit', '--quiet', '--message', 'Own'],
  ])
    git(project, path, ...words)
  project.write(`${place}/staged.txt`, 'staged')
  git(project, path, 'add', 'staged.txt')
  return path
}

const stateOf = (worktree: string) =>
  ['rev-parse HEAD', 'status --short', 'reflog'].map(command =>
    execFileSync('git', command.split(' '), { cwd: worktree, encoding: 'utf8' }),
  )

/** All that makes and removes frozen copies. */
async function useCopies(project: Folder): Promise<void> {
  await project.qanat('run', 'it', ...groups('true', 'exit 3'))
  await project.qanat('run_retry', 'it', '1')
  expect((await project.qanat('cache', 'clean')).code).toBe(0)
  expect(project.copies()).toEqual([])
  project.write('changed.txt', '')
  project.commit()
  expect((await project.qanat('run', 'it', ...groups('true', 'true'))).code).toBe(0)
}

test.each([
  ['is there', [], false],
  ['is on a disk that is not mounted', [], true],
  ['is locked and not mounted', ['--lock'], true],
])('a worktree of the user that %s is as it was after launches and a cleaned cache', async (_, options, isAway) => {
  const project = await shellProject()
  project.write('.gitignore', `${project.read('.gitignore')}worktrees/\naway/\n`)
  project.commit()
  const worktree = ownWorktree(project, 'worktrees/own', ...options)
  const before = stateOf(worktree)
  const away = join(project.path, 'away/own')
  mkdirSync(dirname(away))
  if (isAway) renameSync(worktree, away)
  await useCopies(project)
  if (isAway) renameSync(away, worktree)
  expect(stateOf(worktree)).toEqual(before)
})

test('a worktree of the user in the place of a frozen copy is as it was after launches and a cleaned cache', async () => {
  const project = await shellProject()
  const name = project.git('rev-parse', 'HEAD').slice(0, 12)
  const worktree = ownWorktree(project, `.qanat/cache/${name}`)
  const before = stateOf(worktree)
  expect((await project.qanat('run', 'it', ...groups('[ ! -e own.txt ]', 'true'))).code).toBe(0)
  const { stdout } = await project.qanat('cache', 'clean')
  expect(stdout).toContain(`Removed ${name}_2: `)
  expect(stdout).toContain(`Kept .qanat/cache/${name}, which git does not know as a frozen copy of Qanat's`)
  expect(stateOf(worktree)).toEqual(before)
})

test('what the user has copied from a frozen copy, beside it, is as it was after a cleaned cache', async () => {
  const project = await shellProject()
  await project.qanat('run', 'it', ...groups('true', 'true'))
  const [name = ''] = project.copies()
  const cache = join(project.path, '.qanat/cache')
  cpSync(join(cache, name), join(cache, `${name}_2`), { recursive: true, verbatimSymlinks: true })
  project.write(`.qanat/cache/${name}_2/it.sh`, 'edited\n')
  const { stdout } = await project.qanat('cache', 'clean')
  expect(stdout).toContain(`Removed ${name}: `)
  expect(stdout).toContain(`Kept .qanat/cache/${name}_2, which git does not know as a frozen copy of Qanat's`)
  expect(project.read(`.qanat/cache/${name}_2/it.sh`)).toBe('edited\n')
  expect(project.git('worktree', 'list', '--porcelain').match(/^worktree .*/gm)).toEqual([`worktree ${project.path}`])
})

test('git has no registration of a copy that was removed, even by hand', async () => {
  const project = await shellProject()
  await useCopies(project)
  const [copy = ''] = project.copies()
  rmSync(join(project.path, '.qanat/cache', copy), { recursive: true })
  expect((await project.qanat('run', 'it', ...groups('true', 'true'))).code).toBe(0)
  const registered = project.git('worktree', 'list', '--porcelain').match(/^worktree .*/gm)
  expect(registered).toEqual([`worktree ${project.path}`, `worktree ${project.path}/.qanat/cache/${copy}`])
})

test('an unfinished copy in a folder to which the cache is a link is kept: it may be that of another project', async () => {
  const [project, disk] = [await shellProject(), new Folder()]
  disk.write('.c0ffeec0ffee-12345678/x', '')
  symlinkSync(disk.path, join(project.path, '.qanat/cache'))
  const { stdout } = await project.qanat('cache', 'clean')
  expect(stdout).toContain('Kept .qanat/cache/.c0ffeec0ffee-12345678, which git does not know')
  expect(disk.has('.c0ffeec0ffee-12345678/x')).toBe(true)
})
