import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FileHashes, type HashKind } from '../../../src/project/data/file-hashes.js'
import { fileWith, folderWith } from '../temporary.js'

const unlimited = Number.POSITIVE_INFINITY
const sha256 = (content: string | Buffer) => `sha256:${createHash('sha256').update(content).digest('hex')}`

function hashOf(file: string, kind: HashKind, memory = join(folderWith(), 'memory'), until = unlimited) {
  return new FileHashes(memory).of('file', file, kind, until)
}

describe('the hash of a file', () => {
  test('of level content is its SHA-256', async () => {
    for (const content of [Buffer.alloc(9_000_000, 'abc'), '']) {
      expect(await hashOf(fileWith(content), 'content')).toBe(sha256(content))
    }
  })

  test('of level sample sees changes in the first, the last and the middle block, and in a small file', async () => {
    const content = Buffer.alloc(9_000_000, 'abc')
    const hashes = new Set([await hashOf(fileWith(content), 'sample')])
    for (const at of [0, 4_500_000, content.length - 1]) {
      const changed = Buffer.from(content)
      changed[at] = 1
      hashes.add(await hashOf(fileWith(changed), 'sample'))
    }
    hashes.add(await hashOf(fileWith(Buffer.concat([content, content])), 'sample'))
    for (const small of ['abc', 'abd']) hashes.add(await hashOf(fileWith(small), 'sample'))
    expect(hashes.size).toBe(7)
    expect(await hashOf(fileWith(content), 'sample')).toBe([...hashes][0])
  })

  test('is null for what cannot be read, and if there is no time', async () => {
    expect(await hashOf('/nowhere/at/all', 'content')).toBe(null)
    expect(await hashOf('/dev/null', 'content')).toBe(null)
    expect(await hashOf(fileWith('abc'), 'content', undefined, 0)).toBe(null)
  })

  test('is null for a file that grows while it is read', async () => {
    const file = fileWith(Buffer.alloc(9_000_000))
    const hash = hashOf(file, 'content')
    appendFileSync(file, 'more')
    expect(await hash).toBe(null)
  })
})

/** Makes a file look as if it had been written long ago. The time of its inode cannot be set. */
const later = () => Date.now() + 60_000

describe('a hash that is known', () => {
  async function remembered(file: string): Promise<string> {
    const memory = join(folderWith(), 'memory')
    const hashes = new FileHashes(memory, later)
    await hashes.of('file', file, 'content', unlimited)
    hashes.keep(true)
    return memory
  }

  test('is not computed again for a file that is as it was', async () => {
    const file = fileWith('abc')
    const memory = await remembered(file)
    expect(await hashOf(file, 'content', memory, 0)).toBe(sha256('abc'))
    expect(await hashOf(file, 'sample', memory, 0)).toBe(null)
  })

  test.each(['another file is in its place', 'it was written in place'])(
    'is computed again if %s, with the same size and time',
    async change => {
      const file = fileWith('abc')
      utimesSync(file, 1, 1)
      const memory = await remembered(file)
      const written = change === 'it was written in place' ? file : `${file}.new`
      writeFileSync(written, 'abd')
      utimesSync(written, 1, 1)
      if (written !== file) renameSync(written, file)
      expect(await hashOf(file, 'content', memory)).toBe(sha256('abd'))
    },
  )

  test('is not kept of a file that has just been written, or that was written in the future', async () => {
    const file = fileWith('abc')
    const memory = join(folderWith(), 'memory')
    const hashes = new FileHashes(memory)
    await hashes.of('file', file, 'content', unlimited)
    const future = new Date(Date.now() + 3_600_000)
    utimesSync(file, future, future)
    await hashes.of('file', file, 'content', unlimited)
    hashes.keep(true)
    expect(existsSync(memory)).toBe(false)
  })

  test('is computed again if the memory is damaged', async () => {
    for (const text of ['{', 'null', '[1]', '[["file", 3]]']) {
      expect(await hashOf(fileWith('abc'), 'content', fileWith(text))).toBe(sha256('abc'))
    }
  })
})
