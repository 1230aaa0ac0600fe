import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { atomicWrite, replaceInSteps, writeDurably } from '../../src/system/files.js'
import { folderWith } from '../project/temporary.js'
import { lacksMounts, skips } from '../skips.js'

const reason = new Error('interrupted')

/** Pieces of text, before the third of which something happens. */
function* pieces(happens: () => void) {
  const large = 'x'.repeat(1_100_000)
  yield large
  yield large
  happens()
  yield large
}

const interrupts = (controller: AbortController) => controller.abort(reason)
const fails = () => {
  throw reason
}
test.each([
  ['an interruption', interrupts],
  ['an error', fails],
])('after %s in the middle, an earlier file is as it was, and nothing else is left', async (_, happens) => {
  const folder = folderWith({ 't.csv': 'earlier' })
  const controller = new AbortController()
  const path = join(folder, 't.csv')
  const text = pieces(() => happens(controller))
  await expect(replaceInSteps(path, each => writeDurably(each, text), controller.signal)).rejects.toBe(reason)
  expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['t.csv'], 'earlier'])
})

test('a signal that comes meanwhile is noticed', async () => {
  const folder = folderWith({})
  const controller = new AbortController()
  const interrupt = () => controller.abort(reason)
  process.once('SIGUSR2', interrupt)
  const steps = (temporary: string) => writeDurably(temporary, endless())
  await expect(replaceInSteps(join(folder, 't.csv'), steps, controller.signal)).rejects.toBe(reason)
  process.off('SIGUSR2', interrupt)
  expect(readdirSync(folder)).toEqual([])

  function* endless() {
    process.kill(process.pid, 'SIGUSR2')
    for (;;) yield 'x'.repeat(1_100_000)
  }
})

test.skipIf(skips('a file on a full disk', lacksMounts()))(
  'a file for which a disk has too little space is not stored in part',
  () => {
    const folder = folderWith({})
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', folder])
    onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
    const path = join(folder, 't.csv')
    writeFileSync(path, 'earlier')
    expect(() => atomicWrite(path, 'x'.repeat(100_000))).toThrow('ENOSPC')
    expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['t.csv'], 'earlier'])
  },
)

test('bytes and texts are written as they are', async () => {
  const folder = folderWith({})
  const path = join(folder, 'deep/t')
  const { signal } = new AbortController()
  await replaceInSteps(path, temporary => writeDurably(temporary, [Uint8Array.of(0, 255), Uint8Array.of(1)]), signal)
  expect([...readFileSync(path)]).toEqual([0, 255, 1])
  writeFileSync(path, '')
  await replaceInSteps(path, temporary => writeDurably(temporary, ['ü', 'b']), signal)
  expect(readFileSync(path, 'utf8')).toBe('üb')
})
