import { existsSync } from 'node:fs'
import { parseDocument } from 'yaml'
import { UserError } from '../../errors.js'
import { atomicWrite } from '../../system/files.js'
import type { Project } from '../find-project.js'
import { readText } from '../yaml/yaml-source.js'
import { type Context, checkContextName, findContext, personalContexts, readContexts } from './contexts.js'

/** Adds a context to the personal file. @throws UserError if there is one of that name, or a key is wrong: nothing has changed then */
export function addPersonal(project: Project, name: string, given: Readonly<Record<string, unknown>>): Context {
  checkContextName(name)
  const known = readContexts(project).get(name)
  if (known) throw new UserError(`there is a context '${name}' already, in ${known.file}`, `qanat context show ${name}`)
  return change(project, name, given)
}

/** Removes a context from the personal file. @throws UserError if it is in another one */
export function deletePersonal(project: Project, name: string): void {
  const { file } = findContext(project, name)
  if (file !== personalContexts()) throw new UserError(`the context '${name}' is in ${file}`, `remove it there`)
  const document = parseDocument(readText(file))
  document.deleteIn([name])
  atomicWrite(file, String(document), 0o600)
}

function change(project: Project, name: string, given: Readonly<Record<string, unknown>>): Context {
  const file = personalContexts()
  const before = existsSync(file) ? readText(file) : ''
  const document = parseDocument(before)
  document.setIn([name], given)
  atomicWrite(file, String(document), 0o600)
  try {
    return findContext(project, name)
  } catch (error) {
    atomicWrite(file, before, 0o600)
    throw error
  }
}
