import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changesSince, hasChanged, isSameCode } from '../../src/code/compare.js'
import { inspectTree } from '../../src/code/tree-state.js'
import { takeWorkingPatch } from '../../src/code/working-patch.js'
import { Repository } from './repository.js'

const nowhere = '0123456789012345678901234567890123456789'

describe('the code of a run', () => {
  const changes: [string, (repository: Repository) => void, boolean][] = [
    ['nothing is done to it', () => {}, false],
    ['a file of it is edited', repository => repository.write('train.py', 'another\n'), true],
    ['a file is added to it', repository => repository.write('new.py', 'new\n'), true],
    ['it is committed', repository => repository.commit(), true],
    ['the run itself writes files', repository => repository.write('results/it/run_1/model.pt', 'weights'), false],
    ['a file of arguments changes', repository => repository.write('grid.yaml', 'other\n'), false],
    ['settings change', repository => repository.write('.qanat/config.yaml', 'other\n'), false],
  ]

  const hasChangedSince = async (repository: Repository, tree: string | null, commit: string) =>
    hasChanged(repository.folder, { commit, tree }, join(repository.folder, 'results/it/run_1'), [
      join(repository.folder, 'grid.yaml'),
    ])

  test.each(changes)('is compared after %s', async (_, change, expected) => {
    const repository = new Repository({ 'train.py': 'one\n', 'grid.yaml': 'x\n', '.qanat/config.yaml': 'x\n' })
    const commit = repository.head()
    change(repository)
    expect(await hasChangedSince(repository, null, commit)).toBe(expected)
  })

  test.each(changes.filter(([name]) => !/arguments/.test(name)))(
    'with changes that were not committed is compared after %s',
    async (_, change, expected) => {
      const repository = new Repository({ 'train.py': 'one\n', 'it.py': 'x\n', '.qanat/config.yaml': 'x\n' })
      const commit = repository.head()
      repository.write('it.py', 'not committed\n')
      const { tree } = await takeWorkingPatch(await inspectTree(repository.folder))
      change(repository)
      expect(await hasChangedSince(repository, tree, commit)).toBe(expected)
    },
  )
})

describe('two commits', () => {
  test.each([
    ['train.py', false],
    ['below/.qanat/x', false],
    ['.qanat/config.yaml', true],
    ['paper/main.tex', true],
    ['papers/main.tex', false],
  ])('that differ in %s have the same code: %s', async (path, expected) => {
    const repository = new Repository({ 'train.py': 'one\n' })
    const one = repository.head()
    repository.write(path, 'changed\n')
    repository.commit()
    const tree = await inspectTree(repository.folder)
    expect(await isSameCode(tree, one, repository.head(), [join(repository.folder, 'paper')])).toBe(expected)
  })

  test('of which one is not in the repository do not have the same code', async () => {
    const repository = new Repository({ 'train.py': 'one\n' })
    const tree = await inspectTree(repository.folder)
    expect(await isSameCode(tree, nowhere, repository.head(), [])).toBe(false)
  })
})

test('a script is compared with that of a commit, which need not be in the repository', async () => {
  const repository = new Repository({ 'plot.py': 'one\n' })
  const commit = repository.head()
  expect(await changesSince(repository.folder, commit, 'plot.py')).toBe('')
  repository.write('plot.py', 'two\n')
  expect(await changesSince(repository.folder, commit, 'plot.py')).toMatch(/^-one\n\+two$/m)
  expect(await changesSince(repository.folder, nowhere, 'plot.py')).toBe('')
})
