import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isFolder } from '../system/files.js'

/** The files given with `--parameters_file`. @param folder of a group @returns absolute paths; none without that option */
export function parameterFiles(folder: string): { readonly title: string; readonly path: string }[] {
  const files = join(folder, 'parameters_files')
  return isFolder(files) ? readdirSync(files).map(title => ({ title, path: join(files, title) })) : []
}
