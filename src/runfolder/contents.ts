import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a script or a scheduler has written into a file; null where the file is not there yet. */
export function writtenIn(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** The files that came with `--parameters_file`. @param folder of a group @returns absolute paths; none without that option */
export function parameterFiles(folder: string): { readonly title: string; readonly path: string }[] {
  const files = join(folder, 'parameters_files')
  return existsSync(files) ? readdirSync(files).map(title => ({ title, path: join(files, title) })) : []
}
