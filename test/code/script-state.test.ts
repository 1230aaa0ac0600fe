import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scriptState } from '../../src/code/script-state.js'
import { folderWith } from '../project/temporary.js'
import { Repository } from './repository.js'

const made = () => new Repository({ 'draw.sh': 'one\n', other: 'x\n', '.gitignore': 'built\n' })
const stateOf = (repository: Repository, name = 'draw.sh') => scriptState(join(repository.folder, name))

describe('a script that is run beside the runs', () => {
  test('is of the last commit that changed it, not of the one that is checked out', async () => {
    const repository = made()
    const own = repository.head()
    repository.write('other', 'y\n')
    repository.commit()
    expect(await stateOf(repository)).toMatchObject({ commit: own, patch: null })
  })

  test.each([
    ['edited', 'two\n'],
    ['edited by somebody whose texts are not UTF-8', Buffer.from('caf\xe9\n', 'latin1')],
    ['replaced by what is no text', Buffer.from([0, 1, 2, 255])],
  ])('that was %s has a patch that makes it again, and stays unstaged', async (_, text) => {
    const repository = made()
    writeFileSync(join(repository.folder, 'draw.sh'), text)
    const before = repository.git('status', '--porcelain')
    const { commit, patch } = await stateOf(repository)
    expect([commit, repository.git('status', '--porcelain')]).toEqual([repository.head(), before])
    writeFileSync(join(repository.folder, '.git/patch'), patch!)
    repository.git('checkout', '--quiet', 'draw.sh')
    repository.git('apply', '.git/patch')
    expect(readFileSync(join(repository.folder, 'draw.sh'))).toEqual(Buffer.from(text))
  })

  test('that was never committed has no commit, and a patch that holds all of it', async () => {
    const repository = made()
    repository.write('a b/[new].sh', 'new\n')
    const { commit, patch } = await stateOf(repository, 'a b/[new].sh')
    expect([commit, String(patch)]).toEqual([null, expect.stringContaining('\n+new\n')])
  })

  test('that git ignores, or that lies in no repository, has only its digest', async () => {
    const repository = made()
    repository.write('built', 'new\n')
    const content = `sha256:7aa7a5359173d05b63cfd682e3c38487f3cb4f7f1d60659fe59fab1505977d4c`
    expect(await stateOf(repository, 'built')).toEqual({ commit: null, patch: null, content })
    const elsewhere = join(folderWith({ draw: 'new\n' }), 'draw')
    expect(await scriptState(elsewhere)).toEqual({ commit: null, patch: null, content })
  })

  test('that is a folder, as Python runs one, has its commit and no digest', async () => {
    const repository = new Repository({ 'package/__main__.py': 'pass\n' })
    expect(await stateOf(repository, 'package')).toEqual({ commit: repository.head(), patch: null, content: null })
  })

  test('that is a link has the state of what it leads to', async () => {
    const repository = made()
    symlinkSync('draw.sh', join(repository.folder, 'link'))
    expect(await stateOf(repository, 'link')).toEqual(await stateOf(repository))
  })
})
