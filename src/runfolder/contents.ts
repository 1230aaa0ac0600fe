import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The files that came with `--parameters_file`. @param folder of a group @returns absolute paths; none without that option */
export function parameterFiles(folder: string): { readonly title: string; readonly path: string }[] {
  const files = join(folder, 'parameters_files')
  return existsSync(files) ? readdirSync(files).map(title => ({ title, path: join(files, title) })) : []
}
