import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperationError, UserError } from '../errors.js'
import { setConfigValue } from './config-edit.js'
import { projectAt } from './find-project.js'

/** What the user chose. */
export interface ProjectSettings {
  readonly resultDir: string
  readonly defaultEditor: string | null
}

/**
 * Checks that a project can be made of a folder, and makes nothing.
 * @param folder absolute; it need not be there
 * @returns the folder itself, or the nearest above it that is there
 * @throws QanatError where it has a `.qanat` already, or a file is in the way
 */
export function checkNewProject(folder: string): string {
  const qanat = join(folder, '.qanat')
  const existing = nearestFolder(folder)
  const away = `move it away: mv ${qanat} ${qanat}-old`
  if (existsSync(qanat)) throw new UserError(`${qanat} is there, but it has no config.yaml`, away)
  if (lstatSync(qanat, { throwIfNoEntry: false })) throw new OperationError(`${qanat} leads nowhere`, away)
  return existing
}

function nearestFolder(folder: string): string {
  if (!existsSync(folder)) return nearestFolder(dirname(folder))
  if (statSync(folder).isDirectory()) return folder
  throw new OperationError(`${folder} is not a folder`, 'name another one: qanat init FOLDER')
}

/**
 * Makes an empty `.qanat`, which only one of several programs can, and the folders above it.
 * @returns what removes all that was made, with what has come into it
 * @throws OperationError for the other programs
 */
export function makeProjectFolder(folder: string): () => void {
  const qanat = join(folder, '.qanat')
  const made = mkdirSync(folder, { recursive: true })
  try {
    mkdirSync(qanat)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new OperationError(`another 'qanat init' is at work on ${qanat}`, 'try again in a moment')
  }
  return () => rmSync(made ?? qanat, { recursive: true, force: true })
}

/**
 * Writes the configuration of a new project, and what git is to ignore in `.qanat`.
 * @param template folder of the template
 * @returns what was written, relative to the project
 */
export function writeSettings(folder: string, template: string, settings: ProjectSettings): string[] {
  const project = projectAt(folder, [])
  writeFileSync(join(folder, '.qanat/.gitignore'), readFileSync(join(template, 'gitignore')))
  writeFileSync(project.configFile, readFileSync(join(template, 'config.yaml')))
  setConfigValue(project, 'result_dir', JSON.stringify(settings.resultDir))
  if (settings.defaultEditor) setConfigValue(project, 'default_editor', JSON.stringify(settings.defaultEditor))
  return ['.qanat/.gitignore', '.qanat/config.yaml']
}
