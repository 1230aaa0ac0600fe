import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { quoteWord } from '../domain/text/shell-text.js'
import { OperationError, UserError } from '../errors.js'
import { commitOnly } from './commit-only.js'
import { type Git, GitError, openGit } from './git.js'

/**
 * Makes a git repository in a folder, unless it is in one.
 * @param folder absolute
 * @returns a function that removes the repository again, if it was made here
 * @throws OperationError if the folder cannot be written
 */
export async function provideRepository(folder: string): Promise<() => void> {
  const git = openGit(folder)
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
 * Refuses to make a project where git has one already that is not checked out, as in a sparse checkout.
 * @param existing the nearest folder that exists, absolute
 * @throws UserError
 */
export async function refuseTracked(existing: string, folder: string): Promise<void> {
  const git = openGit(existing)
  const config = join(relative(existing, folder), '.qanat/config.yaml')
  const tracked = await git.run('ls-files', '--', config).catch(() => '')
  if (tracked === '') return
  throw new UserError(
    `git tracks ${join(folder, '.qanat/config.yaml')}, but it is not checked out`,
    `git sparse-checkout add ${quoteWord(dirname(config))}        in a sparse checkout, or: git checkout HEAD -- ${quoteWord(dirname(config))}\nqanat doctor --repair        then finds the runs again`,
  )
}

/**
 * Adds the results of a new project to `.gitignore` and commits the project's files, but nothing else that is staged or
 * changed. Git ignores the project also where `.gitignore` is not checked out. If the commit fails, all is as it was.
 * @param folder absolute root of the project
 * @param resultDir relative to it; null if it is outside
 * @param files the project's own, relative to it
 * @returns the abbreviated id of the commit
 */
export async function commitProject(
  folder: string,
  resultDir: string | null,
  files: readonly string[],
): Promise<string> {
  const git = openGit(folder)
  const additions = resultDir === null ? [] : [ignoreRule(resultDir)]
  if (await isIgnored(git, '.qanat/config.yaml')) additions.push('!/.qanat')
  const extend = (text: string) => withLines(text, additions)
  const own = files.map(path => [path, { text: readFileSync(join(folder, path), 'utf8') }])
  const ignored = additions.length > 0 ? { '.gitignore': { extend } } : {}
  const undo = [addLines(join(folder, '.gitignore'), additions)]
  try {
    undo.push(await excludeProject(folder, resultDir))
    return await commitOnly(git, 'Add a Qanat project', {
      ...ignored,
      ...Object.fromEntries(own),
    })
  } catch (error) {
    for (const each of undo) each()
    throw error
  }
}

/** The rule of an ignore file for exactly this path. @param path relative to the folder that the file is about */
function ignoreRule(path: string): string {
  return `/${path.replace(/[\\*?[\]]| $/g, '\\$&')}`
}

/** A text with those of the lines that it lacks. */
function withLines(text: string, lines: readonly string[]): string {
  const missing = lines.filter(line => !text.split('\n').includes(line))
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return missing.length === 0 ? text : start + missing.map(line => `${line}\n`).join('')
}

/**
 * Lets git ignore the files of a project on every branch, also on one without the project's own ignore files: there `git add`
 * and `git stash` would take them, and `git clean` would delete them. The rules are in the `info/exclude` that all worktrees
 * of the repository share. A link in its place is left alone, and results that git does not ignore here.
 * @param folder absolute root of the project
 * @param resultDir relative to it; null if it is outside
 * @returns a function that restores what was there
 */
export async function excludeProject(folder: string, resultDir: string | null): Promise<() => void> {
  const git = openGit(folder)
  const places = await git.run('rev-parse', '--show-prefix', '--git-path', 'info/exclude')
  const [prefix = '', path = ''] = places.split('\n')
  const file = resolve(folder, path)
  // Only what `.qanat` holds, not the folder: its own ignore file excepts what git tracks there.
  const rules = [`${ignoreRule(`${prefix}.qanat`)}/*`]
  const ignored = resultDir !== null && ((await isIgnored(git, resultDir)) || (await isIgnored(git, `${resultDir}/`)))
  if (ignored) rules.push(ignoreRule(prefix + resultDir))
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? () => {} : addLines(file, rules)
}

/** Adds those lines to a file that it lacks. @returns a function that restores what was there */
function addLines(file: string, lines: readonly string[]): () => void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : null
  const after = withLines(before ?? '', lines)
  if (after === (before ?? '')) return () => {}
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, after)
  return () => (before === null ? rmSync(file, { force: true }) : writeFileSync(file, before))
}

/** Whether ignore rules match a path, even if git tracks it. */
async function isIgnored(git: Git, path: string): Promise<boolean> {
  try {
    return (await git.run('check-ignore', '--no-index', '--', path)) !== ''
  } catch (error) {
    if (error instanceof GitError) return false
    throw error
  }
}

/** Those of some files that git tracks, or would track: no rule ignores them. @param paths relative to the folder; they may lead out of it */
export async function knownToGit(folder: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set()
  const git = openGit(folder)
  try {
    const options = ['--cached', '--others', '--exclude-standard', '-z']
    const listed = await git.run('ls-files', ...options, '--', ...paths.map(path => `:(literal)${path}`))
    return new Set(listed.split('\0'))
  } catch (error) {
    // One lies outside of the repository.
    if (error instanceof GitError) return new Set()
    throw error
  }
}

/** Where others find the repository: its remote `origin` on the web, without a password; null if there is none. */
export async function repositoryUrl(folder: string): Promise<string | null> {
  const git = openGit(folder)
  try {
    return webAddress((await git.run('remote', 'get-url', 'origin')).trim())
  } catch (error) {
    if (error instanceof GitError) return null
    throw error
  }
}

/** `git@github.com:ada/iris.git` and `ssh://git@…` lead to the same place as `https://github.com/ada/iris`. */
export function webAddress(remote: string): string | null {
  const [, host, path] = /^(?:ssh:\/\/)?(?:[\w.-]+@)([\w.-]+)(?::\d+\/|[:/])(.+)$/.exec(remote) ?? []
  const address = host === undefined ? remote : `https://${host}/${path}`
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) return null
  const url = new URL(address)
  return `${url.protocol}//${url.host}${url.pathname.replace(/\.git\/?$/, '')}`
}
