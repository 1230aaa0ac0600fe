import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { faultPoint } from '../fault-point.js'
import { placeIn, statsOf } from '../files.js'

/** A change in a folder. Paths are relative to it; `.` is the folder itself. What is not there is passed over. */
export type Change =
  /** Makes a folder, with those around it. */
  | { readonly make: string }
  /** Gives a file or a folder another name on the same file system. What a link leads to stays where it is. */
  | { readonly move: string; readonly to: string }
  /** Moves everything in a subfolder except these names. If a link is in the place of the subfolder, the link is moved. */
  | { readonly empty: string; readonly into: string; readonly except: readonly string[] }
  /** Removes a file, or a folder with all that is in it. */
  | { readonly remove: string }
  /** Removes a folder if nothing is in it, and if it can be removed. */
  | { readonly removeEmpty: string }

/** Makes changes in a folder of this machine, in their order. @throws the error of the file system at the first that fails */
export function changeFolder(folder: string, changes: Iterable<Change>): void {
  const at = (path: string) => join(folder, path)
  for (const change of changes) {
    if ('make' in change) mkdirSync(at(change.make), { recursive: true })
    else if ('move' in change) move(at(change.move), at(change.to))
    else if ('remove' in change) rmSync(at(change.remove), { recursive: true, force: true })
    else if ('removeEmpty' in change) removeEmpty(at(change.removeEmpty))
    else if (change.empty !== '.' && statsOf(at(change.empty), lstatSync)?.isSymbolicLink())
      move(at(change.empty), at(change.into))
    else empty(at(change.empty), at(change.into), change.except)
  }
}

function move(from: string, to: string): void {
  if (!statsOf(from, lstatSync)) return
  mkdirSync(dirname(to), { recursive: true })
  rename(from, to)
}

function rename(from: string | Buffer, to: string | Buffer): void {
  renameSync(from, to)
  faultPoint('file-moved')
}

/** Scripts may give names that are not UTF-8. */
function empty(folder: string, into: string, except: readonly string[]): void {
  if (!statsOf(folder, lstatSync)) return
  for (const name of readdirSync(folder, { encoding: 'buffer' })) {
    if (except.includes(name.toString())) continue
    mkdirSync(into, { recursive: true })
    rename(placeIn(folder, name), placeIn(into, name))
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // It stays.
  }
}
