import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FileHashes, type HashKind } from '../../../src/system/data/file-hashes.js'

const unlimited = Number.POSITIVE_INFINITY

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'qanat-hashes-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

function fileWith(content: string | Buffer): string {
  const file = join(folder(), 'file')
  writeFileSync(file, content)
  return file
}

function hashOf(file: string, kind: HashKind, memory = join(folder(), 'memory'), until = unlimited) {
  return new FileHashes(memory).of('file', file, kind, until)
}

describe('the hash of a file', () => {
  test('of level content is its SHA-256', async () => {
    const content = Buffer.alloc(9_000_000, 'abc')
    const expected = `sha256:${createHash('sha256').update(content).digest('hex')}`
    expect(await hashOf(fileWith(content), 'content')).toBe(expected)
    expect(await hashOf(fileWith(''), 'content')).toBe(`sha256:${createHash('sha256').digest('hex')}`)
  })

  test('of level sample sees changes in the first, the last and the middle block, and in the size', async () => {
    const content = Buffer.alloc(9_000_000, 'abc')
    const hashes = new Set([await hashOf(fileWith(content), 'sample')])
    for (const at of [0, 4_500_000, content.length - 1]) {
      const changed = Buffer.from(content)
      changed[at] = 1
      hashes.add(await hashOf(fileWith(changed), 'sample'))
    }
    hashes.add(await hashOf(fileWith(Buffer.concat([content, content])), 'sample'))
    expect(hashes.size).toBe(5)
    expect(await hashOf(fileWith(content), 'sample')).toBe([...hashes][0])
  })

  test('of level sample reads all of a small file', async () => {
    expect(await hashOf(fileWith('abc'), 'sample')).not.toBe(await hashOf(fileWith('abd'), 'sample'))
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
    const memory = join(folder(), 'memory')
    const hashes = new FileHashes(memory, later)
    await hashes.of('file', file, 'content', unlimited)
    hashes.keep(true)
    return memory
  }

  test('is not computed again for a file that is as it was', async () => {
    const file = fileWith('abc')
    const memory = await remembered(file)
    expect(await hashOf(file, 'content', memory, 0)).not.toBe(null)
    expect(await hashOf(file, 'sample', memory, 0)).toBe(null)
  })

  test('is computed again for another file in its place, with the same size and time', async () => {
    const file = fileWith('abc')
    utimesSync(file, 1, 1)
    const memory = await remembered(file)
    const other = `${file}.new`
    writeFileSync(other, 'abd')
    utimesSync(other, 1, 1)
    renameSync(other, file)
    expect(await hashOf(file, 'content', memory)).toBe(`sha256:${createHash('sha256').update('abd').digest('hex')}`)
  })

  test('is computed again for a file that was written in place, and has its old time again', async () => {
    const file = fileWith('abc')
    utimesSync(file, 1, 1)
    const memory = await remembered(file)
    writeFileSync(file, 'abd')
    utimesSync(file, 1, 1)
    expect(await hashOf(file, 'content', memory)).toBe(`sha256:${createHash('sha256').update('abd').digest('hex')}`)
  })

  test('is not kept of a file that has just been written, or that was written in the future', async () => {
    const file = fileWith('abc')
    const memory = join(folder(), 'memory')
    const hashes = new FileHashes(memory)
    await hashes.of('file', file, 'content', unlimited)
    const future = new Date(Date.now() + 3_600_000)
    utimesSync(file, future, future)
    await hashes.of('file', file, 'content', unlimited)
    hashes.keep(true)
    expect(() => readFileSync(memory)).toThrow()
  })

  test('is computed again if the memory is damaged', async () => {
    const file = fileWith('abc')
    const memory = join(folder(), 'memory')
    for (const text of ['{', 'null', '[1]', '[["file", 3]]']) {
      writeFileSync(memory, text)
      expect(await hashOf(file, 'content', memory)).toMatch(/^sha256:/)
    }
  })
})
