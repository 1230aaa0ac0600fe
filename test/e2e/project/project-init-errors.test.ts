import { chmodSync, chownSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectError, paths } from '../expectations.js'
import { ordinaryUser, qanatAsOrdinaryUser } from '../ordinary-user.js'
import { Folder } from '../project.js'

test.each([false, true])(
  'init makes nothing at all in a folder that cannot be written; a repository: %s',
  async isRepository => {
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
  },
)
