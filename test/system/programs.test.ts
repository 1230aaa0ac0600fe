import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { hasProgram, runProgram } from '../../src/system/programs.js'
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

test.each([
  [undefined, ['JOB', 'JOB_NAME', 'JOB_CONF', 'OTHER'], 'a'],
  [{ set: { JOB: 'b', NEW: 'c' } }, ['JOB', 'JOB_NAME', 'JOB_CONF', 'OTHER', 'NEW'], 'b'],
  [{ unset: ['OTHER', 'JOB'], set: { JOB: 'b' } }, ['JOB', 'JOB_NAME', 'JOB_CONF'], 'b'],
  [{ unset: ['JOB_*', 'OTHE'], keep: ['JOB_CONF'] }, ['JOB', 'JOB_CONF', 'OTHER'], 'a'],
])('with the change %j, a program has its own variables %j', async (environment, names, job) => {
  for (const name of ['JOB', 'JOB_NAME', 'JOB_CONF', 'OTHER']) vi.stubEnv(name, 'a')
  const { stdout } = await runProgram(['env'], { ...(environment && { environment }), timeout: 60_000 })
  const had = new Map(stdout.split('\n').map(line => line.split('=') as [string, string]))
  expect(['JOB', 'JOB_NAME', 'JOB_CONF', 'OTHER', 'NEW'].filter(name => had.has(name))).toEqual(names)
  expect(had.get('JOB')).toBe(job)
  expect(had.get('PATH')).toBe(process.env.PATH)
  vi.unstubAllEnvs()
})
