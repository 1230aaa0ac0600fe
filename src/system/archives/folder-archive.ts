import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { UserError } from '../../errors.js'
import type { Archive } from './archive.js'

/** An archive that is a new folder. @param path absolute @throws UserError if there is something that is not an empty folder */
export function folderArchive(path: string): Archive {
  refuseFull(path)
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`
  mkdirSync(temporary)
  return {
    add(name, pieces) {
      const target = join(temporary, name)
      mkdirSync(dirname(target), { recursive: true })
      const file = openSync(target, 'wx')
      try {
        for (const piece of pieces) writeFileSync(file, piece)
      } finally {
        closeSync(file)
      }
    },
    close() {
      refuseFull(path)
      // An empty folder is replaced, and nothing else can be.
      renameSync(temporary, path)
    },
    discard: () => rmSync(temporary, { recursive: true, force: true }),
  }
}

function refuseFull(path: string): void {
  if (!existsSync(path) || (statSync(path).isDirectory() && readdirSync(path).length === 0)) return
  throw new UserError(`${path} exists already, and nothing is written over it`, 'give a folder that does not exist yet')
}
