import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { attemptMovedBack, attemptMoves } from '../../../src/runfolder/attempt-files.js'
import { removalOf } from '../../../src/runfolder/folders.js'
import { changeFolder } from '../../../src/system/folders/changes.js'
import { writeEntries } from '../../../src/system/folders/entries.js'
import { folderWith } from '../../project/temporary.js'

/** All files and links in a folder, in their order; a name that is not UTF-8 with a character for each byte. */
function filesIn(folder: string): string[] {
  const found = execFileSync('find', ['.', '-not', '-type', 'd'], { cwd: folder, encoding: 'latin1' })
  const paths = found.split('\n').filter(path => path !== '')
  return paths.map(path => path.slice('./'.length)).sort()
}

const lost = {
  status: { state: 'lost', cause: 'vanished', started: null, finished: null, host: null, jobId: null },
} as const

describe('the files of an attempt', () => {
  test('go out of the way of the next one, those of the run stay, and all can be taken back', () => {
    const files = { '.run/plan': '', 'info.yaml': '', 'comment.md': '', 'stdout.txt': 'out', 'deep/model.pt': 'w' }
    const folder = folderWith(files)
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]), 'not UTF-8')
    const before = filesIn(folder)
    const moves = attemptMoves(1, [{ index: 0, ...lost }], false)
    changeFolder(folder, moves)
    expect(filesIn(folder)).toEqual([
      ...['.run/attempts/1/deep/model.pt', '.run/attempts/1/stdout.txt', '.run/attempts/1/ÿ', '.run/plan'],
      ...['comment.md', 'info.yaml'],
    ])
    changeFolder(folder, attemptMovedBack(moves))
    expect(filesIn(folder)).toEqual(before)
  })

  test('of several groups go each to its own place, a link instead of what it leads to, and missing ones are passed over', () => {
    const elsewhere = folderWith({ model: 'w' })
    const folder = folderWith({ 'group_0/a': '', 'group_3/a': '' })
    symlinkSync(elsewhere, join(folder, 'group_1'))
    const reports = [0, 1, 2].map(index => ({ index, attempt: 2, ...lost }))
    const moves = attemptMoves(4, reports, false)
    changeFolder(folder, moves)
    expect(filesIn(folder)).toEqual(['.run/attempts/2/group_0/a', '.run/attempts/2/group_1', 'group_3/a'])
    expect(filesIn(elsewhere)).toEqual(['model'])
    changeFolder(folder, attemptMovedBack(moves))
    expect(filesIn(folder)).toEqual(['group_0/a', 'group_1', 'group_3/a'])
  })

  test('stay for a group that goes on, but for its output', () => {
    const folder = folderWith({ 'group_1/stdout.txt': '', 'group_1/model.pt': '' })
    changeFolder(folder, attemptMoves(2, [{ index: 1, ...lost }], true))
    expect(filesIn(folder)).toEqual(['.run/attempts/1/group_1/stdout.txt', 'group_1/model.pt'])
  })
})

describe('the folder of a launch that failed', () => {
  test('goes with the folders that were made for it, as far as nobody else uses them', () => {
    const root = folderWith({ 'made/deep/run/.run/plan': '', 'made/other': '' })
    const { folder, changes } = removalOf(join(root, 'made/deep/run'), join(root, 'made'), 1)
    changeFolder(folder, changes)
    expect([filesIn(root), existsSync(join(root, 'made/deep'))]).toEqual([['made/other'], false])
  })

  test('stays if it was there before, without our files', () => {
    const run = folderWith({
      '.run/plan': '',
      'info.yaml': '',
      'group_0/stdout.txt': '',
      'group_1/a': '',
      mine: '',
      group_7: '',
    })
    const { folder, changes } = removalOf(run, join(run, '.run'), 2)
    changeFolder(folder, changes)
    expect(filesIn(run)).toEqual(['group_7', 'mine'])
  })
})

test('entries are written with the modes that they ask for, whatever the umask, and a secret has no other name meanwhile', () => {
  const folder = folderWith()
  mkdirSync(join(folder, '.run'))
  const seen: string[][] = []
  const watched = {
    *[Symbol.iterator]() {
      yield 'a'
      seen.push(filesIn(folder))
      yield 'b'
    },
  }
  const before = process.umask(0o000)
  const open = writeEntries(folder, [
    { path: '.run/secrets', text: watched, access: 'secret' },
    { path: '.run/settings.sh', text: ['x'], access: 'private' },
    { path: '.run/job.sh', text: ['y'], access: 'executable' },
    { path: 'new/plan', text: ['1', '2'] },
  ])
  process.umask(before)
  expect(open).toEqual([])
  expect(seen).toEqual([['.run/secrets']])
  const modes = filesIn(folder).map(path => [path, statSync(join(folder, path)).mode & 0o777])
  const expected = { '.run/job.sh': 0o777, '.run/secrets': 0o600, '.run/settings.sh': 0o600, 'new/plan': 0o666 }
  expect(Object.fromEntries(modes)).toEqual(expected)
  expect(readFileSync(join(folder, 'new/plan'), 'utf8')).toBe('12')
})
