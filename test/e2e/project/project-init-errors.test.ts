import { chmodSync, chownSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectError, paths } from '../expectations.js'
import { ordinaryUser, qanatAsOrdinaryUser } from '../ordinary-user.js'
import { Folder } from '../project.js'

const nobody = {
  GIT_AUTHOR_NAME: undefined,
  GIT_AUTHOR_EMAIL: undefined,
  GIT_COMMITTER_NAME: undefined,
  GIT_COMMITTER_EMAIL: undefined,
  EMAIL: undefined,
  GIT_CONFIG_NOSYSTEM: '1',
  // Git would make up an identity from the names of the user and the machine.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'user.useConfigOnly',
  GIT_CONFIG_VALUE_0: 'true',
}

/** A folder of somebody whose git has no settings. */
function strangerFolder(environment: NodeJS.ProcessEnv = {}): Folder {
  const home = new Folder()
  return new Folder({ ...nobody, HOME: home.path, ...environment })
}

describe('init makes nothing at all', () => {
  test.each([
    ['nobody', {}],
    ['only an author', { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org' }],
  ])('if git knows %s, and says what to type', async (_, known) => {
    const folder = strangerFolder(known)
    for (const args of [[], ['new/folder']]) {
      const outcome = await folder.qanat('init', '--yes', ...args)
      expectError(outcome, 2, 'git config --global user.name "', 'git config --global user.email ')
    }
    expect(paths(folder)).toEqual([])
  })

  test.each<[string, NodeJS.ProcessEnv, string[], number, ...string[]]>([
    ['if git is not installed', { PATH: '/nonexistent' }, ['--yes'], 1, 'git is not on this machine', 'install git'],
    ['without a terminal and without --yes', {}, [], 2, 'there is no terminal to ask on', '--yes'],
  ])('%s', async (_, environment, options, code, ...texts) => {
    const folder = new Folder(environment)
    for (const place of [[], ['new']]) expectError(await folder.qanat('init', ...options, ...place), code, ...texts)
    expect(paths(folder)).toEqual([])
  })

  test('in a folder whose name is not UTF-8, unlike in one that is named with the character that stands for such bytes', async () => {
    const folder = new Folder()
    const initIn = (name: string) =>
      folder.shell(`mkdir "$(printf '${name}')" && cd "$(printf '${name}')" && qanat init --yes`)
    expectError(await initIn('a\\351'), 2, 'the path of this folder is not UTF-8', 'rename the folder')
    expect(readdirSync(folder.path, { encoding: 'latin1' })).toEqual(['a\xe9'])
    expect((await initIn('b\\357\\277\\275')).code).toBe(0)
    expect(folder.has('b\ufffd/.qanat/config.yaml')).toBe(true)
  })

  test.each(['file', 'file/below'])('of %s, where there is a file', async path => {
    const folder = new Folder()
    folder.write('file', 'text')
    expectError(await folder.qanat('init', '--yes', path), 1, `${folder.path}/file is not a folder`)
    expect([paths(folder), folder.read('file')]).toEqual([['file'], 'text'])
  })

  test.each([false, true])('in a folder that cannot be written; a repository: %s', async isRepository => {
    const folder = new Folder()
    if (isRepository) {
      folder.git('init', '--quiet')
      folder.write('.gitignore', '')
      folder.commit()
      const owned = process.getuid!() === 0 ? ['.', ...paths(folder)] : []
      for (const path of owned) chownSync(join(folder.path, path), ordinaryUser.uid, ordinaryUser.gid)
    }
    chmodSync(folder.path, 0o555)
    const before = paths(folder)
    for (const args of isRepository ? [[]] : [[], ['new']]) {
      const outcome = await qanatAsOrdinaryUser(folder, '.', 'init', '--yes', ...args)
      expectError(outcome, 1, folder.path)
      expect(outcome.stderr).toMatch(/permission|written/i)
    }
    expect(paths(folder)).toEqual(before)
  })

  test.each([
    ['a folder without a repository', false, null],
    ['a repository', true, null],
    ['a repository with an empty .gitignore', true, ''],
    ['a repository with a .gitignore', true, '*.o'],
  ])('in %s if the commit fails', async (_, isRepository, gitignore) => {
    const folder = new Folder()
    if (isRepository) {
      folder.git('init', '--quiet')
      folder.write('a.txt', 'a')
      folder.commit()
    }
    if (gitignore !== null) folder.write('.gitignore', gitignore)
    const look = () => [
      paths(folder).filter(path => !path.includes('.git/')),
      isRepository && folder.git('status', '--porcelain', '--ignored'),
      gitignore !== null && folder.read('.gitignore'),
    ]
    const before = look()
    folder.environment.GIT_COMMITTER_DATE = 'not a date'
    const { code, stderr } = await folder.qanat('init', '--yes')
    expect([code, stderr]).toEqual([1, expect.stringContaining('not a date')])
    expect(look()).toEqual(before)
  })

  test('inside a repository that git cannot read, since a new one would hide it', async () => {
    const folder = new Folder()
    folder.write('.git', 'nonsense')
    folder.write('sub/x', '')
    const { code, stderr } = await folder.qanatIn('sub', 'init', '--yes')
    expect([code, stderr]).toEqual([1, expect.stringContaining('invalid gitfile format')])
    expect(paths(folder)).toEqual(['.git', 'sub', 'sub/x'])
  })

  test('in the place of a broken link', async () => {
    const folder = new Folder()
    folder.git('init', '--quiet')
    symlinkSync('/nonexistent/scratch', join(folder.path, '.qanat'))
    const before = paths(folder).filter(path => !path.includes('.git/'))
    expectError(await folder.qanat('init', '--yes'), 1, '.qanat')
    expect(paths(folder).filter(path => !path.includes('.git/'))).toEqual(before)
  })
})
