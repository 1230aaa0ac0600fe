import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { quoteWord } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import type { Site } from '../../sites/site.js'
import { atomicWrite } from '../../system/files.js'
import { importsFolder } from './imports-folder.js'
import { commandText, type GroupCommand, type Launchers, locate } from './interpreter.js'
import { lockSentences } from './locked-packages.js'
import { pathInside, textOf } from './python-packages.js'
import { settleUv } from './uv.js'

const nothing: Launchers = { variables: {}, programs: [], sentences: [] }
/** Milliseconds that a tool has for an answer. */
const patience = 30_000

/**
 * Makes launchers use the environment of the project's tree and install nothing: those that install before they run, and
 * those that name an environment by the path of the folder, which would make one for each copy.
 * @param interruption ends what makes an environment
 */
export async function settleLaunchers(
  site: Site,
  command: GroupCommand,
  interruption: AbortSignal,
): Promise<Launchers> {
  const text = commandText(command)
  const uses = (tool: string) => new RegExp(`(^|[\\s;&|(\`"'/])${tool}\\s+([^\\n;&|]*\\s)?run(\\s|$)`, 'm').test(text)
  const settled = await Promise.all([
    settleUv(site, command, uses('uv'), interruption),
    uses('poetry') ? settleNamed(site, command, ['poetry', 'env', 'info', '--path'], 'poetry install') : nothing,
    uses('pipenv') ? settleNamed(site, command, ['pipenv', '--venv'], 'pipenv sync') : nothing,
    uses('hatch') ? settleHatch(site, command, text, importsFolder(command.copy)) : nothing,
    uses('pdm') ? { ...nothing, sentences: lockSentences(command, join(command.root, '.venv')) } : nothing,
    uses('pixi') ? settlePixi(command) : nothing,
  ])
  return {
    variables: Object.assign({}, ...settled.map(({ variables }) => variables)),
    programs: settled.flatMap(({ programs }) => programs),
    sentences: [...settled.flatMap(({ sentences }) => sentences), ...direnvSentences(command, text)],
  }
}

/** Tells where direnv sets a PYTHONPATH that leads into the tree. */
function direnvSentences({ root, copy, tree }: GroupCommand, text: string): string[] {
  const folders = [...text.matchAll(/\bdirenv\s+exec\s+(\S+)/g)].map(([, folder]) =>
    resolve(root, folder!.replace(/["']/g, '').replace(/\$\{?QANAT_PROJECT\b\}?/, tree)),
  )
  const files = folders.filter(folder => pathInside(copy, folder) === null).map(folder => join(folder, '.envrc'))
  return files
    .filter(file => /PYTHONPATH/.test(textOf(file)))
    .map(file => `imports live code: direnv sets PYTHONPATH as ${file} says, not as the frozen copy has it`)
}

function settlePixi(command: GroupCommand): Launchers {
  const sentences = lockSentences(command, join(command.root, '.pixi/envs/default'))
  return { ...nothing, variables: { PIXI_FROZEN: 'true', PIXI_NO_INSTALL: 'true' }, sentences }
}

/** The environment whose path a tool prints, of the copy if that was prepared, else of the project's tree; null without one. */
async function askTool(site: Site, command: GroupCommand, words: readonly string[]): Promise<string | null> {
  const program = locate(command, words[0]!)
  if (program === null) return null
  for (const cwd of command.isPrepared ? [command.root, command.tree] : [command.tree]) {
    const options = { environment: { set: command.set }, cwd, timeout: patience }
    const { exitCode, stdout } = await site.run([program, ...words.slice(1)], options)
    const path = stdout.trim().split('\n').at(-1) ?? ''
    if (exitCode === 0 && path.startsWith('/') && existsSync(path)) return path
  }
  return null
}

/** A tool that uses an environment that is activated. @param remedy the command that makes the environment */
async function settleNamed(
  site: Site,
  command: GroupCommand,
  question: readonly string[],
  remedy: string,
): Promise<Launchers> {
  const environment = await askTool(site, command, question)
  if (environment !== null)
    return {
      ...nothing,
      variables: { VIRTUAL_ENV: environment, PIPENV_VERBOSITY: '-1' },
      programs: [join(environment, 'bin')],
      sentences: lockSentences(command, environment),
    }
  return {
    ...nothing,
    variables: { POETRY_VIRTUALENVS_CREATE: 'false' },
    sentences: [`${question[0]} has no environment for this project, and makes none in a frozen copy: ${remedy}`],
  }
}

/** Hatch cannot be told to install nothing: a script stands for it that runs programs in its environment. */
async function settleHatch(site: Site, command: GroupCommand, text: string, folder: string): Promise<Launchers> {
  const named = [...text.matchAll(/\brun\s+([\w.-]+):|\bhatch\s+(?:-e|--env)[\s=]([\w.-]+)/g)]
  const usual = command.variables.HATCH_ENV || 'default'
  const names = [...new Set([usual, ...named.map(([, before, after]) => before ?? after!)])]
  const found = await Promise.all(
    names.map(async name => [name, await askTool(site, command, ['hatch', 'env', 'find', name])] as const),
  )
  const there = found.flatMap(([name, environment]) => (environment === null ? [] : [[name, environment] as const]))
  const hatch = locate(command, 'hatch')
  if (hatch === null) return nothing
  refuseScripts(command, text, there)
  atomicWrite(join(folder, 'bin/hatch'), hatchScript(hatch, usual, there), 0o777)
  const missing = found.flatMap(([name, environment]) => (environment === null ? [name] : []))
  const sentences = missing.map(
    name =>
      `hatch has no environment ${name} for this project, and makes none in a frozen copy: hatch env create ${name}`,
  )
  sentences.push(...there.flatMap(([, environment]) => lockSentences(command, environment)))
  return { ...nothing, programs: [join(folder, 'bin')], sentences }
}

/**
 * Hatch alone can run its scripts, and would first install the frozen copy into the environment of the tree.
 * @throws UserError if a command calls one
 */
function refuseScripts(
  command: GroupCommand,
  text: string,
  environments: readonly (readonly [string, string])[],
): void {
  const folders = environments.map(([, environment]) => join(environment, 'bin'))
  const variables = { ...command.variables, PATH: [...folders, command.variables.PATH].join(':') }
  const called = [...text.matchAll(/\bhatch\s[^\n;&|]*?\brun\s+(?:[\w.-]+:)?([\w./-]+)/g)].map(([, name]) => name!)
  const script = called.find(name => folders.length > 0 && locate({ root: command.root, variables }, name) === null)
  if (script !== undefined)
    throw new UserError(
      `'hatch run ${script}' cannot run in a frozen copy: no program has this name, and for a script hatch would install the copy into the environment of the project's tree`,
      'write the command of the script after hatch run, or use --snapshot never',
    )
}

function hatchScript(hatch: string, usual: string, environments: readonly (readonly [string, string])[]): string {
  const cases = environments.map(([name, environment]) => `  ${name}) environment=${quoteWord(environment)} ;;`)
  return `#!/bin/sh
# Stands for hatch in a frozen copy of the project: it runs a program in the environment that hatch has for the project's tree,
# and installs nothing into it.
case " $* " in *' run '*) ;; *) exec ${quoteWord(hatch)} "$@" ;; esac
name=${quoteWord(usual)}
while [ "$1" != run ]; do
  case $1 in
    -e | --env) name=$2 ;;
    --env=*) name=\${1#*=} ;;
  esac
  shift
done
shift
[ "$1" != -- ] || shift
program=$1
case $program in
  *:*) name=\${program%%:*} program=\${program#*:} ;;
esac
shift
environment=''
case $name in
${cases.join('\n')}
esac
PATH=\${environment:+$environment/bin:}$PATH VIRTUAL_ENV=$environment HATCH_ENV_ACTIVE=$name
export PATH VIRTUAL_ENV HATCH_ENV_ACTIVE
if [ -n "$environment" ] && command -v "$program" >/dev/null; then exec "$program" "$@"; fi
echo "qanat: in a frozen copy, 'hatch run' runs programs of environments that are there, not scripts: $name:$program" >&2
exit 127
`
}
