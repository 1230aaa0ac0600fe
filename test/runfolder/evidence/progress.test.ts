import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readProgress } from '../../../src/runfolder/evidence/progress.js'
import { cases, testAny } from '../../cases.js'
import { folderWith } from '../../project/temporary.js'

/** What a progress file with this text says at the first look. */
function progressIn(text: string): number | null {
  return readProgress(join(folderWith({ 'progress.txt': text }), 'progress.txt'), null)!.percentage
}

describe('progress.txt', () => {
  test.each([
    ['', null],
    ['starting', null],
    ['50%', null],
    ['tqdm\n  0%|          | 0/50 [00:00<?, ?it/s]', 0],
    ['tqdm\n\r  2%|▏  | 1/50 [00:01<00:49]\r 34%|███▍  | 17/50 [00:17<00:33]', 34],
    ['tqdm\n 34%|███▍  | 17/50\nsome note of the script\n', 34],
    ['tqdm\nepoch 1: 100%|███| 10/10\nepoch 2:  10%|█  | 1/10', 10],
    ['tqdm\n12.5%|█▎ | 1/8', 12.5],
    ['tqdm\n100%|██████████| 50/50 [00:50<00:00]', 100],
    ['tqdm\n 70%|███ | 35/50\nfinished\n', 100],
    ['count_total=8\r\n1\r\n3\r\n', 50],
    ['count_total=2.5\n0.5\n0.5', 40],
    ['count_total=8\n\n1\noops\n1', 25],
    ['count_total=8\n5\n5', 100],
    ['count_total=8\n2\n-1', 12.5],
    ['count_total=8\n-3', 0],
    ['count_total=8\n1\nfinished', 100],
    ['count_total=0\n1', null],
    ['finished', 100],
    ['finished\n1', null],
  ])('%j is %j', (text, progress) => {
    expect(progressIn(text)).toBe(progress)
  })

  const anyLine = fc.oneof(fc.string(), fc.double().map(String), fc.constantFrom('3%', '900%', 'finished', 'tqdm'))
  const first = fc.oneof(fc.constantFrom('tqdm', 'count_total=10', 'count_total=0.1'), anyLine)
  testAny([first, fc.array(anyLine)])('is unknown or 0 to 100, whatever the text', (head, lines) => {
    const progress = progressIn([head, ...lines].join('\n'))
    expect(progress === null || (progress >= 0 && progress <= 100)).toBe(true)
  })

  const line = fc.constantFrom('1', '2.5', 'oops', ' 30%|', 'epoch 2: 70%', '')
  const text = fc
    .tuple(fc.constantFrom('tqdm', 'count_total=40', 'other'), fc.array(line, { maxLength: 12 }))
    .map(([head, lines]) => `${[head, ...lines].join('\n')}\n`)
  testAny([text, fc.nat()], { numRuns: cases(200) })(
    'is the same whether it is read once or in steps',
    (whole, anywhere) => {
      const file = join(folderWith(), 'progress.txt')
      const cut = anywhere % whole.length
      writeFileSync(file, whole.slice(0, cut))
      const first = readProgress(file, null)
      appendFileSync(file, whole.slice(cut))
      expect(readProgress(file, first)!.percentage).toBe(progressIn(whole))
    },
  )

  test('of any size is added up over several refreshes, each of which reads a limited amount', () => {
    const file = join(folderWith(), 'progress.txt')
    const line = `1${' '.repeat(1022)}\n`
    writeFileSync(file, `count_total=300000\n${line.repeat(150_000)}`)
    const looks = [readProgress(file, null)!]
    while (looks.length < 6) looks.push(readProgress(file, looks.at(-1)!)!)
    expect(looks.map(({ percentage }) => Math.round(percentage!))).toEqual([22, 44, 50, 50, 50, 50])
    expect(looks.at(-1)!.sum).toBe(150_000)
  })

  test('has a line skipped that is longer than what one refresh reads', () => {
    const file = join(folderWith(), 'progress.txt')
    writeFileSync(file, 'count_total=4\n1\n')
    const size = 150 * 1024 ** 2
    truncateSync(file, size)
    let cursor = readProgress(file, null)!
    expect(cursor.offset).toBeLessThan(size)
    while (cursor.offset < size) cursor = readProgress(file, cursor)!
    appendFileSync(file, '\n1\n')
    expect(readProgress(file, cursor)!.percentage).toBe(50)
  })

  test('is unknown if a script has made something else in its place', () => {
    const folder = folderWith()
    mkdirSync(join(folder, 'folder'))
    execFileSync('mkfifo', [join(folder, 'pipe')])
    symlinkSync('nowhere', join(folder, 'link'))
    symlinkSync('pipe', join(folder, 'link to a pipe'))
    const names = ['folder', 'pipe', 'link', 'link to a pipe', 'nothing']
    expect(names.map(name => readProgress(join(folder, name), null))).toEqual(names.map(() => null))
  })
})
