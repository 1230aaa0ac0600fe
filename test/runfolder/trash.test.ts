import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UserError } from '../../src/errors.js'
import {
  movesFromTrash,
  movesToTrash,
  removalFromTrash,
  removeEmptyTrash,
  type TrashedRun,
} from '../../src/runfolder/trash.js'
import { changeFolder } from '../../src/system/folders/changes.js'
import { folderWith } from '../project/temporary.js'
import { recordOf } from './records.js'

const run = { id: 1, token: '7b0f9a52-6f0f-4d0c-8d5a-0d5f3c9f5a10' }
const files = { 'it/run_1/.run/run.yaml': recordOf(run), 'it/run_1/model.pt': 'weights' }
const other = recordOf({ id: 1, token: '7b0f9a52-6f0f-4d0c-8d5a-0d5f3c9f5a11' })

function moveToTrash(results: string, run: TrashedRun, folder: string): void {
  changeFolder(results, movesToTrash(results, run, folder))
}

/** Whether its place is free. */
function takeFromTrash(results: string, run: TrashedRun, folder: string): boolean {
  const moves = movesFromTrash(results, run, folder)
  changeFolder(results, moves ?? [])
  return moves !== null
}

function discard(results: string, run: TrashedRun): void {
  changeFolder(results, removalFromTrash(results, run))
}

describe('the trash', () => {
  test('takes the folder of a run, and can restore it', () => {
    const results = folderWith(files)
    const folder = join(results, 'it/run_1')
    moveToTrash(results, run, folder)
    expect(existsSync(folder)).toBe(false)
    expect(readFileSync(join(results, '.trash/run_1/model.pt'), 'utf8')).toBe('weights')
    expect(takeFromTrash(results, run, folder)).toBe(true)
    expect(readFileSync(join(folder, 'model.pt'), 'utf8')).toBe('weights')
  })

  test('takes no folder of another run, no link, and no folder outside the results', () => {
    const results = folderWith({ 'it/run_1/.run/run.yaml': other })
    moveToTrash(results, run, join(results, 'it/run_1'))
    const elsewhere = folderWith(files)
    symlinkSync(join(elsewhere, 'it/run_1'), join(results, 'it/run_2'))
    moveToTrash(results, run, join(results, 'it/run_2'))
    symlinkSync(join(elsewhere, 'it'), join(results, 'linked'))
    moveToTrash(results, run, join(results, 'linked/run_1'))
    moveToTrash(results, run, join(elsewhere, 'it/run_1'))
    expect(existsSync(join(results, '.trash'))).toBe(false)
    expect(existsSync(join(elsewhere, 'it/run_1/model.pt'))).toBe(true)
  })

  test('restores nothing to a place where something else is, and nothing that somebody else put there', () => {
    const results = folderWith(files)
    const folder = join(results, 'it/run_1')
    moveToTrash(results, run, folder)
    mkdirSync(folder)
    expect(takeFromTrash(results, run, folder)).toBe(false)
    expect(existsSync(join(results, '.trash/run_1/model.pt'))).toBe(true)
    const others = folderWith({ '.trash/run_1/.run/run.yaml': other })
    expect(takeFromTrash(others, run, join(others, 'it/run_1'))).toBe(true)
    expect(['.trash/run_1', 'it/run_1'].map(path => existsSync(join(others, path)))).toEqual([true, false])
  })

  test('that is a link is neither used nor removed', () => {
    const results = folderWith(files)
    const elsewhere = folderWith()
    symlinkSync(elsewhere, join(results, '.trash'))
    expect(() => takeFromTrash(results, run, join(results, 'it/run_1'))).toThrow(UserError)
    removeEmptyTrash(results)
    expect([existsSync(join(results, '.trash')), existsSync(elsewhere)]).toEqual([true, true])
  })

  test('removes the files of the run for good, and nothing that somebody else put there', () => {
    const results = folderWith(files)
    moveToTrash(results, run, join(results, 'it/run_1'))
    discard(results, { id: 1, token: '7b0f9a52-6f0f-4d0c-8d5a-0d5f3c9f5a12' })
    expect(existsSync(join(results, '.trash/run_1'))).toBe(true)
    discard(results, run)
    expect(existsSync(join(results, '.trash/run_1'))).toBe(false)
    mkdirSync(join(results, '.trash/mine'))
    removeEmptyTrash(results)
    expect(existsSync(join(results, '.trash/mine'))).toBe(true)
    renameSync(join(results, '.trash/mine'), join(results, 'mine'))
    removeEmptyTrash(results)
    expect(existsSync(join(results, '.trash'))).toBe(false)
  })
})
