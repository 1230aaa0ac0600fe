import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Site } from '../../sites/site.js'
import { realPath } from '../../system/files.js'
import type { ProgramResult } from '../../system/programs.js'
import { importsFolder } from './imports-folder.js'
import { type GroupCommand, type Launchers, locate, uvEnvironment, uvProject } from './interpreter.js'
import { pathInside, textOf } from './python-packages.js'

/** Milliseconds that uv has for a comparison, and for making an environment. */
const patience = { comparing: 30_000, making: 600_000 }

/** Options of `uv run` that choose packages, without and with a value. */
const choices = /^--(all-extras|all-groups|no-dev|only-dev|no-default-groups|all-packages|no-editable)$/
const valued = /^--(extra|no-extra|group|no-group|only-group|package)(=.*)?$/

/**
 * Makes `uv run` in a frozen copy install nothing into the environment of the project's tree. If that is not what the lock
 * file of the commit says, or is missing, the copy gets an environment of its own.
 * @param isUsed whether the command of the groups calls `uv run`
 * @param interruption ends uv
 */
export async function settleUv(
  site: Site,
  command: GroupCommand,
  isUsed: boolean,
  interruption: AbortSignal,
): Promise<Launchers> {
  // Then uv makes an environment for each call, and changes no other.
  if (command.words.includes('--isolated')) return { variables: {}, programs: [], sentences: [] }
  const project = uvProject(command)
  const environment = uvEnvironment(command)
  const isThere = existsSync(join(environment, 'pyvenv.cfg'))
  const isOfTree = isThere && pathInside(realPath(command.copy), realPath(environment)) === null
  const shared: Launchers = { variables: isOfTree ? { UV_NO_SYNC: '1' } : {}, programs: [], sentences: [] }
  const program = locate(command, 'uv')
  if (project === null || !isUsed || program === null || (isThere && !isOfTree)) return shared
  const run = async (place: string, timeout: number, ...words: string[]) => {
    const environment = { set: { ...command.set, UV_PROJECT_ENVIRONMENT: place } }
    const options = { environment, cwd: command.root, timeout, ending: interruption }
    const result = await site.run([program, 'sync', '--frozen', ...words, ...chosen(command.words)], options)
    interruption.throwIfAborted()
    return result
  }
  if (isThere) {
    const compared = await run(environment, patience.comparing, '--check', '--inexact', '--no-install-workspace')
    if (compared.exitCode === 0) return shared
  }
  const place = isThere ? realPath(environment) : join(command.tree, relative(command.root, environment))
  const difference = isThere ? `uv.lock of this commit is not what ${place} holds` : `there is no ${place}`
  const own = join(importsFolder(command.copy), 'uv')
  const failure = await makeOwn(own, project, command.words, () => run(own, patience.making, '--quiet'))
  if (failure !== null)
    return { ...shared, sentences: [`${difference}, and uv cannot make another environment: ${failure}`] }
  return {
    ...shared,
    variables: { UV_NO_SYNC: '1', UV_PROJECT_ENVIRONMENT: own },
    sentences: [`${difference}: the groups use an environment of their own, ${own}`],
  }
}

/** Makes the environment of a copy, unless it is there already. @returns why it cannot be made, null if it was */
async function makeOwn(
  own: string,
  project: string,
  words: readonly string[],
  make: () => Promise<ProgramResult>,
): Promise<string | null> {
  const mark = `${own}.made-from`
  const facts = [textOf(join(project, 'uv.lock')), ...chosen(words)]
  const key = createHash('sha256').update(facts.join('\0')).digest('hex')
  if (textOf(mark) === key) return null
  mkdirSync(dirname(own), { recursive: true })
  const { exitCode, stderr } = await make()
  if (exitCode !== 0) return stderr.trim().split('\n').at(-1) ?? ''
  writeFileSync(mark, key)
  return null
}

/** The words of `uv run` that choose packages. */
function chosen(words: readonly string[]): string[] {
  const options = words.slice(words.indexOf('run') + 1)
  return options.flatMap((word, at) => {
    if (choices.test(word)) return [word]
    if (!valued.test(word)) return []
    return word.includes('=') ? [word] : options.slice(at, at + 2)
  })
}
