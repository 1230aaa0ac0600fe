import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { highestRunId, isTaken, runFoldersIn } from '../../src/runfolder/folders.js'
import { folderWith } from '../project/temporary.js'
import { recordOf } from './records.js'

describe('the folders of runs in a result folder', () => {
  test('are those with the right name, with their records', () => {
    const results = folderWith({
      'it/run_3/.run/run.yaml': recordOf({ id: 3 }),
      'it/run_4/stdout.txt': '',
      'it/run_0/stdout.txt': '',
      'it/run_x/stdout.txt': '',
      'it/notes/run_5/stdout.txt': '',
      '.trash/run_6/.run/run.yaml': recordOf({ id: 6 }),
      run_7: 'a file',
    })
    const found = runFoldersIn(results).map(({ folder, recorded }) => [folder, recorded?.id])
    expect(found.sort()).toEqual([
      [join(results, 'it/run_3'), 3],
      [join(results, 'it/run_4'), undefined],
    ])
  })

  test('are not searched for through a link', () => {
    const elsewhere = folderWith({ 'run_1/.run/run.yaml': recordOf() })
    const results = folderWith()
    symlinkSync(elsewhere, join(results, 'it'))
    expect(runFoldersIn(results)).toEqual([])
  })

  test('are none if there is no result folder', () => {
    expect(runFoldersIn(join(folderWith(), 'results'))).toEqual([])
    expect(highestRunId(join(folderWith(), 'results'))).toBe(0)
  })

  test('keep their numbers from being used again, even in the trash', () => {
    const results = folderWith({
      'it/run_3/stdout.txt': '',
      'other/run_12/x': '',
      '.trash/run_40/x': '',
      'it/run_y': '',
    })
    mkdirSync(join(results, 'it/run_50/.run'), { recursive: true })
    expect(highestRunId(results)).toBe(40)
  })
})

test.each([
  ['nothing', {}, false],
  ['an empty folder', { 'place/': '' }, true],
  ['what a launch left that died at once', { 'place/.run/': '' }, false],
  ['what a launch left that died later', { 'place/.run/plan': '' }, true],
  ['a folder of the user', { 'place/.run/': '', 'place/notes.txt': '' }, true],
  ['a file', { place: '' }, true],
] as [string, Record<string, string>, boolean][])(
  'the place of a run that holds %s is taken: %s',
  (_, files, taken) => {
    const folder = folderWith(Object.fromEntries(Object.entries(files).filter(([path]) => !path.endsWith('/'))))
    for (const path of Object.keys(files).filter(each => each.endsWith('/')))
      mkdirSync(join(folder, path), { recursive: true })
    expect(isTaken(join(folder, 'place'))).toBe(taken)
  },
)
