import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, linkSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from '../../domain/crc32.js'
import { UserError } from '../../errors.js'
import type { Archive } from './archive.js'

// The format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT. Nothing is compressed, so that the sizes of a file
// are known once it is copied: a header is written again then. All sizes and places are in the form for large files (zip64),
// where they have 8 bytes.

/** Features that a reader needs: 4.5 has zip64. */
const version = 45
/** Names are in UTF-8. */
const flags = 0x800
/** 1 January 1980, the first day of the format: files do not get times that are not theirs. */
const date = 0x21
/** In place of a number of 4 bytes that stands behind, in 8 bytes. */
const behind = 0xffffffff

interface Entry {
  readonly name: Buffer
  readonly place: number
  readonly size: number
  readonly crc: number
}

/** An archive that is a new ZIP file. @param path absolute @throws UserError if there is something */
export function zipArchive(path: string): Archive {
  refuseExisting(path)
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`
  const file = openSync(temporary, 'wx')
  const entries: Entry[] = []
  let end = 0
  const write = (bytes: Uint8Array, place = end) => {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, place + at)
    end = Math.max(end, place + bytes.length)
  }
  return {
    add(name, pieces) {
      const place = end
      const entry = { name: Buffer.from(name), place, size: 0, crc: 0 }
      write(localHeader(entry))
      for (const piece of pieces) {
        write(piece)
        entry.crc = crc32(piece, entry.crc)
        entry.size += piece.length
      }
      write(localHeader(entry), place)
      entries.push(entry)
    },
    close() {
      const place = end
      for (const entry of entries) write(centralHeader(entry))
      write(endRecords(entries.length, place, end - place))
      closeSync(file)
      try {
        takeName(temporary, path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') refuseExisting(path)
        throw error
      }
    },
    discard: () => rmSync(temporary, { force: true }),
  }
}

/** Gives a complete file its final name; unlike a rename alone, this fails with EEXIST if there is something. */
function takeName(file: string, name: string): void {
  try {
    linkSync(file, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    // Some file systems, such as exFAT, have no hard links. There, an empty file of ours is replaced.
    closeSync(openSync(name, 'wx'))
    renameSync(file, name)
  }
  rmSync(file, { force: true })
}

function refuseExisting(path: string): void {
  if (existsSync(path)) {
    throw new UserError(`${path} exists already, and nothing is written over it`, 'give another name')
  }
}

function localHeader({ name, size, crc }: Entry): Buffer {
  const extra = numbers([2, 1], [2, 16], [8, size], [8, size])
  const head = numbers([4, 0x04034b50], [2, version], [2, flags], [2, 0], [2, 0], [2, date], [4, crc])
  return Buffer.concat([head, numbers([4, behind], [4, behind], [2, name.length], [2, extra.length]), name, extra])
}

function centralHeader({ name, size, crc, place }: Entry): Buffer {
  const extra = numbers([2, 1], [2, 24], [8, size], [8, size], [8, place])
  const made = numbers([4, 0x02014b50], [2, version], [2, version], [2, flags], [2, 0], [2, 0], [2, date], [4, crc])
  const lengths = numbers([4, behind], [4, behind], [2, name.length], [2, extra.length])
  return Buffer.concat([made, lengths, numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, behind]), name, extra])
}

function endRecords(count: number, place: number, size: number): Buffer {
  const large = numbers([4, 0x06064b50], [8, 44], [2, version], [2, version], [4, 0], [4, 0], [8, count], [8, count])
  const locator = numbers([8, size], [8, place], [4, 0x07064b50], [4, 0], [8, place + size], [4, 1])
  const few = Math.min(count, 0xffff)
  const last = numbers([4, 0x06054b50], [2, 0], [2, 0], [2, few], [2, few], [4, behind], [4, behind], [2, 0])
  return Buffer.concat([large, locator, last])
}

/** Numbers one after the other, little-endian. */
function numbers(...parts: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer {
  return Buffer.concat(
    parts.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes)
      if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value))
      else buffer.writeUIntLE(value, 0, bytes)
      return buffer
    }),
  )
}
