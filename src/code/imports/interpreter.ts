import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { displayCommand } from '../../domain/text/shell-text.js'
import { realPath } from '../../system/files.js'
import { namesIn, textOf } from './python-packages.js'

/** What is known of the command of the groups. */
export interface GroupCommand {
  /** The project's root in the frozen copy, where the groups run, and the root of the copy. Both are absolute. */
  readonly root: string
  readonly copy: string
  /** The project's root in the tree, and the root of its repository, absolute and without links. */
  readonly tree: string
  readonly repository: string
  /** Roots of other worktrees of the repository, absolute and without links. */
  readonly worktrees: readonly string[]
  /** Whether the copy was prepared by commands of the config: it may have environments of its own. */
  readonly isPrepared: boolean
  /** The words before the script. */
  readonly words: readonly string[]
  /** The script, absolute. */
  readonly script: string
  /** The `venv` of the template, empty without one. */
  readonly venv: string
  /** The `conda` of the template, a name or a path, empty without one. */
  readonly conda: string
  /** Whether the template has shell lines or modules, which may change the PATH. */
  readonly changesPath: boolean
  /** The variables that the template sets, and with these all that programs get. */
  readonly set: Readonly<Record<string, string>>
  readonly variables: NodeJS.ProcessEnv
}

/** How groups in a frozen copy find their environments. */
export interface Launchers {
  /** Variables for all groups. */
  readonly variables: Readonly<Record<string, string>>
  /** Folders that come first in their PATH, absolute. */
  readonly programs: readonly string[]
  /** Sentences about environments that are not what the commit asks for. */
  readonly sentences: readonly string[]
}

/** The Python that runs the script. */
export interface Interpreter {
  /** Its environment, absolute; null if it is not known, as behind a shell script. */
  readonly prefix: string | null
  /** An option because of which Python does not read PYTHONPATH; null if it has none. */
  readonly option: string | null
}

/** Programs that start another one, after their own options. */
const starters = new Set(['env', 'nice', 'nohup', 'time', 'stdbuf', 'taskset', 'numactl', 'setsid', 'timeout'])
/** Programs whose word `run` starts another one in an environment. */
const launchers = new Set(['uv', 'poetry', 'pdm', 'hatch', 'pipenv', 'pixi', 'rye', 'conda', 'mamba', 'micromamba'])

/**
 * Finds the Python of a command without running anything: by its path, in the PATH, in the template, or by the first line
 * of a script.
 */
export function interpreterOf(command: GroupCommand): Interpreter {
  const words = command.words.length > 0 ? [...command.words] : (interpreterLine(command.script) ?? [])
  while (words.length > 0 && (starters.has(basename(words[0]!)) || /^(-|\d|\w+=)/.test(words[0]!))) words.shift()
  const isLaunched = words.length > 0 && launchers.has(basename(words[0]!))
  const inner = isLaunched ? words.slice(words.indexOf('run') + 1) : words
  const python = inner.findIndex(word => isPython(basename(word)))
  const option = python < 0 ? null : isolatingOption(inner.slice(python + 1))
  if (command.venv !== '') return { prefix: resolve(command.root, expanded(command, command.venv)), option }
  if (command.conda !== '') return { prefix: condaPrefix(command), option }
  if (isLaunched) return { prefix: basename(words[0]!) === 'uv' ? uvEnvironment(command) : null, option }
  const isKnown = words.length > 0 && (words[0]!.includes('/') || !command.changesPath)
  const program = isKnown ? locate(command, words[0]!) : null
  const prefix = program === null ? null : prefixOf(command, program)
  return { prefix, option }
}

/** The words of a command, and the text of its script if a shell runs it: what may call launchers and set variables. */
export function commandText({ words, script }: GroupCommand): string {
  const isShell = (name: string) => /^(ba|da|z|k)?sh$/.test(basename(name))
  const line = words.length > 0 ? words : (interpreterLine(script) ?? [])
  return `${displayCommand(words)}\n${line.some(isShell) ? textOf(script) : ''}`
}

/** The environment that `uv run` uses in the copy: there need not be one yet. */
export function uvEnvironment(command: GroupCommand): string {
  return resolve(uvProject(command) ?? command.root, command.variables.UV_PROJECT_ENVIRONMENT || '.venv')
}

/** The folder in the copy with the lock file that `uv run` goes by; null without one. */
export function uvProject({ root, copy }: GroupCommand): string | null {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'uv.lock'))) return folder
    if (folder === copy || folder === dirname(folder)) return null
  }
}

/** The folders in which the Python of an environment looks for packages. */
export function siteFolders(prefix: string, variables: NodeJS.ProcessEnv): string[] {
  const libraries = ['lib', 'lib64', 'local/lib'].map(name => join(prefix, name))
  const isVirtual = existsSync(join(prefix, 'pyvenv.cfg')) || existsSync(join(prefix, 'conda-meta'))
  const user = variables.PYTHONUSERBASE || join(variables.HOME || '/', '.local')
  if (!isVirtual) libraries.push(join(user, 'lib'))
  const found = libraries.flatMap(library =>
    namesIn(library)
      .filter(name => /^(python|pypy)[\d.]+t?$/.test(name))
      .flatMap(name => ['site-packages', 'dist-packages'].map(folder => realPath(join(library, name, folder)))),
  )
  return [...new Set(found)].filter(folder => existsSync(folder))
}

/** Environments of Python in ignored folders to which a copy has links, also one or two levels below them. */
export function linkedEnvironments(repository: string, links: readonly string[]): string[] {
  const isEnvironment = (folder: string) => ['pyvenv.cfg', 'conda-meta'].some(name => existsSync(join(folder, name)))
  const search = (folder: string, depth: number): string[] => {
    if (isEnvironment(folder)) return [folder]
    return depth === 0 ? [] : namesIn(folder).flatMap(name => search(join(folder, name), depth - 1))
  }
  return links.flatMap(link => {
    const isNamedSo = /^\.?(v?envs?|virtualenvs?|tox|nox|hatch|pixi|conda)/i.test(basename(link))
    return search(join(repository, link), isNamedSo ? 2 : 0)
  })
}

/** The words after `#!` at the beginning of a script; null for any other file. */
function interpreterLine(file: string): string[] | null {
  const head = headOf(file)
  if (!head.startsWith('#!')) return null
  // Installers write this where the path of the interpreter is too long for one line, or has blanks.
  const [, long] = /^#!\/bin\/sh\n'''exec' "?([^"\n]*?)"? "\$0"/.exec(head) ?? []
  if (long !== undefined) return [long]
  return head.slice(2).split('\n')[0]!.trim().split(/\s+/)
}

function prefixOf(command: GroupCommand, program: string): string | null {
  if (isPython(basename(program))) {
    const prefix = dirname(dirname(program))
    if (existsSync(join(prefix, 'pyvenv.cfg'))) return prefix
    return dirname(dirname(realPath(program)))
  }
  const line = interpreterLine(program)
  if (line === null) return null
  const words = line.filter(word => !/^-|=/.test(word) && basename(word) !== 'env')
  const interpreter = words.length > 0 && isPython(basename(words[0]!)) ? locate(command, words[0]!) : null
  return interpreter === null ? null : prefixOf(command, interpreter)
}

function isPython(name: string): boolean {
  return /^(python|pypy)[\d.]*t?$/.test(name)
}

function isolatingOption(words: readonly string[]): string | null {
  for (const word of words) {
    if (!word.startsWith('-') || word === '-' || /^-[a-zA-Z]*[cm]$/.test(word)) return null
    if (/^-[a-zA-Z]*[IE]/.test(word) && !/^-[XW]/.test(word)) return word
  }
  return null
}

function condaPrefix({ root, conda, variables }: GroupCommand): string | null {
  if (conda.includes('/')) return resolve(root, conda)
  const home = variables.HOME ?? ''
  const own = variables.CONDA_EXE ? [dirname(dirname(variables.CONDA_EXE))] : []
  const usual = ['miniforge3', 'mambaforge', 'miniconda3', 'anaconda3'].map(name => join(home, name))
  const roots = [...own, ...usual].map(each => (conda === 'base' ? each : join(each, 'envs', conda)))
  return roots.find(each => existsSync(join(each, 'conda-meta'))) ?? null
}

/** The path of a program; null if there is none. */
export function locate(command: Pick<GroupCommand, 'root' | 'variables'>, name: string): string | null {
  const path = expanded(command, name)
  if (path.includes('/')) return isProgram(resolve(command.root, path)) ? resolve(command.root, path) : null
  const folders = (command.variables.PATH ?? '').split(delimiter)
  return folders.map(folder => resolve(command.root, folder, path)).find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** A word with `~`, `$NAME` and `${NAME}` as the launching shell would expand them. */
function expanded({ variables }: Pick<GroupCommand, 'variables'>, word: string): string {
  return word
    .replace(/^~(?=\/|$)/, variables.HOME ?? '~')
    .replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced, plain) => variables[braced ?? plain] ?? '')
}

/** The beginning of a file; empty if it cannot be read. */
function headOf(file: string): string {
  const head = Buffer.alloc(1000)
  try {
    const opened = openSync(file, 'r')
    try {
      return head.toString('utf8', 0, readSync(opened, head, 0, head.length, 0))
    } finally {
      closeSync(opened)
    }
  } catch {
    return ''
  }
}
