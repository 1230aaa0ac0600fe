import type { SimpleGitOptions } from 'simple-git'
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

// The library refuses arguments and variables that an attacker could abuse; our arguments are fixed, and the variables
// are the user's own.
const trusted: NonNullable<SimpleGitOptions['unsafe']> = {
  allowUnsafeAlias: true,
  allowUnsafeAskPass: true,
  allowUnsafeCommandBinaries: true,
  allowUnsafeConfigEnvCount: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeDiffExternal: true,
  allowUnsafeDiffTextConv: true,
  allowUnsafeEditor: true,
  allowUnsafeExec: true,
  allowUnsafeFilter: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeGitProxy: true,
  allowUnsafeGpgProgram: true,
  allowUnsafeHooksPath: true,
  allowUnsafeInclude: true,
  allowUnsafeMergeDriver: true,
  allowUnsafePack: true,
  allowUnsafePager: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeSshCommand: true,
  allowUnsafeSubmodule: true,
  allowUnsafeTemplateDir: true,
  allowUnsafeUrlRewrite: true,
}

/** The environment of git: that of the user, without what would redirect it. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !redirecting.includes(name)))
  return { ...inherited, GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' }
}

/** Git in a folder, with the user's configuration; it never prompts. */
export function openGit(folder: string): Git {
  const environment = gitEnvironment()
  return {
    run: (...args) => run(folder, environment, args),
    runWithIndex: (index, ...args) => run(folder, { ...environment, GIT_INDEX_FILE: index }, args),
  }
}

async function run(folder: string, environment: NodeJS.ProcessEnv, args: readonly string[]): Promise<string> {
  const { simpleGit } = await import('simple-git')
  const allowEnvironment = Object.keys(environment)
  const git = simpleGit({ baseDir: folder, unsafe: trusted, allowEnvironment, errors: failed, completion })
  try {
    return await git
      .outputHandler(atOnce)
      .env(environment)
      .raw([...onlyOwn, ...args])
  } catch (error) {
    throw explain(args, error as Error)
  }
}

/** The version of git, as in `2.39.5`. */
export async function gitVersion(git: Git): Promise<string> {
  return (await git.run('version')).trim().replace('git version ', '')
}

// By default the library stops reading 50 ms after the end of a command: a busy machine would lose output silently.
const completion = { onClose: true, onExit: false }

/** After a command that printed nothing the library waits 50 ms for output; an empty chunk ends that wait. */
function atOnce(_command: string, stdout: NodeJS.ReadableStream): void {
  setImmediate(() => stdout.emit('data', Buffer.alloc(0)))
}

/** By default the library reports no error for a command that failed without writing to stderr. */
function failed(error: Buffer | Error | undefined, result: { exitCode: number; stdErr: Buffer[] }) {
  if (error || result.exitCode === 0) return error
  return Buffer.from(`exit code ${result.exitCode}`)
}

function explain(args: readonly string[], error: Error): OperationError {
  if (/\bENOENT\b/.test(error.message))
    return new OperationError('git is not on this machine', 'install git and try again')
  const command = args.find(word => /^[a-z]/.test(word) && !word.includes('='))
  const hint = `this is git's message; 'git ${command}' in the project may tell more`
  return new GitError(`git ${command}: ${error.message.trim().replace(/^fatal: /, '')}`, hint)
}
