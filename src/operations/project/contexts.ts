import { basename, dirname, join } from 'node:path'
import { HERE } from '../../domain/runs/run.js'
import { UserError } from '../../errors.js'
import { type Context, findContext, personalContexts, placeOfContext } from '../../project/contexts/contexts.js'
import {
  addPersonal,
  copyPersonal,
  deletePersonal,
  editPersonalCopy,
  type GivenKeys,
  personalText,
  readKeys,
  writePersonal,
} from '../../project/contexts/edit.js'
import { readMrunner } from '../../project/contexts/import.js'
import type { Project } from '../../project/find-project.js'
import { withLock } from '../../store/locks/lock.js'
import { configuredEditor, getSetting, setSetting, unsetSetting } from './config.js'

/** Adds a context to the personal file. @throws UserError if there is one of that name, or a key is wrong: nothing has changed then */
export function addContext(project: Project, name: string, given: GivenKeys): Promise<Context> {
  return alone(async () => addPersonal(project, name, given))
}

/** The keys of a context in a file: alone, or below its name. @throws UserError if the file has none */
export function contextKeysIn(file: string, name: string): GivenKeys {
  return readKeys(file, name)
}

/** Adds a context to the personal file that is like another one. @throws UserError as `addContext` */
export function copyContext(project: Project, name: string, copy: string): Promise<Context> {
  return alone(async () => copyPersonal(project, name, copy))
}

/**
 * Adds the contexts of a settings file of mrunner to the personal file.
 * @returns the names of those that were added, and what was left out, in sentences
 * @throws UserError if the file has no contexts
 */
export function importContexts(project: Project, file: string): Promise<{ added: string[]; notes: string[] }> {
  const { imported, refused } = readMrunner(file, basename(project.root))
  const [added, notes]: [string[], string[]] = [[], [...refused]]
  return alone(async () => {
    for (const { name, keys, notes: own } of imported) {
      try {
        addPersonal(project, name, keys)
        added.push(name)
        notes.push(...own)
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        notes.push(`${name} was left out: ${error.message}`)
      }
    }
    return { added, notes }
  })
}

/** Removes a context from the personal file. @throws UserError if it is in another one */
export function deleteContext(project: Project, name: string): Promise<void> {
  return alone(async () => deletePersonal(project, name))
}

/**
 * Lets the user edit the personal file, which has a context.
 * @returns whether anything has changed
 * @throws UserError if the context is in another file, or is wrong then, or another command has changed the file meanwhile; it names
 * the file that keeps the edited text
 */
export async function editContext(project: Project, name: string): Promise<boolean> {
  const before = personalText()
  refuseElsewhere(project, name)
  const save = (text: string, hint: string) =>
    alone(async () => {
      if (personalText() !== before)
        throw new UserError(`another command has changed ${personalContexts()} meanwhile`, hint)
      writePersonal(text)
    })
  return editPersonalCopy(project, configuredEditor(project), before, save)
}

/** @throws UserError if a context is not in the personal file. One that cannot be read can be edited for any context. */
function refuseElsewhere(project: Project, name: string): void {
  let file: string | null
  try {
    file = placeOfContext(project, name)
  } catch (error) {
    if (error instanceof UserError) return
    throw error
  }
  if (file === null) findContext(project, name)
  if (file === personalContexts()) return
  throw new UserError(
    `the context '${name}' is in ${file}, which others share`,
    `edit that file, or change a copy of your own: qanat context copy ${name} NEW`,
  )
}

/** Makes a context the one in which the runs of this project are launched that name none. @throws UserError if it cannot be used */
export async function useContext(project: Project, name: string): Promise<void> {
  if (name !== HERE) {
    findContext(project, name)
    return setSetting(project, 'context', name)
  }
  if (getSetting(project, 'context').value !== null) await unsetSetting(project, 'context')
}

/** The context of that name. @throws UserError that names the nearest one */
export function contextNamed(project: Project, name: string): Context {
  return findContext(project, name)
}

/** Changes the personal file while no command does, of whatever project. */
function alone<Result>(change: () => Promise<Result>): Promise<Result> {
  return withLock(join(dirname(personalContexts()), '.contexts.lock'), change)
}
