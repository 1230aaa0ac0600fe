import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { UserError } from '../../errors.js'
import { explainWriting, makeFolder } from '../files.js'

/** Makes a new folder, and its parents unless they exist. @throws UserError if something is there already */
export function createFolder(path: string): void {
  makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw explainWriting(error, path)
    throw new UserError(`${path} exists already`, 'give a name that does not exist yet')
  }
}
