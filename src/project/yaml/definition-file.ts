import { basename, dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { UserError } from '../../errors.js'
import {
  atomicWrite,
  createFile,
  exists,
  isFile,
  makeFolder,
  refuseLink,
  removeFile,
  renameFile,
} from '../../system/files.js'
import { isMapping } from './schema.js'
import { parseYaml, readText, type YamlSource } from './yaml-source.js'

/**
 * Reads a definition, or the file that says where one is.
 * @param root of the project, absolute
 * @param file relative to it, as in messages
 * @throws QanatError if it cannot be read, or git has left a conflict in it
 */
export function readDefinitionFile(root: string, file: string): YamlSource {
  const path = join(root, file)
  // A pipe would let every command wait.
  if (!isFile(path) && exists(path)) throw new UserError(`${file} is no file`, 'put a YAML file in its place')
  const text = readText(path, file)
  const line = text.split('\n').findIndex(each => /^(<{7}|>{7}) /.test(each)) + 1
  if (line === 0) return parseYaml(text, file, 'text')
  throw new UserError(
    `${file}:${line}:1: git has left a conflict here`,
    `keep one side, without the lines of <<<<<<<, ======= and >>>>>>>, then: git add ${file}`,
  )
}

/**
 * The file that a registering file names; null if it is the definition itself.
 * @returns relative to the project
 * @throws UserError if it says something else, too
 */
export function namedFile(source: YamlSource): string | null {
  const value = source.value()
  if (!isMapping(value) || !Object.hasOwn(value, 'file')) return null
  const other = Object.keys(value).find(key => key !== 'file')
  const hint = 'it says file: PATH and nothing else, or it is the definition itself'
  if (other !== undefined) throw source.fail([other], 'there is a file, which says everything else', hint, 'key')
  if (typeof value.file === 'string' && value.file !== '') return value.file
  throw source.fail(['file'], 'expected the path of a YAML file, relative to the project', hint)
}

/** The text of a registering file that names another one. */
export function namingText(file: string): string {
  return stringify({ file }, { lineWidth: 0 })
}

/** Makes a file that registers a thing. @param file relative to the project @throws QanatError if something is there already */
export function createDefinition(root: string, file: string, text: string): void {
  refuseLinks(root, file)
  makeFolder(join(root, dirname(file)))
  createFile(join(root, file), text)
}

/** Writes a definition anew. @param path absolute */
export function writeDefinition(path: string, text: string): void {
  atomicWrite(path, text)
}

/** Gives a file that registers a thing another name. @param after relative to the project, as `before` @throws UserError if it is taken */
export function renameDefinition(root: string, before: string, after: string): void {
  refuseLinks(root, before)
  renameFile(join(root, before), basename(after))
}

/** Removes a file that registers a thing, if it is there. @param file relative to the project */
export function removeDefinitionFile(root: string, file: string): void {
  refuseLinks(root, file)
  removeFile(join(root, file))
}

/** @throws UserError if a folder of definitions is a link: what it leads to is not ours */
function refuseLinks(root: string, file: string): void {
  const folder = dirname(file)
  for (const each of [dirname(folder), folder]) refuseLink(join(root, each))
}
