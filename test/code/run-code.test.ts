import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isIgnored, isInCode, pathsInCopy, resolveCommit } from '../../src/code/run-code.js'
import { inspectTree } from '../../src/code/tree-state.js'
import { takeWorkingPatch } from '../../src/code/working-patch.js'
import { UserError } from '../../src/errors.js'
import { Repository } from './repository.js'

const files = { '.gitignore': 'big/\n', 'project/data/small.csv': '1\n', 'project/it.py': '', 'shared/x.csv': '2\n' }

test('data that git tracks in the project is read from the frozen copy, other data from where it is', async () => {
  const repository = new Repository(files)
  repository.write('project/big/images.h5', 'many')
  const root = join(repository.folder, 'project')
  const state = await inspectTree(root)
  const code = { state, commit: state.head, patch: null }
  const paths = ['data', 'data/small.csv', 'big', 'missing', '../shared/x.csv', '.'].map(path => join(root, path))
  expect(await pathsInCopy(root, code, '/copy', paths)).toEqual([
    '/copy/data',
    '/copy/data/small.csv',
    join(root, 'big'),
    join(root, 'missing'),
    join(repository.folder, 'shared/x.csv'),
    root,
  ])
})

test('uncommitted changes are part of the code of a run', async () => {
  const repository = new Repository(files)
  const root = join(repository.folder, 'project')
  repository.write('project/new.py', '')
  repository.write('project/big/it.py', '')
  const state = await inspectTree(root)
  const committed = { state, commit: state.head, patch: null }
  const patched = { ...committed, patch: await takeWorkingPatch(state) }
  expect(await Promise.all([isInCode(committed, 'new.py'), isInCode(patched, 'new.py')])).toEqual([false, true])
  expect(await Promise.all([isInCode(patched, 'big/it.py'), isIgnored(patched, 'big/it.py')])).toEqual([false, true])
  expect(await isIgnored(patched, 'new.py')).toBe(false)
})

test('a commit is found by its names, and by no other', async () => {
  const repository = new Repository(files)
  repository.git('tag', 'v1')
  const state = await inspectTree(repository.folder)
  for (const name of ['main', 'HEAD', 'v1']) expect(await resolveCommit(state, name)).toBe(repository.head())
  for (const name of ['nowhere', '--all', 'HEAD:project'])
    await expect(resolveCommit(state, name)).rejects.toThrow(UserError)
})
