import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { Headings, Tail } from '../../../src/cli/follow/tail.js'
import { folderWith } from '../../project/temporary.js'

test('what several files get has a heading wherever another one goes on', () => {
  const folder = folderWith()
  mkdirSync(join(folder, 'three'))
  const stream = new PassThrough({ encoding: 'utf8' })
  const headings = new Headings(stream)
  const tails = ['one', 'two', 'three'].map(name => new Tail(join(folder, name), stream, name, headings))
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
