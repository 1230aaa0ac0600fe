import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { hasProgram } from '../../src/system/programs.js'
import { folderWith } from '../project/temporary.js'

test('a program is a file that may be started, by its name or its path', () => {
  const folder = folderWith({ notes: '', tool: '' })
  vi.stubEnv('PATH', `/nowhere:${join(folder, 'notes')}:${folder}`)
  mkdirSync(join(folder, 'checkout'))
  chmodSync(join(folder, 'tool'), 0o755)
  const found = ['checkout', 'notes', 'absent', 'tool'].filter(name => hasProgram(name))
  expect(found).toEqual(['tool'])
  expect(['checkout', 'notes', 'tool'].filter(name => hasProgram(join(folder, name)))).toEqual(found)
  vi.unstubAllEnvs()
})
