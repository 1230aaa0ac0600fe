import { type Context, findContext } from '../../project/contexts/contexts.js'
import { addPersonal, deletePersonal } from '../../project/contexts/edit.js'
import type { Project } from '../../project/find-project.js'
import { withProjectLock } from '../../store/locks/project-lock.js'

/** Adds a context to the personal file. @throws UserError if there is one of that name, or a key is wrong: nothing has changed then */
export function addContext(project: Project, name: string, given: Readonly<Record<string, unknown>>): Promise<Context> {
  return withProjectLock(project, 'config', async () => addPersonal(project, name, given))
}

/** Removes a context from the personal file. @throws UserError if it is in another one */
export function deleteContext(project: Project, name: string): Promise<void> {
  return withProjectLock(project, 'config', async () => deletePersonal(project, name))
}

/** The context of that name. @throws UserError that names the nearest one */
export function contextNamed(project: Project, name: string): Context {
  return findContext(project, name)
}
