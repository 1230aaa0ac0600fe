import { existsSync, statSync } from 'node:fs'
import { Document } from 'yaml'
import { UserError } from '../../errors.js'
import { editCopy, findEditor } from '../../system/editor.js'
import { atomicWrite, realPath } from '../../system/files.js'
import type { Project } from '../find-project.js'
import { editMapping, withoutKey } from '../yaml/edit-mapping.js'
import { isMapping } from '../yaml/schema.js'
import { keepAsWritten, parseYaml, readText, readYaml } from '../yaml/yaml-source.js'
import {
  type Context,
  checkContextName,
  findContext,
  givenKeys,
  personalContexts,
  placeOfContext,
  readContexts,
} from './contexts.js'

/** The keys of a context, as a file gives them. */
export type GivenKeys = Readonly<Record<string, unknown>>

/** Adds a context to the personal file. @throws UserError if there is one of that name, or a key is wrong: nothing has changed then */
export function addPersonal(project: Project, name: string, given: GivenKeys): Context {
  checkContextName(name)
  const known = placeOfContext(project, name)
  if (known !== null)
    throw new UserError(`there is a context '${name}' already, in ${known}`, `qanat context show ${name}`)
  const file = personalContexts()
  const before = personalText()
  const said = parseYaml(before, file, 'text')
  const added = String(new Document({ [name]: given }))
  const wanted = new Document(said.value() as object | null)
  // Numbers and quoted texts stay what they are.
  const isEmpty = said.value() === null
  if (!isEmpty) wanted.set(name, (parseYaml(added, file, 'text').document as Document).get(name))
  const text = isEmpty ? `${before}${added}` : editMapping(before, file, said.document, wanted)
  const context = findContext(project, name, text)
  write(file, text)
  return context
}

/** Adds a context to the personal file that is like another one, in whichever file that is. @throws UserError as `addPersonal` */
export function copyPersonal(project: Project, name: string, copy: string): Context {
  return addPersonal(project, copy, givenKeys(project, name))
}

/** Removes a context from the personal file. @throws UserError if it is in another one */
export function deletePersonal(project: Project, name: string): void {
  const file = placeOfContext(project, name)
  if (file === null) findContext(project, name)
  if (file !== personalContexts()) throw new UserError(`the context '${name}' is in ${file}`, `remove it there`)
  write(file, withoutKey(readText(file), file, [name]))
}

/** A context as YAML, as its files give it. @throws UserError if there is none of that name */
export function contextText(project: Project, name: string): string {
  return String(new Document({ [name]: givenKeys(project, name) })).trimEnd()
}

/** The keys of a context in a file: alone, or below its name. @throws UserError if the file has none */
export function readKeys(file: string, name: string): GivenKeys {
  const source = readYaml(file)
  if (source.document.contents) keepAsWritten(source.document.contents)
  const value = source.value()
  const keys = isMapping(value) && Object.keys(value).join() === name ? value[name] : value
  if (isMapping(keys)) return keys
  throw source.fail([], 'expected the keys of a context', 'for example: host: hpc')
}

/** The text of the personal file; empty if there is none. */
export function personalText(): string {
  const file = personalContexts()
  return existsSync(file) ? readText(file) : ''
}

/**
 * Lets the user edit a copy of the personal file.
 * @param editor the one that the settings name, if they do
 * @param text what is in the file
 * @param save saves the edited text; if it throws, the copy is kept, which the hint names
 * @returns whether anything has changed
 * @throws UserError if a context is wrong that was not before; it names the file that keeps the edited text
 */
export function editPersonalCopy(
  project: Project,
  editor: string | null,
  text: string,
  save: (edited: string, hint: string) => Promise<void>,
): Promise<boolean> {
  return editCopy(findEditor(editor), { name: 'contexts.yaml', text, links: {} }, async copy => {
    const edited = readText(copy)
    if (edited === text) return false
    const hint = `nothing was changed; your text is in ${copy}`
    try {
      refuseNewMistakes(project, text, edited)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      throw new UserError(error.message, hint)
    }
    await save(edited, hint)
    return true
  })
}

/** @throws UserError for a mistake of a context that the text before did not have */
function refuseNewMistakes(project: Project, before: string, after: string): void {
  const { broken } = readContexts(project, after)
  const [first] = [...broken].find(([name, { message }]) => mistakesIn(project, before).get(name) !== message) ?? []
  if (first !== undefined) throw broken.get(first)!
}

/** What was wrong with each context; nothing is known of a text that could not be read at all. */
function mistakesIn(project: Project, text: string): Map<string, string> {
  try {
    return new Map(Array.from(readContexts(project, text).broken, ([name, { message }]) => [name, message]))
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return new Map()
  }
}

/** Replaces the personal file. */
export function writePersonal(text: string): void {
  write(personalContexts(), text)
}

/** If the file is a link, its target is written. Its mode stays; a new one is readable for its owner alone. */
function write(file: string, text: string): void {
  const target = realPath(file)
  atomicWrite(target, text, existsSync(target) ? statSync(target).mode & 0o777 : 0o600)
}
