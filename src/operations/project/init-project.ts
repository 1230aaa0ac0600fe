import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { commitOnly } from '../../code/commit-only.js'
import { checkIdentity } from '../../code/commit-tree.js'
import { type Git, GitError, openGit } from '../../code/git.js'
import { OperationError, UserError } from '../../errors.js'
import { setConfigValue } from '../../project/config-edit.js'
import { projectAt } from '../../project/find-project.js'
import { Store } from '../../store/store.js'
import { refuseLink } from '../../system/files.js'
import { writeSchemas } from '../registry/schemas.js'

/** What the user chose. */
export interface ProjectSettings {
  readonly resultDir: string
  readonly defaultEditor: string | null
}

/**
 * Makes `.qanat` in a folder from the template, in a git repository that is made where there is none, and commits
 * just that.
 * @param template folder of the template
 * @returns the abbreviated id of the commit
 * @throws UserError where git has no identity; then nothing was made
 */
export async function initProject(folder: string, template: string, settings: ProjectSettings): Promise<string> {
  const qanat = join(folder, '.qanat')
  const existing = nearestFolder(folder)
  const away = `move it away: mv ${qanat} ${qanat}-old`
  if (existsSync(qanat)) throw new UserError(`${qanat} is there, but it has no config.yaml`, away)
  if (lstatSync(qanat, { throwIfNoEntry: false })) throw new OperationError(`${qanat} leads nowhere`, away)
  refuseLink(join(folder, '.gitignore'))
  await checkIdentity(await openGit(existing))
  const made = mkdirSync(folder, { recursive: true })
  claim(qanat)
  const git = await openGit(folder)
  const project = projectAt(folder)
  let madeRepository = false
  try {
    madeRepository = await makeRepository(git)
    writeFileSync(join(qanat, '.gitignore'), readFileSync(join(template, 'gitignore')))
    writeFileSync(project.configFile, readFileSync(join(template, 'config.yaml')))
    setConfigValue(folder, 'result_dir', JSON.stringify(settings.resultDir))
    if (settings.defaultEditor) setConfigValue(folder, 'default_editor', JSON.stringify(settings.defaultEditor))
    Store.open(project.databaseFile, true).close()
    const files = ['.qanat/.gitignore', '.qanat/config.yaml', ...writeSchemas(folder)]
    return await commitProject(git, folder, settings.resultDir, files)
  } catch (error) {
    rmSync(qanat, { recursive: true, force: true })
    if (madeRepository) rmSync(join(folder, '.git'), { recursive: true, force: true })
    if (made) rmSync(made, { recursive: true, force: true })
    throw error
  }
}

/** Makes the folder, which only one of several programs can. @throws OperationError for the others */
function claim(qanat: string): void {
  try {
    mkdirSync(qanat)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new OperationError(`another 'qanat init' is at work on ${qanat}`, 'try again in a moment')
  }
}

/** The folder itself, or the nearest above it that is there. @throws OperationError where a file is in the way */
function nearestFolder(folder: string): string {
  if (!existsSync(folder)) return nearestFolder(dirname(folder))
  const stats = statSync(folder)
  if (stats.isDirectory()) return folder
  throw new OperationError(`${folder} is not a folder`, 'name another one: qanat init FOLDER')
}

/** Makes the database of a project that was cloned: everything else came with the clone. */
export function initClone(folder: string): void {
  const { databaseFile } = projectAt(folder)
  refuseLink(dirname(databaseFile))
  refuseLink(databaseFile)
  Store.open(databaseFile, true).close()
}

/** Makes a repository where there is none, and says whether it did. */
async function makeRepository(git: Git): Promise<boolean> {
  try {
    await git.run('rev-parse', '--show-toplevel')
    return false
  } catch (error) {
    if (!(error instanceof GitError && /not a git repository \(or any/.test(error.message))) throw error
    await git.run('init', '--quiet').catch((failure: Error) => {
      throw new OperationError(failure.message, 'check the permissions of the folder')
    })
    return true
  }
}

async function commitProject(git: Git, folder: string, resultDir: string, files: readonly string[]): Promise<string> {
  const additions = [`/${resultDir}`]
  if (await isIgnored(git, '.qanat/config.yaml')) additions.push('!/.qanat')
  const ignoreFile = join(folder, '.gitignore')
  const working = existsSync(ignoreFile) ? readFileSync(ignoreFile, 'utf8') : null
  const extend = (text: string) => withLines(text, additions)
  const own = files.map(path => [path, { text: readFileSync(join(folder, path), 'utf8') }])
  writeFileSync(ignoreFile, extend(working ?? ''))
  try {
    return await commitOnly(git, 'Add a Qanat project', {
      '.gitignore': { extend },
      ...Object.fromEntries(own),
    })
  } catch (error) {
    if (working === null) rmSync(ignoreFile)
    else writeFileSync(ignoreFile, working)
    throw error
  }
}

function withLines(text: string, lines: readonly string[]): string {
  const missing = lines.filter(line => !text.split('\n').includes(line))
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return start + missing.map(line => `${line}\n`).join('')
}

async function isIgnored(git: Git, path: string): Promise<boolean> {
  try {
    return (await git.run('check-ignore', '--no-index', '--', path)) !== ''
  } catch (error) {
    if (error instanceof GitError) return false
    throw error
  }
}
