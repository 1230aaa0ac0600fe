import { chmodSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Document, isMap, isScalar, stringify } from 'yaml'
import { nearest, shortened } from '../domain/text/names.js'
import { UserError } from '../errors.js'
import { editCopy, findEditor } from '../system/editor.js'
import { CONFIG_FILE, type Configured, checkConfigKey, checkConfigText, readConfigText, settingsOf } from './config.js'
import { changedText, setValue, withoutKey } from './yaml/edit-mapping.js'
import { isMapping } from './yaml/schema.js'
import { parseYaml } from './yaml/yaml-source.js'

/** The value of a dotted key, or its default. Throws a UserError if it is not set. */
export function getConfigValue({ root, runners }: Configured, dottedKey: string): unknown {
  let value: unknown = settingsOf(readConfigText(root), runners)
  for (const key of splitKey(dottedKey)) {
    const keys = isMapping(value) ? Object.keys(value) : []
    if (!keys.includes(key)) throw notSet(dottedKey, nearest(key, keys))
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** The dotted keys of all settings, at every level. */
export function settingKeys({ root, runners }: Configured): string[] {
  return keysIn(settingsOf(readConfigText(root), runners), '')
}

function keysIn(value: unknown, prefix: string): string[] {
  if (!isMapping(value)) return []
  return Object.keys(value).flatMap(key => [`${prefix}${key}`, ...keysIn(value[key], `${prefix}${key}.`)])
}

/**
 * Sets a dotted key to a value written as YAML. Comments and order of the file are kept. If the result would not be a
 * valid configuration, nothing is written (UserError).
 */
export function setConfigValue(project: Configured, dottedKey: string, valueText: string): void {
  const path = splitKey(dottedKey)
  checkConfigKey(path[0] ?? '', project.runners)
  const value = parseYaml(valueText, `value of ${dottedKey}`, 'text').document.contents
  changeConfig(project, document => {
    for (let depth = 1; depth < path.length; depth++) openMapping(document, path.slice(0, depth))
    setValue(document, path, value)
  })
}

/** Removes a dotted key from the file. Throws a UserError if the file does not have it. */
export function unsetConfigValue(project: Configured, dottedKey: string): void {
  const path = splitKey(dottedKey)
  const before = readConfigText(project.root)
  const text = withoutKey(before, CONFIG_FILE, path)
  if (text === before) throw notSet(dottedKey, null)
  writeChanged(project, text)
}

function splitKey(dottedKey: string): string[] {
  const path = dottedKey.split('.')
  if (path.every(key => key !== '')) return path
  throw new UserError(`'${shortened(dottedKey)}' is not a key`, 'keys look like logging or slurm.default.--time')
}

function notSet(dottedKey: string, meant: string | null): UserError {
  return new UserError(
    `no setting '${shortened(dottedKey)}'${meant ? `. Did you mean ${meant}?` : ''}`,
    'qanat config show        shows them all',
  )
}

function changeConfig(project: Configured, change: (document: Document) => void): void {
  // Every scalar is read as text, so that unchanged values are written back unchanged.
  const before = readConfigText(project.root)
  const source = parseYaml(before, CONFIG_FILE, 'text')
  const document: Document = source.document
  if (source.value() === null) document.contents = document.createNode({})
  else if (!isMap(document.contents)) throw source.fail([], 'expected a mapping of settings')
  change(document)
  writeChanged(project, changedText(document, before))
}

function writeChanged({ root, runners }: Configured, text: string): void {
  try {
    checkConfigText(text, CONFIG_FILE, runners)
  } catch (error) {
    throw error instanceof UserError ? new UserError(error.message, `${CONFIG_FILE} was not changed`) : error
  }
  writeConfigText(root, text)
}

/** Makes a key without a value a mapping, so that nested keys can be set; its comments are kept. */
function openMapping(document: Document, path: readonly string[]): void {
  const node = document.getIn(path, true)
  if (node === undefined || isMap(node)) return
  if (!isScalar(node) || node.value !== null) {
    throw new UserError(`'${path.join('.')}' is not a mapping in ${CONFIG_FILE}`, 'to change it: qanat config edit')
  }
  const mapping = document.createNode({})
  mapping.commentBefore = [node.commentBefore, node.comment].filter(Boolean).join('\n') || null
  document.setIn(path, mapping)
}

/** Replaces the configuration file of a project atomically; if it is a link, its target. */
export function writeConfigText(projectRoot: string, text: string): void {
  const file = realpathSync(join(projectRoot, CONFIG_FILE))
  const temporary = join(dirname(file), `.config.yaml.${process.pid}.tmp`)
  try {
    writeFileSync(temporary, text, { flush: true })
    chmodSync(temporary, statSync(file).mode)
    renameSync(temporary, file)
  } catch (error) {
    // The name of the temporary file would tell a user nothing.
    throw Object.assign(error as Error, { path: file })
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** A value as YAML; text without quotes around it. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : stringify(value).trimEnd()
}

/**
 * Lets the user edit a copy of the settings, see {@link editCopy}.
 * @param editor the one that the settings name, if they do
 */
export function editConfigCopy<Result>(
  { root }: Configured,
  text: string,
  editor: string | null,
  read: (file: string) => Promise<Result>,
): Promise<Result> {
  // The text refers to the schema beside it.
  const copy = { name: 'config.yaml', text, links: { schemas: join(root, '.qanat/schemas') } }
  return editCopy(findEditor(editor), copy, read)
}
