import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { explainFolder } from '../../src/runfolder/folder-errors.js'
import { folderWith } from '../project/temporary.js'

function thrownBy(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

const messageOf = (error: unknown) => (error as Error).message

test('errors at, above or below the folder of a run name that folder', () => {
  const results = folderWith({ file: '' })
  for (const path of ['file/it/run_1/.run', 'file', 'file/it']) {
    const error = thrownBy(() => mkdirSync(join(results, path)))
    expect(messageOf(explainFolder(error, join(results, 'file/it/run_1')))).toContain('file/it is not a folder')
  }
  const below = thrownBy(() => writeFileSync(join(results, 'file/run_1/.run/plan'), ''))
  expect(messageOf(explainFolder(below, join(results, 'file/run_1')))).toContain('is not a folder')
})

test('errors elsewhere are not attributed to it', () => {
  const results = folderWith({ 'shell.sh': '', run_10: '' })
  const notExecutable = spawnSync(join(results, 'shell.sh')).error!
  expect(explainFolder(notExecutable, join(results, 'it/run_1'))).toBe(notExecutable)
  const other = thrownBy(() => mkdirSync(join(results, 'run_10')))
  expect(explainFolder(other, join(results, 'run_1'))).toBe(other)
})
