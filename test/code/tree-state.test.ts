import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inspectTree } from '../../src/code/tree-state.js'
import { cases } from '../cases.js'
import { Repository } from './repository.js'

const content = 'one\ntwo\nthree\nfour\n'

describe('the changes of a tree', () => {
  test('distinguish staged and unstaged changes', () => {
    const repository = new Repository({ a: content, b: content, c: content, d: content, e: content })
    for (const path of ['a', 'c', 'f']) repository.write(path, 'changed\n')
    repository.git('add', 'a', 'c', 'f')
    repository.git('rm', '--quiet', 'e')
    rmSync(join(repository.folder, 'd'))
    for (const path of ['b', 'c', 'new folder/b', 'new folder/c']) repository.write(path, 'changed again\n')
    expect(repository.changes()).toEqual(['M  a', ' M b', 'MM c', ' D d', 'D  e', 'A  f', '?? new folder/'])
  })

  test('name a renamed file by its new path, and skip its former path', () => {
    // The former path looks like an entry of its own.
    const repository = new Repository({ '1 former name': content, '? b': content, c: content })
    repository.git('mv', '1 former name', 'new name')
    repository.git('mv', '? b', 'u b')
    repository.write('u b', `${content}five\n`)
    repository.write('c', 'changed\n')
    expect(repository.changes()).toEqual([' M c', 'R  new name', 'RM u b'])
  })

  test('show conflicts', () => {
    const repository = new Repository({ 'both edited': content, 'deleted here': content, 'deleted there': content })
    const commit = (text: string, deleted: string, ...edited: string[]) => {
      for (const path of ['both edited', 'both added', ...edited]) repository.write(path, text)
      rmSync(join(repository.folder, deleted))
      repository.commit()
    }
    repository.git('checkout', '--quiet', '-b', 'other')
    commit('theirs\n', 'deleted there', 'deleted here')
    repository.git('checkout', '--quiet', 'main')
    commit('ours\n', 'deleted here', 'deleted there')
    expect(() => repository.git('merge', '--quiet', 'other')).toThrow()
    const conflicts = ['AA both added', 'UU both edited', 'DU deleted here', 'UD deleted there']
    expect(repository.changes().sort()).toEqual(conflicts.sort())
  })

  test('show paths whose kind of file has changed', () => {
    const repository = new Repository({ a: content, b: content })
    rmSync(join(repository.folder, 'a'))
    repository.git('config', 'core.symlinks', 'true')
    symlinkSync('b', join(repository.folder, 'a'))
    expect(repository.changes()).toEqual([' T a'])
  })

  test('are found in the first and the last of many files at which git was told not to look', async () => {
    const count = cases(1_500)
    const paths = Array.from({ length: count }, (_, at) => `${'long'.repeat(50)}-${1_000 + at}`)
    const repository = new Repository(Object.fromEntries(paths.map(path => [path, content])))
    for (const half of [paths.slice(0, count / 2), paths.slice(count / 2)])
      repository.git('update-index', '--assume-unchanged', ...half)
    const edited = [paths[0]!, paths.at(-1)!]
    for (const path of edited) repository.write(path, 'changed\n')
    expect(repository.changes()).toEqual([])
    const { changes } = await inspectTree(repository.folder)
    expect(changes.map(({ path }) => path)).toEqual(edited)
  })

  test('name every path exactly, whatever characters it contains', () => {
    const name = fc
      .oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.stringMatching(/^[ 12u?!#"'\\\n\t.-]{1,8}$/))
      // Not by UTF-16: half of a character is no name.
      .map(text => [...text.replaceAll('\0', '').replaceAll('/', '')].slice(0, 30).join(''))
      .filter(text => text !== '' && !/^(\.+|\.git)$/i.test(text))
    const names = fc.uniqueArray(name, { minLength: 1, maxLength: 12, selector: text => text.normalize() })
    fc.assert(
      fc.property(names, all => {
        const repository = new Repository(Object.fromEntries(all.map((path, at) => [`d/${path}`, `${at}\n${content}`])))
        const changes = all.map((path, at) => change(repository, path, at))
        expect(repository.changes().sort()).toEqual(changes.sort())
      }),
      { numRuns: cases(15), endOnFailure: true },
    )
  })
})

describe('the files of the last commit', () => {
  const files = { 'a-b': '1', 'a/b.py': '2', 'a.b': '3', 'two lines\n\té': '4', tool: '5' }
  const committed = async ({ folder }: Repository) => (await inspectTree(folder)).committed

  test('are told as git lists them, where nothing has changed since', async () => {
    const repository = new Repository(files)
    chmodSync(join(repository.folder, 'tool'), 0o755)
    symlinkSync('tool', join(repository.folder, 'link'))
    repository.commit()
    expect(await committed(repository)).toBe(repository.git('ls-tree', '-r', '-z', '--full-tree', 'HEAD'))
  })

  test.each<[string, (repository: Repository) => void]>([
    ['a file is edited', repository => repository.write('tool', 'edited')],
    [
      'a file that git was told not to look at is edited',
      repository => {
        repository.write('tool', 'edited')
        repository.git('update-index', '--assume-unchanged', 'tool')
      },
    ],
    [
      'a file is only in the index',
      repository => {
        repository.write('new', 'new')
        repository.git('add', 'new')
        rmSync(join(repository.folder, 'new'))
      },
    ],
    [
      'a submodule is taken out of the index alone',
      repository => {
        const other = new Repository(files)
        repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.folder, 'sub')
        repository.commit()
        repository.git('rm', '--quiet', '--cached', 'sub')
      },
    ],
  ])('are not told where they may be others: %s', async (_, change) => {
    const repository = new Repository(files)
    change(repository)
    expect(await committed(repository)).toBeNull()
  })
})

/** Changes a file in one of three ways, and returns how that has to show. */
function change(repository: Repository, path: string, number: number): string {
  const kind = number % 3
  if (kind === 0) {
    repository.write(`d/${path}`, 'changed\n')
    return ` M d/${path}`
  }
  if (kind === 1) {
    rmSync(join(repository.folder, 'd', path))
    return ` D d/${path}`
  }
  mkdirSync(join(repository.folder, 'e'), { recursive: true })
  renameSync(join(repository.folder, 'd', path), join(repository.folder, 'e', path))
  repository.git('--literal-pathspecs', 'add', '--all', '--', `d/${path}`, `e/${path}`)
  return `R  e/${path}`
}
