import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { highestRunId, isTaken, runFoldersIn } from '../../src/runfolder/folders.js'
import { folderWith } from '../project/temporary.js'
import { recordOf } from './records.js'

describe('the folders of runs in a result folder', () => {
  test('are those with the right name, with their records', () => {
    const results = folderWith({
      ...{ 'it/run_3/.run/run.yaml': recordOf({ id: 3 }), '.trash/run_6/.run/run.yaml': recordOf({ id: 6 }) },
      ...{ 'it/run_4/a.txt': '', 'it/run_0/a.txt': '', 'it/run_x/a.txt': '', 'it/notes/run_5/a.txt': '', run_7: '' },
    })
    const found = runFoldersIn(results).map(({ folder, recorded }) => [folder, recorded?.id])
    const expected = { 'it/run_3': 3, 'it/run_4': undefined }
    expect(found.sort()).toEqual(Object.entries(expected).map(([path, id]) => [join(results, path), id]))
  })

  test('are not searched for through a link', () => {
    const results = folderWith()
    symlinkSync(folderWith({ 'run_1/.run/run.yaml': recordOf() }), join(results, 'it'))
    expect(runFoldersIn(results)).toEqual([])
  })

  test('are none if there is no result folder', () => {
    const results = join(folderWith(), 'results')
    expect([runFoldersIn(results), highestRunId(results)]).toEqual([[], 0])
  })

  test('keep their numbers from being used again, even in the trash', () => {
    const results = folderWith({ 'it/run_3/x': '', 'other/run_12/x': '', '.trash/run_40/x': '', 'it/run_y': '' })
    mkdirSync(join(results, 'it/run_50/.run'), { recursive: true })
    expect(highestRunId(results)).toBe(40)
  })
})

test.each([
  ['nothing', [], false],
  ['an empty folder', ['place/'], true],
  ['what a launch left that died at once', ['place/.run/'], false],
  ['what a launch left that died later', ['place/.run/plan'], true],
  ['a folder of the user', ['place/.run/', 'place/notes.txt'], true],
  ['a file', ['place'], true],
])('the place of a run that holds %s is taken: %j, %s', (_, paths, taken) => {
  const folder = folderWith(Object.fromEntries(paths.filter(path => !path.endsWith('/')).map(path => [path, ''])))
  for (const path of paths) if (path.endsWith('/')) mkdirSync(join(folder, path), { recursive: true })
  expect(isTaken(join(folder, 'place'))).toBe(taken)
})
