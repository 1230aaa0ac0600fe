import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  createWriteStream,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeZip } from 'client-zip'
import { UserError } from '../../errors.js'
import { aboutFile, explainWriting } from '../../system/files.js'

/** A file of an archive. Its name is relative, with slashes; its content is read before the next file is asked for. */
export interface Entry {
  readonly name: string
  readonly content: AsyncIterable<Uint8Array>
}

/** What was copied of a file. */
export interface Copied {
  /** In bytes. */
  readonly size: number
  /** SHA-256 in hexadecimal digits. */
  readonly sha256: string
}

/** In bytes. A stream would take ten times as long for a small file. */
const pieceSize = 64 * 1024

/** The entry of a text. */
export function textEntry(name: string, text: string): AsyncGenerator<Entry, Copied> {
  return entryOf(name, [Buffer.from(text)])
}

/** The entry of a file. */
export function fileEntry(name: string, source: string): AsyncGenerator<Entry, Copied> {
  return entryOf(name, piecesOf(source))
}

async function* entryOf(name: string, pieces: Iterable<Uint8Array>): AsyncGenerator<Entry, Copied> {
  const hash = createHash('sha256')
  let size = 0
  async function* read() {
    for (const piece of pieces) {
      hash.update(piece)
      size += piece.length
      yield piece
    }
  }
  yield { name, content: read() }
  return { size, sha256: hash.digest('hex') }
}

function* piecesOf(source: string): Iterable<Uint8Array> {
  const file = openSync(source, 'r')
  try {
    for (;;) {
      const buffer = Buffer.allocUnsafe(pieceSize)
      const count = readSync(file, buffer)
      if (count === 0) return
      yield buffer.subarray(0, count)
    }
  } finally {
    closeSync(file)
  }
}

/**
 * Writes files into a new folder, or into a ZIP file if the name ends so; it appears when it is complete.
 * @param path absolute; nothing, or an empty folder for a folder
 * @throws UserError if something else is there
 */
export async function writeArchive(path: string, entries: AsyncIterable<Entry>): Promise<void> {
  try {
    await (path.toLowerCase().endsWith('.zip') ? writeZip(path, entries) : writeFolder(path, entries))
  } catch (error) {
    throw aboutFile(error, path)
  }
}

/**
 * Writes files into a new folder, which appears when it is complete.
 * @param path absolute; nothing or an empty folder
 * @throws UserError if something else is there
 */
export async function writeFolder(path: string, entries: AsyncIterable<Entry>): Promise<void> {
  const refuseFull = () => {
    if (existsSync(path) && !(statSync(path).isDirectory() && readdirSync(path).length === 0)) throw inTheWay(path)
  }
  refuseFull()
  await inNewFolder(path, async temporary => {
    for await (const { name, content } of entries) {
      const target = join(temporary, name)
      mkdirSync(dirname(target), { recursive: true })
      await writeFile(target, content, { flag: 'wx' })
    }
    refuseFull()
    // An empty folder is replaced, and nothing else can be.
    renameSync(temporary, path)
  })
}

/**
 * Writes files into a new ZIP file, which appears when it is complete. Nothing is compressed, and no file has a time.
 * @param path absolute
 * @throws UserError if something is there
 */
export async function writeZip(path: string, entries: AsyncIterable<Entry>): Promise<void> {
  if (existsSync(path)) throw inTheWay(path)
  await inNewFolder(path, async temporary => {
    const file = join(temporary, 'zip')
    const zip = makeZip(inZip(entries))
    await pipeline(Readable.fromWeb(zip as Parameters<typeof Readable.fromWeb>[0]), createWriteStream(file))
    try {
      takeName(file, path)
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? inTheWay(path) : error
    }
  })
}

/** 1 January 1980 is the first day of the format. */
const lastModified = new Date(1980, 0, 1)

/** The folders have entries, too: a crate names its own, and who checks it looks for that entry. */
async function* inZip(entries: AsyncIterable<Entry>) {
  const folders = new Set<string>()
  for await (const { name, content } of entries) {
    for (let end = name.indexOf('/'); end >= 0; end = name.indexOf('/', end + 1)) {
      const folder = name.slice(0, end + 1)
      if (!folders.has(folder)) yield { name: folder, lastModified }
      folders.add(folder)
    }
    yield { name, input: content, lastModified }
  }
}

/** Writes in a temporary folder beside a path, of which nothing stays. */
async function inNewFolder(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`
  try {
    mkdirSync(dirname(path), { recursive: true })
    mkdirSync(temporary)
  } catch (error) {
    throw explainWriting(error, path)
  }
  try {
    await write(temporary)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
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
}

function inTheWay(path: string): UserError {
  return new UserError(`${path} exists already, and nothing is written over it`, 'give a name that does not exist yet')
}
