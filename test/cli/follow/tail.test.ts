import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { Headings, Tail } from '../../../src/cli/follow/tail.js'
import { eventOf } from '../../../src/runners/htcondor/events.js'
import { folderWith } from '../../project/temporary.js'

function written() {
  const path = join(folderWith(), 'log')
  let text = ''
  const stream = new Writable({
    write(piece, _encoding, done) {
      text += piece
      done()
    },
  })
  return { path, stream, add: (more: string) => appendFileSync(path, more), text: () => text }
}

test('text that is added to a file is copied once', () => {
  const { path, stream, add, text } = written()
  const tail = new Tail({ path }, stream)
  tail.pump()
  expect([tail.isEmpty, text()]).toEqual([true, ''])
  add('one\ntw')
  tail.pump()
  add('o\n')
  tail.pump()
  tail.pump()
  expect([tail.isEmpty, text()]).toEqual([false, 'one\ntwo\n'])
})

test('from the event log of many jobs, the events of one are copied as soon as they are complete', () => {
  const { path, stream, add, text } = written()
  const tail = new Tail({ path, only: { pattern: eventOf('36', 7), end: '\n...\n' } }, stream)
  const event = (job: string, words: string) => `000 (${job}.000) 2026-03-01 10:00:00 ${words}\n\tdetails\n...\n`
  add(event('036.006', 'six') + event('036.077', 'many') + event('136.007', 'other'))
  tail.pump()
  expect([tail.isEmpty, text()]).toEqual([true, ''])
  const [begin, end] = [event('036.007', 'two').slice(0, 30), event('036.007', 'two').slice(30)]
  add(event('036.007', 'one') + event('036.017', 'no') + begin)
  tail.pump()
  add(end + event('036.008', 'no'))
  tail.pump()
  expect(text()).toBe(`${event('036.007', 'one')}${event('036.007', 'two')}`)
})

test('text of several files has a heading whenever it changes to another file', () => {
  const folder = folderWith()
  mkdirSync(join(folder, 'three'))
  const stream = new PassThrough({ encoding: 'utf8' })
  const headings = new Headings(stream)
  const tails = ['one', 'two', 'three'].map(
    name => new Tail({ path: join(folder, name), title: name }, stream, headings),
  )
  const added = (texts: Record<string, string>) => {
    for (const [name, text] of Object.entries(texts)) appendFileSync(join(folder, name), text)
    for (const tail of tails) tail.pump()
    return stream.read()
  }
  expect(added({})).toBeNull()
  expect(added({ one: 'a\n', two: 'b\n' })).toBe('==> one <==\na\n==> two <==\nb\n')
  expect(added({ two: 'c\n' })).toBe('c\n')
  expect(added({ one: 'd\n' })).toBe('==> one <==\nd\n')
  expect(added({ one: 'e\n', two: 'f\n' })).toBe('e\n==> two <==\nf\n')
})
