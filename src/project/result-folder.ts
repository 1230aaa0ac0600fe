import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { UserError } from '../errors.js'
import { isFolder, nearestExisting, tryWriting } from '../system/files.js'
import { folderSize } from '../system/folder-size.js'
import { type Project, projectOf } from './find-project.js'
import { realPath } from './paths.js'

const HINT = 'qanat config set result_dir FOLDER        uses another one'

/**
 * The folder for the results of a project. `~`, `$NAME` and `${NAME}` are replaced each time it is needed, so that the same
 * settings work for several people and machines.
 * @param root of the project, absolute; it need not exist
 * @param text the setting `result_dir`
 * @returns its absolute path; it need not exist
 * @throws UserError if a variable is not set, or the folder belongs to git or Qanat, or contains the project
 */
export function resultFolderAt(root: string, text: string): string {
  const home = text.replace(/^~(?=\/|$)/, homedir())
  const expanded = home.replace(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g, (_, braced, bare) => {
    const name: string = braced ?? bare
    const value = Object.hasOwn(process.env, name) ? process.env[name] : undefined
    if (value) return value
    throw new UserError(
      `result_dir is ${text}, and the environment variable ${name} is not set here`,
      `export ${name}=FOLDER\n${HINT}`,
    )
  })
  const folder = resolve(root, expanded)
  const inside = relative(folder, root)
  if (inside === '' || !/^\.\.(\/|$)/.test(inside)) {
    throw new UserError(`result_dir ${folder} contains the project itself`, HINT)
  }
  if (/^\.(git|qanat)(\/|$)/i.test(relative(root, folder))) {
    throw new UserError(`result_dir ${folder} is used by git or by Qanat itself`, HINT)
  }
  return folder
}

/** Whether there is a folder for results yet: the first run makes it. */
export function hasResults(folder: string): boolean {
  return existsSync(folder)
}

/** What the results and the frozen copies of a project take, in bytes. @param results absolute */
export function sizesOf(
  { cacheFolder }: Project,
  results: string,
): { readonly results: number; readonly cache: number } {
  return { results: folderSize(results), cache: folderSize(cacheFolder) }
}

/**
 * Looks at the folder for results.
 * @param folder absolute
 * @returns null if there is none yet; false if something else is in its place
 * @throws OperationError that says why nothing can be written there
 */
export function tryResults(folder: string): boolean | null {
  if (!existsSync(folder)) return null
  if (!isFolder(folder)) return false
  tryWriting(folder)
  return true
}

/** Names the project whose runs a folder outside of it holds: projects that share one would take each other's runs. */
const OWNER_FILE = '.qanat_project'

/**
 * Throws a UserError for a folder that lies in another project, or holds the runs of another one.
 * @param root of the project, absolute; it need not exist
 * @param folder for results, absolute; it need not exist
 */
export function refuseOthersFolder(root: string, folder: string): void {
  const around = projectOf(nearestExisting(folder))?.root ?? root
  if (realPath(around) !== realPath(root)) {
    throw new UserError(`result_dir ${folder} lies in another project, ${around}`, HINT)
  }
  const file = join(folder, OWNER_FILE)
  const owner = existsSync(file) ? readFileSync(file, 'utf8').trim() : root
  // If the owner was moved, or is gone, this project takes its folder over.
  if (realPath(owner) === realPath(root) || !existsSync(join(owner, '.qanat', 'config.yaml'))) return
  throw new UserError(`result_dir ${folder} holds the runs of another project, ${owner}`, HINT)
}

/**
 * Notes in a folder for results that it belongs to a project, unless it is inside of it. Both exist. Of two projects that do
 * so at the same time, one gets a UserError.
 */
export function claimResultFolder(root: string, folder: string): void {
  const owner = realPath(root)
  if (`${realPath(folder)}/`.startsWith(`${owner}/`)) return
  const file = join(folder, OWNER_FILE)
  if (existsSync(file)) {
    if (readFileSync(file, 'utf8').trim() === owner) return
    refuseOthersFolder(root, folder)
    rmSync(file)
  }
  const note = `${file}.${randomUUID()}`
  try {
    writeFileSync(note, `${owner}\n`)
    if (!takesName(note, file)) refuseOthersFolder(root, folder)
  } finally {
    rmSync(note, { force: true })
  }
}

/** Gives a complete file its final name. @returns false if another file already has that name */
function takesName(file: string, name: string): boolean {
  try {
    linkSync(file, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // Some file systems have no hard links. There, the last one gets the name.
    renameSync(file, name)
  }
  return true
}
