import { existsSync, statSync } from 'node:fs'
import { Document } from 'yaml'
import { UserError } from '../../errors.js'
import { atomicWrite, realPath } from '../../system/files.js'
import type { Project } from '../find-project.js'
import { editMapping, withoutKey } from '../yaml/edit-mapping.js'
import { parseYaml, readText } from '../yaml/yaml-source.js'
import { type Context, checkContextName, findContext, personalContexts, readContexts } from './contexts.js'

/** Adds a context to the personal file. @throws UserError if there is one of that name, or a key is wrong: nothing has changed then */
export function addPersonal(project: Project, name: string, given: Readonly<Record<string, unknown>>): Context {
  checkContextName(name)
  const known = readContexts(project).get(name)
  if (known) throw new UserError(`there is a context '${name}' already, in ${known.file}`, `qanat context show ${name}`)
  const file = personalContexts()
  const before = existsSync(file) ? readText(file) : ''
  const said = parseYaml(before, file, 'text')
  const wanted = new Document({ ...(said.value() as object | null), [name]: given })
  const isEmpty = said.value() === null
  const text = isEmpty ? `${before}${wanted}` : editMapping(before, file, said.document, wanted)
  const context = findContext(project, name, text)
  write(file, text)
  return context
}

/** Removes a context from the personal file. @throws UserError if it is in another one */
export function deletePersonal(project: Project, name: string): void {
  const { file } = findContext(project, name)
  if (file !== personalContexts()) throw new UserError(`the context '${name}' is in ${file}`, `remove it there`)
  write(file, withoutKey(readText(file), file, [name]))
}

/** If the file is a link, its target is written. Its mode stays; a new one is readable for its owner alone. */
function write(file: string, text: string): void {
  const target = realPath(file)
  atomicWrite(target, text, existsSync(target) ? statSync(target).mode & 0o777 : 0o600)
}
