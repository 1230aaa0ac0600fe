import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Folder } from '../e2e/project.js'

/** Every file below a folder with its text, every link with what it leads to. */
export function contents({ path }: Folder): Record<string, string> {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries.map(entry => {
      const file = join(entry.parentPath, entry.name)
      if (entry.isSymbolicLink()) return [file, `-> ${readlinkSync(file)}`]
      return [file, entry.isFile() ? readFileSync(file, 'latin1') : '/']
    }),
  )
}

/** A folder of somebody else, in which everything has the name of something that Qanat deletes, moves or writes over. */
export function victim(): Folder {
  const folder = new Folder()
  const names = 'stdout.txt stderr.txt info.yaml group_info.yaml comment.md run.yaml it.yaml plan'.split(' ')
  const run = ['group_0', 'group_1', '.run', '.run/attempts/1', 'attempts/1', 'records', 'data'].map(at => `${at}/`)
  for (const place of ['', 'run_1/', 'it/run_1/', '.trash/run_1/', '0123456789ab/']) {
    for (const below of ['', ...run]) for (const name of names) folder.write(place + below + name, 'precious')
  }
  return folder
}
