import { appendFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { Tail } from '../../../src/cli/follow/tail.js'
import { eventOf } from '../../../src/runners/htcondor/events.js'

function written() {
  const path = join(mkdtempSync(join(tmpdir(), 'qanat-tail-')), 'log')
  let text = ''
  const stream = new Writable({
    write(piece, _encoding, done) {
      text += piece
      done()
    },
  })
  return { path, stream, add: (more: string) => appendFileSync(path, more), text: () => text }
}

test('what is added to a file is copied once, after the title', () => {
  const { path, stream, add, text } = written()
  const tail = new Tail(path, stream, '==> it <==\n')
  tail.pump()
  expect([tail.isEmpty, text()]).toEqual([true, ''])
  add('one\ntw')
  tail.pump()
  add('o\n')
  tail.pump()
  tail.pump()
  expect([tail.isEmpty, text()]).toEqual([false, '==> it <==\none\ntwo\n'])
})

test('of the event log of many jobs the events of one are copied, each once it is whole', () => {
  const { path, stream, add, text } = written()
  const tail = new Tail(path, stream, '==> job 36.7 <==\n', { pattern: eventOf('36', 7), end: '\n...\n' })
  const event = (job: string, words: string) => `000 (${job}.000) 2026-03-01 10:00:00 ${words}\n\tdetails\n...\n`
  add(event('036.006', 'six') + event('036.077', 'many') + event('136.007', 'other'))
  tail.pump()
  expect([tail.isEmpty, text()]).toEqual([true, ''])
  const [begin, end] = [event('036.007', 'two').slice(0, 30), event('036.007', 'two').slice(30)]
  add(event('036.007', 'one') + event('036.017', 'no') + begin)
  tail.pump()
  add(end + event('036.008', 'no'))
  tail.pump()
  expect(text()).toBe(`==> job 36.7 <==\n${event('036.007', 'one')}${event('036.007', 'two')}`)
})
