import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.js'
import { setConfigValue } from '../project/config-edit.js'
import { projectAt } from '../project/find-project.js'
import { Store } from '../store/store.js'
import { type Git, GitError, openGit } from '../system/git.js'
import { commitOnly } from './commit-only.js'
import { checkIdentity } from './commit-tree.js'

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
  if (existsSync(qanat)) {
    throw new UserError(`${qanat} is there, but it has no config.yaml`, `move it away: mv ${qanat} ${qanat}-old`)
  }
  mkdirSync(folder, { recursive: true })
  const git = await openGit(folder)
  await checkIdentity(git)
  const madeRepository = await makeRepository(git)
  const project = projectAt(folder)
  try {
    mkdirSync(qanat)
    writeFileSync(join(qanat, '.gitignore'), readFileSync(join(template, 'gitignore')))
    writeFileSync(project.configFile, readFileSync(join(template, 'config.yaml')))
    setConfigValue(folder, 'result_dir', JSON.stringify(settings.resultDir))
    if (settings.defaultEditor) setConfigValue(folder, 'default_editor', JSON.stringify(settings.defaultEditor))
    Store.open(project.databaseFile, true).close()
    return await commitProject(git, folder, settings.resultDir)
  } catch (error) {
    rmSync(qanat, { recursive: true, force: true })
    if (madeRepository) rmSync(join(folder, '.git'), { recursive: true, force: true })
    throw error
  }
}

/** Makes the database of a project that was cloned: everything else came with the clone. */
export function initClone(folder: string): void {
  Store.open(projectAt(folder).databaseFile, true).close()
}

/** Makes a repository where there is none, and says whether it did. */
async function makeRepository(git: Git): Promise<boolean> {
  try {
    await git.run('rev-parse', '--show-toplevel')
    return false
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    await git.run('init', '--quiet')
    return true
  }
}

async function commitProject(git: Git, folder: string, resultDir: string): Promise<string> {
  const additions = [`/${resultDir}`]
  const ignored = await isIgnored(git, '.qanat/config.yaml')
  if (ignored) additions.push('!/.qanat')
  const ignoreFile = join(folder, '.gitignore')
  const head = await textInHead(git, './.gitignore')
  const working = existsSync(ignoreFile) ? readFileSync(ignoreFile, 'utf8') : ''
  writeFileSync(ignoreFile, withLines(working, additions))
  try {
    return await commitOnly(git, 'Add a Qanat project', {
      '.gitignore': withLines(head, additions),
      '.qanat/.gitignore': readFileSync(join(folder, '.qanat/.gitignore'), 'utf8'),
      '.qanat/config.yaml': readFileSync(join(folder, '.qanat/config.yaml'), 'utf8'),
    })
  } catch (error) {
    if (working === '') rmSync(ignoreFile)
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

async function textInHead(git: Git, path: string): Promise<string> {
  try {
    return await git.run('show', `HEAD:${path}`)
  } catch (error) {
    if (error instanceof GitError) return ''
    throw error
  }
}
