import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { UserError } from '../errors.js'
import { faultPoint } from './fault-point.js'

/**
 * Writes a file so that a reader, and a crash, sees the old text or the new one and never a part.
 * The text may come in pieces, of which about a megabyte is held at a time.
 */
export function atomicWrite(path: string, text: string | Iterable<string>, mode = 0o666): void {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.new`
  try {
    writeDurably(temporary, typeof text === 'string' ? [text] : text, mode)
    faultPoint('file-new')
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function writeDurably(path: string, pieces: Iterable<string>, mode: number): void {
  const file = openSync(path, 'w', mode)
  try {
    let held = ''
    for (const piece of pieces) {
      held += piece
      if (held.length > 1_000_000) {
        writeSync(file, held)
        held = ''
      }
    }
    if (held !== '') writeSync(file, held)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Makes a folder and those above it, unless they are there. */
export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true })
}

/** @throws UserError for a link where a file or folder of ours belongs: what it leads to is not ours to change */
export function refuseLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return
  throw new UserError(`${path} is a link, and what it leads to is left alone`, `remove the link: rm ${path}`)
}
