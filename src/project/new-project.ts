import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperationError, UserError } from '../errors.js'
import { refuseLink } from '../system/files.js'
import { setConfigValue } from './config-edit.js'
import { projectAt, withoutSettings } from './find-project.js'

/** The settings that the user chose. */
export interface ProjectSettings {
  readonly resultDir: string
  readonly defaultEditor: string | null
}

/**
 * Checks that a folder can become a project, and makes nothing.
 * @param folder absolute; it need not exist
 * @returns the folder itself, or the nearest one above it that exists
 * @throws QanatError if it has a `.qanat` already, or a file is in the way
 */
export function checkNewProject(folder: string): string {
  const qanat = join(folder, '.qanat')
  const existing = nearestFolder(folder)
  const away = `move it away: mv ${qanat} ${qanat}-old`
  if (existsSync(projectAt(folder, []).databaseFile)) throw withoutSettings(folder)
  if (existsSync(qanat)) throw new UserError(`${qanat} already exists, but it has no config.yaml`, away)
  if (lstatSync(qanat, { throwIfNoEntry: false })) throw new OperationError(`${qanat} is a broken link`, away)
  return existing
}

function nearestFolder(folder: string): string {
  if (!existsSync(folder)) return nearestFolder(dirname(folder))
  if (statSync(folder).isDirectory()) return folder
  throw new OperationError(`${folder} is not a folder`, 'choose another one: qanat init FOLDER')
}

/**
 * Makes an empty `.qanat`, and the folders above it. Of several programs at the same time, only one succeeds.
 * @returns a function that removes everything that was made, with its contents
 * @throws OperationError in the other programs
 */
export function makeProjectFolder(folder: string): () => void {
  const qanat = join(folder, '.qanat')
  const made = mkdirSync(folder, { recursive: true })
  try {
    mkdirSync(qanat)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new OperationError(`another 'qanat init' is making ${qanat}`, 'try again in a moment')
  }
  return () => rmSync(made ?? qanat, { recursive: true, force: true })
}

/**
 * Writes the configuration of a new project, and the `.gitignore` of `.qanat`.
 * @param template folder of the template
 * @returns the files that were written, relative to the project
 */
export function writeSettings(folder: string, template: string, settings: ProjectSettings): string[] {
  const project = projectAt(folder, [])
  writeIgnoreFile(folder, template)
  writeFileSync(project.configFile, readFileSync(join(template, 'config.yaml')))
  setConfigValue(project, 'result_dir', JSON.stringify(settings.resultDir))
  if (settings.defaultEditor) setConfigValue(project, 'default_editor', JSON.stringify(settings.defaultEditor))
  return ['.qanat/.gitignore', '.qanat/config.yaml']
}

/** @throws UserError if the `.gitignore` of a folder is a link: what is added to it would be written elsewhere */
export function refuseIgnoreLink(folder: string): void {
  refuseLink(join(folder, '.gitignore'))
}

/** Writes the `.gitignore` of `.qanat`. @param template folder of the template @returns a function that removes it */
export function writeIgnoreFile(folder: string, template: string): () => void {
  const file = join(folder, '.qanat/.gitignore')
  writeFileSync(file, readFileSync(join(template, 'gitignore')))
  return () => rmSync(file, { force: true })
}

/** Whether a project was made by the older program: it has settings, but not the file that every project of ours tracks. */
export function isOlderProject(folder: string): boolean {
  return !existsSync(join(folder, '.qanat/.gitignore'))
}
