import { quoteWords } from '../../domain/text/shell-text.js'
import { OperationError, UserError } from '../../errors.js'
import { loadConfig } from '../../project/config.js'
import { type Context, type MachineContext, readContexts } from '../../project/contexts/contexts.js'
import { recordFolder } from '../../project/contexts/roots.js'
import type { Project } from '../../project/find-project.js'
import { findRunnerKind } from '../../runners/index.js'
import { converse } from '../../sites/far/converse.js'
import { certificateEnds } from '../../sites/ssh/certificates.js'
import { closeConnection, isConnected, openConnection, overSsh, socketOf } from '../../sites/ssh/connection.js'
import { forgetRefused, noteRefused, refuseSoon } from '../../sites/ssh/refusals.js'
import { withLock } from '../../store/locks/lock.js'
import { runHere } from '../../system/programs.js'
import type { Finding, ListedContexts } from '../../views/contexts.js'
import { moment } from '../../views/format/times.js'
import { showNote } from '../explain.js'
import { canAsk } from '../prompts.js'
import { testNamespace } from './namespace.js'
import { hostOf, usedContext } from './sites.js'

/** How long another machine may take to answer a question about itself, in milliseconds. */
const patience = 30_000

/** The contexts of a project, by name, with what is known of them without asking anybody. */
export async function listContexts(project: Project): Promise<ListedContexts> {
  const { usable, broken } = readContexts(project)
  const used = usedContext(loadConfig(project).config)
  const byName = [...usable.values()].toSorted((one, other) => one.name.localeCompare(other.name))
  const states = byName.map(async context => ({
    ...shownPlace(context),
    isUsed: context.name === used,
    isConnected: context.cluster ? null : await isConnected(hostOf(context)),
  }))
  const problems = Array.from(broken, ([name, { message }]) => ({ name, message }))
  return { contexts: await Promise.all(states), broken: problems }
}

/** What lists show of a context. */
function shownPlace(context: Context) {
  const { name, root, runner, file, cluster } = context
  const words = cluster ? [cluster.context, cluster.namespace].filter(word => word !== null) : []
  const host = context.cluster ? words.join('/') || 'as kubectl has it' : context.host
  return { name, host, root, runner, file }
}

/** @throws UserError for a context that has no connection of ours */
function refuseCluster(context: Context): asserts context is MachineContext {
  if (context.cluster)
    throw new UserError(
      `${context.name} is a namespace of a cluster: kubectl logs in by itself`,
      `qanat context test ${context.name}        tells whether it can be used`,
    )
}

/**
 * Opens the connection that all later commands use, and finds out what the root is there.
 * @returns the root, absolute
 * @throws OperationError if nobody could log in, or the root cannot be used
 */
export async function logIn(context: Context): Promise<string> {
  refuseCluster(context)
  const host = hostOf(context)
  const told = setTimeout(showNote, 2000, `Another login to ${context.host} is under way: waiting for its end`, true)
  // The second of two at the same time finds the connection of the first.
  await withLock(`${socketOf(host)}.lock`, async () => {
    clearTimeout(told)
    if (!(await isConnected(host))) await connect(context)
  }).finally(() => clearTimeout(told))
  const root = await expandFolder(context, 'root', context.root)
  recordFolder(context.host, context.root, root)
  if (context.storage !== null)
    recordFolder(context.host, context.storage, await expandFolder(context, 'storage', context.storage))
  return root
}

/** @throws OperationError if nobody could log in */
async function connect(context: MachineContext): Promise<void> {
  const host = hostOf(context)
  const refusals = `${socketOf(host)}.refused`
  if (!canAsk()) refuseSoon(refusals, host.host, Date.now())
  await prepareLogin(context)
  if (await openConnection(host, canAsk())) return forgetRefused(refusals)
  noteRefused(refusals, Date.now())
  const [end] = await certificateEnds(host, Date.now())
  const expired = end !== undefined && end <= Date.now() ? `: the certificate was valid until ${moment(end)}` : ''
  throw new OperationError(
    `ssh could not log in to ${host.host}${expired}`,
    canAsk() ? `ssh ${host.host}        shows why` : `on a terminal, where ssh can ask: ${host.login}`,
  )
}

/** Runs the command of the context that comes before a login, such as one that gets a certificate. @throws OperationError if it fails */
async function prepareLogin({ name, login, file }: MachineContext): Promise<void> {
  if (login.before === '') return
  const { code } = await runHere(['sh', '-c', login.before], { cwd: process.cwd(), output: 'stderr' })
  if (code === 0) return
  throw new OperationError(
    `the command before a login to ${name} has failed (exit ${code}): ${login.before}`,
    `correct 'login' of the context, in ${file}`,
  )
}

/** Until when the certificate is valid that a login uses; null if it has none, or one without an end. */
export async function certificateEnd(context: Context): Promise<number | null> {
  refuseCluster(context)
  return (await certificateEnds(hostOf(context), Date.now()))[0] ?? null
}

/** Closes the connection. @returns false if there was none */
export async function logOut(context: Context): Promise<boolean> {
  refuseCluster(context)
  return closeConnection(hostOf(context))
}

/** What a folder of a context is there. Only `~` and `$NAME` are expanded. */
async function expandFolder(context: MachineContext, key: 'root' | 'storage', folder: string): Promise<string> {
  const words = folder.replace(/^~(?=\/|$)/, '$HOME').replace(/["`\\]|\$(?![A-Za-z_]\w*|\{[A-Za-z_]\w*\})/g, '\\$&')
  const script = `set -u\nroot="${words}"\nmkdir -p -- "$root" && cd -- "$root" && [ -w . ] && printf '%s' "$root"\n`
  const { stdout, stderr, code } = await converse(overSsh(hostOf(context)), [script], patience)
  const root = stdout.toString('utf8')
  if (code === 0 && root.startsWith('/')) return root.replace(/(?<=.)\/+$/, '')
  const reason = stderr.toString('utf8').trim().split('\n').at(-1) || `it is '${root}' there`
  throw new OperationError(
    `the ${key} ${folder} of ${context.name} cannot be used: ${reason}`,
    `correct '${key}' of the context, in ${context.file}${context.shell === '' ? "; set 'shell: bash -l' if only a login shell has its variables" : ''}`,
  )
}

/** Asks another machine about all that runs need there. */
export async function testContext(project: Project, context: Context): Promise<Finding[]> {
  if (context.cluster) return testNamespace(loadConfig(project).config, context)
  const host = hostOf(context)
  if (!(await isConnected(host))) return [{ name: 'connection', text: 'none', advice: host.login }]
  const before = performance.now()
  const { version } = findRunnerKind(context.runner)
  const { stdout } = await converse(overSsh(host), [testScript(version)], patience)
  const latency = Math.round(performance.now() - before)
  const said = new Map(
    stdout
      .toString('utf8')
      .split('\n')
      .map(line => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  )
  const of = (name: string) => said.get(name) ?? ''
  const skew = Math.round(Number(of('clock')) - Date.now() / 1000)
  return [
    { name: 'connection', text: `open, an answer takes ${latency} ms`, advice: null },
    { name: 'root', ...(await folderFinding(context, 'root', context.root)) },
    ...(context.storage === null
      ? []
      : [{ name: 'storage', ...(await folderFinding(context, 'storage', context.storage)) }]),
    {
      name: 'git',
      text: of('git') || 'not there',
      advice: canTakeCode(of('git')) ? null : 'each commit comes whole; with git 2.17 or newer, only what is new',
    },
    ...(version === undefined
      ? []
      : [
          {
            name: context.runner,
            text: of('scheduler') || 'not there',
            advice: of('scheduler') ? null : "set 'shell: bash -l' if a login shell finds it",
          },
        ]),
    {
      name: 'clock',
      text: Math.abs(skew) < 5 ? 'agrees' : `${Math.abs(skew)} s ${skew > 0 ? 'ahead' : 'behind'}`,
      advice: null,
    },
  ]
}

/** @param version as git prints it; empty if there is none */
function canTakeCode(version: string): boolean {
  return version !== '' && !/ (1\.|2\.(\d|1[0-6])(\.|$))/.test(version)
}

async function folderFinding(
  context: MachineContext,
  key: 'root' | 'storage',
  folder: string,
): Promise<Omit<Finding, 'name'>> {
  try {
    return { text: `${await expandFolder(context, key, folder)}, can be written`, advice: null }
  } catch (error) {
    const { message, hint } = error as OperationError
    return { text: message, advice: hint ?? null }
  }
}

/** @param version words that print the version of the scheduler */
function testScript(version: readonly string[] = ['true']): string {
  return `printf 'clock %s\\n' "$(date +%s)"
printf 'git %s\\n' "$(git --version 2>/dev/null)"
printf 'scheduler %s\\n' "$(${quoteWords(version)} 2>/dev/null | head -n 1)"
`
}
