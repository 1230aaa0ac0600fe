import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Aside } from '../../src/server/aside.js'
import { lives } from '../e2e/processes.js'

const [, program] = process.argv
let folder: string

// The process that answers is another one of the same program, which this script stands for.
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qanat-aside-'))
  process.argv[1] = join(folder, 'program.cjs')
  const answer = `process.on('message', ({ id }) => process.send({ id, reply: { body: String(process.pid) } }))`
  writeFileSync(process.argv[1], `${answer}\nprocess.on('disconnect', () => process.exit())\n`)
})
afterEach(() => {
  process.argv[1] = program!
  rmSync(folder, { recursive: true })
})

const url = new URL('http://127.0.0.1/api/experiments/it/compare')

test('a question to a process that has just been killed gets an error, and the next one goes to another process', async () => {
  const aside = new Aside([])
  const first = Number((await aside.ask(url)).body)
  process.kill(first, 'SIGKILL')
  // Nothing is told to this process before it waits for something.
  const limit = Date.now() + 600_000
  while (lives(first)) if (Date.now() > limit) throw new Error(`process ${first} still lives`)
  const reply = await aside.ask(url)
  expect([reply.status, JSON.parse(String(reply.body)).error.message]).toEqual([
    500,
    'the process that compares and draws has ended: SIGKILL',
  ])
  const second = Number((await aside.ask(url)).body)
  expect(second).not.toBe(first)
  aside.close()
})
