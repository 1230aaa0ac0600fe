import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { atomicWrite } from '../../system/files.js'

/** Beside the program: build.js makes them. */
const shipped = join(import.meta.dirname, 'schemas')

/** The schemas that a project has of its YAML files, by which editors complete and check them. */
function folderOf(root: string): string {
  return join(root, '.qanat/schemas')
}

/** The first line of a YAML file, by which editors find its schema. @param folder with the schemas, from the file */
export function schemaReference(folder: string, name: string): string {
  return `# yaml-language-server: $schema=${folder}/${name}.json\n`
}

/**
 * Writes the schemas of this version of the program into a project, where they differ from what is there.
 * @returns what was written, relative to the project
 */
export function writeSchemas(root: string): string[] {
  const written = existsSync(folderOf(root)) ? [] : letGitTrack(root)
  for (const name of readdirSync(shipped).sort()) {
    const text = readFileSync(join(shipped, name), 'utf8')
    const file = join(folderOf(root), name)
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    atomicWrite(file, text)
    written.push(relative(root, file))
  }
  return written
}

/** A project that was made before there were schemas ignores all of `.qanat` but what there was. */
function letGitTrack(root: string): string[] {
  const file = '.qanat/.gitignore'
  const lines = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8').trimEnd().split('\n') : []
  if (!lines.includes('/*') || lines.includes('!/schemas/')) return []
  atomicWrite(join(root, file), `${[...lines, '!/schemas/'].join('\n')}\n`)
  return [file]
}
