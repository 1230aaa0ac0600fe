import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { OperationError } from '../errors.js'

/** Runs git in one folder. */
export interface Git {
  /** Standard output of `git ARGS`. @throws GitError with git's message */
  run(...args: string[]): Promise<string>
  /** The same with another index file than the repository's. */
  runWithIndex(index: string, ...args: string[]): Promise<string>
}

/** A git command that failed. */
export class GitError extends OperationError {}

/** First arguments of a command that must not run the repository's hooks. */
export const withoutHooks: readonly string[] = ['-c', 'core.hooksPath=/dev/null']

// A folder from elsewhere that looks like a bare repository could make git run its programs.
const onlyOwn = ['-c', 'safe.bareRepository=explicit']

// Variables of a surrounding git command (such as a hook) must not redirect our commands to its repository, and no variable
// may give our paths another meaning.
const redirecting = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_OBJECT_DIRECTORY',
  'GIT_COMMON_DIR',
  'GIT_LITERAL_PATHSPECS',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
]

/** Git in a folder, with the user's configuration; it never prompts. */
export function openGit(folder: string): Git {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !redirecting.includes(name)))
  const environment = { ...inherited, GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' }
  return {
    run: (...args) => run(folder, environment, args),
    runWithIndex: (index, ...args) => run(folder, { ...environment, GIT_INDEX_FILE: index }, args),
  }
}

function run(folder: string, environment: NodeJS.ProcessEnv, args: readonly string[]): Promise<string> {
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...onlyOwn, ...args], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.on('error', error => reject(notStarted(folder, args, error)))
    // On a busy machine, output may arrive after the end of the command.
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(Buffer.concat(stdout).toString())
      const message = stderr.length > 0 ? Buffer.concat([...stdout, ...stderr]).toString() : ''
      reject(explain(args, message || (signal ? `ended by ${signal}` : `exit code ${code}`)))
    })
  })
}

function notStarted(folder: string, args: readonly string[], { code, message }: NodeJS.ErrnoException): OperationError {
  if (code !== 'ENOENT') return explain(args, message)
  if (!existsSync(folder)) return explain(args, `there is no folder ${folder}`)
  return new OperationError('git is not on this machine', 'install git and try again')
}

/** The version of git, as in `2.39.5`. */
export async function gitVersion(git: Git): Promise<string> {
  return (await git.run('version')).trim().replace('git version ', '')
}

function explain(args: readonly string[], message: string): GitError {
  const command = args.find(word => /^[a-z]/.test(word) && !word.includes('='))
  const hint = `this is git's message; 'git ${command}' in the project may tell more`
  return new GitError(`git ${command}: ${message.trim().replace(/^fatal: /, '')}`, hint)
}
