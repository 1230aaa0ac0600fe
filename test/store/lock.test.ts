import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { withLock } from '../../src/store/locks/lock.js'
import { folderWith } from '../project/temporary.js'

/** A program that has the lock until it is ended. */
async function holderOf(file: string): Promise<ChildProcess> {
  const code = `
    new (require(process.argv[1]))(process.argv[2]).exec('BEGIN EXCLUSIVE')
    console.log('held')
    process.stdin.resume()`
  const driver = createRequire(import.meta.url).resolve('better-sqlite3')
  const child = spawn(process.execPath, ['-e', code, driver, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout!, 'data')
  return child
}

test('of many programs that want a lock, one has it at a time, and each gets it', async () => {
  const file = join(folderWith(), 'deep/lock')
  let inside = 0
  const most: number[] = []
  const work = async () => {
    most.push(++inside)
    await sleep(5)
    inside--
  }
  await Promise.all(Array.from({ length: 8 }, () => withLock(file, work)))
  expect(most).toEqual(Array(8).fill(1))
})

test('a program that stalls keeps its lock, and one that is killed leaves it to the next', async () => {
  const file = join(folderWith(), 'lock')
  const holder = await holderOf(file)
  holder.kill('SIGSTOP')
  const events: string[] = []
  const next = withLock(file, async () => void events.push('next'))
  await Promise.race([next, sleep(300)])
  events.push('killed')
  holder.kill('SIGKILL')
  await next
  expect(events).toEqual(['killed', 'next'])
})

test('work that fails releases the lock', async () => {
  const file = join(folderWith(), 'lock')
  const failure = new Error('no such luck')
  await expect(withLock(file, () => Promise.reject(failure))).rejects.toBe(failure)
  expect(await withLock(file, async () => 'in')).toBe('in')
})
