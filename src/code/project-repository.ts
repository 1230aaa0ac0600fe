import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperationError } from '../errors.js'
import { commitOnly } from './commit-only.js'
import { type Git, GitError, openGit } from './git.js'

/**
 * Makes a repository of a folder that is in none.
 * @param folder absolute
 * @returns what removes it again; it does nothing where there was a repository
 * @throws OperationError where the folder cannot be written
 */
export async function provideRepository(folder: string): Promise<() => void> {
  const git = await openGit(folder)
  try {
    await git.run('rev-parse', '--show-toplevel')
    return () => {}
  } catch (error) {
    if (!(error instanceof GitError && /not a git repository \(or any/.test(error.message))) throw error
  }
  await git.run('init', '--quiet').catch((failure: Error) => {
    throw new OperationError(failure.message, 'check the permissions of the folder')
  })
  return () => rmSync(join(folder, '.git'), { recursive: true, force: true })
}

/**
 * Has git ignore the results of a new project and commits its files, and nothing else that is staged or changed.
 * Where the commit fails, `.gitignore` is as it was.
 * @param folder absolute root of the project
 * @param resultDir relative to it
 * @param files the project's own, relative to it
 * @returns the abbreviated id of the commit
 */
export async function commitProject(folder: string, resultDir: string, files: readonly string[]): Promise<string> {
  const git = await openGit(folder)
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

/** Whether the rules of git name a path, even one that git tracks. */
async function isIgnored(git: Git, path: string): Promise<boolean> {
  try {
    return (await git.run('check-ignore', '--no-index', '--', path)) !== ''
  } catch (error) {
    if (error instanceof GitError) return false
    throw error
  }
}
