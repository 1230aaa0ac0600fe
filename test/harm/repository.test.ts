import { closeSync, ftruncateSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderSize } from '../../src/system/folder-size.js'
import { expectError } from '../e2e/expectations.js'
import { awaits, type Folder, open, shellProject, until } from '../e2e/project.js'

const megabytes = 1024 * 1024

function makeLarge(project: Folder, path: string, size: number): void {
  project.write(path, '')
  const file = openSync(join(project.path, path), 'r+')
  ftruncateSync(file, size)
  closeSync(file)
}

/** What git has stored, and what is staged. */
const repository = (project: Folder) => ({
  bytes: folderSize(join(project.path, '.git/objects')),
  staged: project.git('diff', '--cached'),
  unstaged: project.git('status', '--short'),
})

describe('uncommitted changes', () => {
  test.each([
    ['a large file that git does not know', (project: Folder) => makeLarge(project, 'data.bin', 60 * megabytes)],
    [
      'many files in a folder that git does not know',
      (project: Folder) => {
        for (let file = 0; file < 6; file++) makeLarge(project, `data/deep/${file}.bin`, 10 * megabytes)
      },
    ],
    ['a file that has grown', (project: Folder) => makeLarge(project, 'it.sh', 60 * megabytes)],
  ])('are not written to the repository if they are too large: %s', async (_, change) => {
    const project = await shellProject()
    change(project)
    const before = repository(project)
    expectError(await project.qanat('run', '--allow_dirty', 'it', 'true'), 2, 'larger than 50 MB', '.gitignore')
    expect(repository(project)).toEqual(before)
  })

  test('may be small changes of a large tracked file, or large changes of an ignored one', async () => {
    const project = await shellProject()
    project.write('.gitignore', `${project.read('.gitignore')}*.bin\n`)
    makeLarge(project, 'table.csv', 60 * megabytes)
    project.commit()
    project.write('table.csv', `${'\0'.repeat(60 * megabytes)}one line more\n`)
    makeLarge(project, 'ignored.bin', 60 * megabytes)
    expect(await project.json('run', '--allow_dirty', '--json', 'it', 'true')).toMatchObject({ dirty: true })
  })

  test('are not written to the repository either when a script makes them', async () => {
    const project = await shellProject()
    project.write('changed', '')
    const words = ['run', '--allow_dirty', '--json', 'it', `echo >"$3/begun"; ${awaits('made')}`]
    const running = project.json(...words)
    await until(() => project.has('results/it/run_1/begun'))
    makeLarge(project, 'made.bin', 60 * megabytes)
    const before = repository(project)
    open(project, 'made')
    expect(await running).toMatchObject({ status: 'finished', code_changed: true })
    expect(repository(project)).toEqual(before)
  })
})

describe("the user's staged changes", () => {
  const withStaged = async () => {
    const project = await shellProject()
    project.write('staged.txt', 'staged')
    project.git('add', 'staged.txt')
    project.write('staged.txt', 'and changed again')
    project.write('.env', 'TOKEN=secret')
    return project
  }

  test('stay staged, and nothing else is staged, if a hook refuses the commit that was asked for', async () => {
    const project = await withStaged()
    project.write('.git/hooks/pre-commit', '#!/bin/sh\necho no such luck >&2\nexit 1\n', 0o755)
    const before = repository(project)
    expectError(await project.qanat('run', '--commit', 'All of it', 'it', 'true'), 1, 'no such luck')
    expect({ ...repository(project), bytes: 0 }).toEqual({ ...before, bytes: 0 })
  })

  test('are committed with everything else if no hook refuses', async () => {
    const project = await withStaged()
    expect((await project.qanat('run', '--commit', 'All of it', 'it', 'true')).code).toBe(0)
    expect(project.git('status', '--short')).toBe('')
    expect(project.git('show', 'HEAD:staged.txt')).toBe('and changed again')
  })

  test('stay staged if a run stores the changes as a patch', async () => {
    const project = await withStaged()
    const { staged, unstaged } = repository(project)
    expect((await project.qanat('run', '--allow_dirty', 'it', 'true')).code).toBe(0)
    expect(repository(project)).toMatchObject({ staged, unstaged })
  })
})
