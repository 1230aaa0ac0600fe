import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  changedCode,
  changedLines,
  changesSince,
  differenceOfTree,
  diffOfCode,
  hashOfCode,
} from '../../src/code/compare.js'
import { inspectTree } from '../../src/code/tree-state.js'
import { takeWorkingPatch } from '../../src/code/working-patch.js'
import { codeCounter, usualIgnores } from '../../src/domain/code-used.js'
import { Repository } from './repository.js'

const nowhere = '0123456789012345678901234567890123456789'

const nothing = { uses: [], ignores: [], own: [], registered: [], others: [], never: [] }
/** The whole repository but texts and a file of parameters. */
const counts = codeCounter({ ...nothing, ignores: usualIgnores, others: ['paper'], never: ['grid.yaml'] })

const recorded = (commit: string) => ({ commit, tree: null })

test.each([
  ['nothing is done to it', [], false, false],
  ['a file of it is edited', ['train.py'], false, true],
  ['a file is added to it', ['new/new.py'], false, true],
  ['it is committed', [], true, false],
  ['a text is edited', ['README.md'], false, false],
  ['a text is committed', ['README.md'], true, false],
  ['a file of it is edited and committed', ['train.py'], true, true],
  ['the run itself writes files', ['results/it/run_1/model.pt'], false, false],
  ['a file of arguments changes', ['grid.yaml'], false, false],
  ['settings change', ['.qanat/config.yaml'], false, false],
])('the code of a run, with changes or without, is compared after %s', async (_, paths, isCommitted, hasChanged) => {
  const files = { 'train.py': 'one\n', 'it.py': '', 'grid.yaml': 'x\n', '.qanat/config.yaml': '' }
  for (const edited of [[], ['it.py']]) {
    const repository = new Repository(files)
    const commit = repository.head()
    for (const path of edited) repository.write(path, 'not committed\n')
    const patch = await takeWorkingPatch(await inspectTree(repository.folder))
    for (const path of paths) repository.write(path, 'another\n')
    if (isCommitted) repository.commit()
    const storage = join(repository.folder, 'results/it/run_1')
    const recorded = { commit, tree: edited.length === 0 ? null : patch.tree }
    const { changed, files: named } = await differenceOfTree(repository.folder, storage, recorded, counts)
    expect([edited, changed, named.length > 0]).toEqual([edited, hasChanged, hasChanged])
  }
})

describe('of two commits', () => {
  /** Both ends of a change. */
  const changed = (path: string, prefix = '') => {
    const repository = new Repository({ [`${prefix}train.py`]: 'one\n' })
    const before = repository.head()
    repository.write(`${prefix}${path}`, 'changed\n')
    repository.commit()
    return { repository, before: recorded(before), after: recorded(repository.head()) }
  }

  test.each([
    ['train.py', true],
    ['below/.qanat/x', false],
    ['.qanat/config.yaml', false],
    ['paper/main.tex', false],
    ['papers/main.tex', true],
    ['notes/a file\nof two lines é.py', true],
  ])('that differ in %j, that is among what has changed: %s', async (path, expected) => {
    const { repository, before, after } = changed(path)
    const tree = await inspectTree(repository.folder)
    expect(await changedCode(tree, before, after, counts)).toEqual(expected ? [path] : [])
    expect((await hashOfCode(tree, before, counts)) === (await hashOfCode(tree, after, counts))).toBe(!expected)
  })

  test('of a project below the root of its repository, paths are relative to the project', async () => {
    const { repository, before, after } = changed('paper/main.tex', 'project/')
    const outside = changed('paper/main.tex')
    const below = await inspectTree(join(repository.folder, 'project'))
    expect(await changedCode(below, before, after, counts)).toEqual([])
    outside.repository.write('project/train.py', 'two\n')
    const beside = await inspectTree(join(outside.repository.folder, 'project'))
    expect(await changedCode(beside, outside.before, outside.after, counts)).toEqual(['../paper/main.tex'])
  })

  test('a submodule counts by its commit, also if git is told not to show its changes', async () => {
    const library = new Repository({ 'lib.py': 'one\n' })
    const repository = new Repository({ 'train.py': 'one\n' })
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.folder, 'lib')
    repository.git('config', '--file', '.gitmodules', 'submodule.lib.ignore', 'all')
    repository.commit()
    const before = repository.head()
    library.write('lib.py', 'two\n')
    library.commit()
    repository.git('-C', 'lib', '-c', 'protocol.file.allow=always', 'pull', '--quiet')
    repository.git('add', '--force', 'lib')
    repository.commit()
    const tree = await inspectTree(repository.folder)
    const usesOf = (pattern: string) => codeCounter({ ...nothing, uses: [pattern] })
    const [one, other] = [recorded(before), recorded(repository.head())]
    expect(await changedCode(tree, one, other, usesOf('lib/source/*.py'))).toEqual(['lib'])
    expect(await changedCode(tree, one, other, usesOf('/other/*.py'))).toEqual([])
    const hashes = [one, other].map(each => hashOfCode(tree, each, usesOf('lib/source/*.py')))
    expect(new Set(await Promise.all(hashes)).size).toBe(2)
  })

  test('that differ in files whose names are not UTF-8, these are among what is shown', async () => {
    const repository = new Repository({ 'p/train.py': 'one\n' })
    const before = recorded(repository.head())
    mkdirSync(join(repository.folder, 'p/a[b]*'))
    for (const name of ['a[b]*/\xe9.py', 'x\xfe\xff', 'x\xff\xfe', 'x-\xe9.md', '\xc3\xa9*\xff.py']) {
      writeFileSync(Buffer.from(`${repository.folder}/p/${name}`, 'latin1'), 'odd\n')
    }
    for (const name of ['x', 'xy', 'é*e.py', 'a[b]*/e.py']) repository.write(`p/${name}`, 'even\n')
    repository.commit()
    const between = [await inspectTree(join(repository.folder, 'p')), before, recorded(repository.head())] as const
    const files = (await changedCode(...between, counts))!.filter(file => file.includes('\uFFFD'))
    const names = ['a[b]*/\uFFFD.py', 'x\uFFFD\uFFFD', 'x\uFFFD\uFFFD', 'é*\uFFFD.py'].sort()
    expect([...files].sort()).toEqual(names)
    const lines = await changedLines(...between, files)
    const shown = lines.map(({ path, added, removed }) => `${path} ${added} ${removed}`).sort()
    expect(shown).toEqual(names.map(name => `${name} 1 0`))
    const diff = await diffOfCode(...between, files)
    expect([diff.match(/^\+odd$/gm), diff.match(/^\+even$/gm)]).toEqual([Array(4).fill('+odd'), null])
  })

  test('one that is not in the repository cannot be compared', async () => {
    const repository = new Repository({ 'train.py': 'one\n' })
    const tree = await inspectTree(repository.folder)
    expect(await changedCode(tree, recorded(nowhere), recorded(repository.head()), counts)).toBeNull()
    expect(await hashOfCode(tree, recorded(nowhere), counts)).toBeNull()
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
