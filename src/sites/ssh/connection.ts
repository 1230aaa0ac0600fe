import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { OperationError, SchedulerError } from '../../errors.js'
import { runtimeFolder } from '../../system/folders/runtime.js'
import { type ProgramOptions, runHere, runProgram } from '../../system/programs.js'
import { beginning, ending, type Printed, type Reply, readReply } from './reply.js'

/** How a machine is reached over SSH. */
export interface SshHost {
  /** What ssh takes: an alias, or `user@host`. Jump hosts, keys and ports are in the user's own configuration. */
  readonly host: string
  /** Words of the shell that knows where programs are; empty for `sh`. */
  readonly shell: readonly string[]
  /** What a person types to log in. */
  readonly login: string
}

/** How long ssh itself may take to answer about a socket, in milliseconds. */
const socketPatience = 10_000

/**
 * The socket of the connection that all commands share. A path of our own: with a jump host, the hash `%C` of ssh is another one
 * once a call has its own ProxyCommand. It has at most 90 bytes.
 */
export function socketOf({ host }: Pick<SshHost, 'host'>): string {
  return join(runtimeFolder(), createHash('sha256').update(host).digest('hex').slice(0, 16))
}

/**
 * Opens the shared connection; ssh asks for passwords and codes on the terminal itself. Call it for one connection at a time: the
 * socket of another one would be removed.
 * @returns whether it is open
 */
export async function openConnection(ssh: SshHost): Promise<boolean> {
  const options = [
    'ControlMaster=yes',
    `ControlPath=${socketOf(ssh)}`,
    'ControlPersist=no',
    'ServerAliveInterval=15',
    'ServerAliveCountMax=4',
  ]
  // That of a connection that was killed is in the way.
  rmSync(socketOf(ssh), { force: true })
  // Its streams would stay open as long as the connection, and whoever reads them would wait.
  const child = spawn('ssh', ['-fNT', ...options.flatMap(option => ['-o', option]), '--', ssh.host], {
    stdio: 'ignore',
    cwd: '/',
  })
  await new Promise(resolve => child.on('close', resolve).on('error', resolve))
  return isConnected(ssh)
}

/** Whether the shared connection is open. It may be dead all the same. */
export async function isConnected(ssh: SshHost): Promise<boolean> {
  return (await control(ssh, 'check')) === 0
}

/** Closes the shared connection. @returns false if there was none */
export async function closeConnection(ssh: SshHost): Promise<boolean> {
  return (await control(ssh, 'exit')) === 0
}

async function control(ssh: SshHost, order: 'check' | 'exit'): Promise<number | null> {
  const words = ['ssh', '-O', order, '-o', `ControlPath=${socketOf(ssh)}`, '--', ssh.host]
  return (await runProgram(words, { timeout: socketPatience })).exitCode
}

/**
 * The words that run a command over the shared connection. They can never open a connection of their own: without
 * `ProxyCommand=false`, ssh logs in anew where the socket is stale.
 */
export function sshWords(ssh: SshHost, command: string): string[] {
  const options = [
    'ControlMaster=no',
    `ControlPath=${socketOf(ssh)}`,
    'BatchMode=yes',
    'ProxyCommand=false',
    'LogLevel=ERROR',
  ]
  return ['ssh', '-T', ...options.flatMap(option => ['-o', option]), '--', ssh.host, command]
}

/** The command that starts the shell there, which every login shell understands. @param code in double quotes, without a single one */
export function shellCommand({ shell }: SshHost, code: string): string {
  const words = shell.length > 0 ? shell : ['sh']
  return `exec ${words.map(word => `'${word.replaceAll("'", "'\\''")}'`).join(' ')} -c '${code}'`
}

/** A word that occurs in no output. */
export function newMark(): string {
  return `qanat${randomBytes(12).toString('hex')}`
}

/**
 * Runs a script there, and returns what it printed. Values are in the script, which is sent to the standard input of a POSIX
 * shell: no other shell reads them.
 * @param input what the script can read from its own standard input; it ends when the connection does
 * @param ending the connection of the script is closed once it is aborted
 * @throws SchedulerError if the connection is not open, is lost, or does not answer in time
 */
export async function converse(
  ssh: SshHost,
  script: Iterable<string>,
  timeout: number,
  { input = null, ending }: Pick<ProgramOptions, 'ending'> & { readonly input?: ProgramOptions['input'] | null } = {},
): Promise<Reply> {
  const mark = newMark()
  const command = shellCommand(ssh, `${beginning(mark)}; ${input ? readingScript(mark) : 'exec sh -s'}`)
  const printed = await exchange(sshWords(ssh, command), sent(mark, script, input), timeout, ending)
  if (printed === null) throw new SchedulerError(`${ssh.host} has not answered within ${timeout / 1000} s`, 'try again')
  if (!printed.stdout.includes(mark) && !(await isConnected(ssh))) throw notConnected(ssh)
  return readReply(ssh.host, mark, printed)
}

function notConnected(ssh: SshHost): SchedulerError {
  return new SchedulerError(`there is no connection to ${ssh.host}`, ssh.login)
}

async function* sent(mark: string, script: Iterable<string>, input: AsyncIterable<Uint8Array> | null) {
  yield* opening(mark)
  yield* script
  if (!input) return
  yield `\n${mark}\n`
  yield* input
}

function opening(mark: string): string[] {
  return [`${ending(mark)}\nQANAT_NEWLINE='\n'\ncd\n`]
}

/** Reads a script up to a mark, line by line, and evaluates it: a shell would read ahead of what is for its programs. */
export function readingScript(mark: string): string {
  const newline = 'n=$(printf "\\nx"); n=${n%x}'
  return `${newline}; s=; while IFS= read -r l && [ "$l" != ${mark} ]; do s="$s$l$n"; done; eval "$s"`
}

/**
 * Runs a script there, and yields its output as it comes.
 * @param input as of {@link converse}
 * @throws SchedulerError if the connection is not open, or is lost, after what came until then; OperationError if the script fails
 */
export async function* outputOf(
  ssh: SshHost,
  script: Iterable<string>,
  input: AsyncIterable<Uint8Array> | null = null,
): AsyncGenerator<Buffer> {
  const mark = newMark()
  const command = shellCommand(ssh, `${beginning(mark)}; ${input ? readingScript(mark) : 'exec sh -s'}`)
  const [program, ...words] = sshWords(ssh, command)
  const child = spawn(program!, words, { stdio: ['pipe', 'pipe', 'ignore'], detached: true })
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  const sending = pipeline(sent(mark, script, input), child.stdin).catch(() => {})
  try {
    const end = yield* between(child.stdout, mark)
    if (end === 0) return
    if (typeof end === 'number') throw new OperationError(`${ssh.host} has refused: exit ${end}`, 'try again')
    const isOpen = await isConnected(ssh)
    if (end === 'no beginning' && !isOpen) throw notConnected(ssh)
    const again = 'the same command goes on where it stopped'
    throw new SchedulerError(
      `the connection to ${ssh.host} was lost`,
      isOpen ? again : `${ssh.login}        opens it; then ${again}`,
    )
  } finally {
    child.kill('SIGKILL')
    await sending
  }
}

/** Runs a script that is there on the terminal of this command. @returns its exit code; 255 if there is no connection */
export async function converseOnTerminal(ssh: SshHost, file: string): Promise<number> {
  // Login shells of all kinds leave digits alone, and the shell behind them makes the path of them.
  const octal = Array.from(Buffer.from(file), byte => `\\${byte.toString(8).padStart(3, '0')}`).join('')
  const words = sshWords(ssh, shellCommand(ssh, `exec sh "$(printf "${octal}")"`))
  return (
    await runHere(
      words.map(word => (word === '-T' ? '-t' : word)),
      { cwd: '/' },
    )
  ).code
}

/**
 * Passes on what comes after a line that is the mark, up to the line of the mark that says how the script has ended.
 * @returns the exit code, or which of the two lines is not there
 */
async function* between(
  output: AsyncIterable<Buffer>,
  mark: string,
): AsyncGenerator<Buffer, number | 'no beginning' | 'no end'> {
  const [start, end] = [`\n${mark}\n`, `\n${mark} `]
  /** As long as the line of the end may be. */
  const held = end.length + 4
  let isOwn = false
  let rest = Buffer.alloc(0)
  for await (const chunk of output) {
    rest = Buffer.concat([rest, chunk])
    if (!isOwn) {
      const at = rest.indexOf(start)
      if (at < 0) continue
      isOwn = true
      rest = rest.subarray(at + start.length)
    }
    if (rest.length <= held) continue
    yield rest.subarray(0, rest.length - held)
    rest = rest.subarray(rest.length - held)
  }
  if (!isOwn) return 'no beginning'
  const at = rest.lastIndexOf(end)
  const code = at < 0 ? null : /^\d+(?=\n$)/.exec(rest.toString('latin1', at + end.length))
  if (!code) return 'no end'
  if (at > 0) yield rest.subarray(0, at)
  return Number(code[0])
}

/** Null if it took too long. */
async function exchange(
  words: readonly string[],
  input: AsyncIterable<string | Uint8Array>,
  timeout: number,
  ending?: AbortSignal,
): Promise<Printed | null> {
  const child = spawn(words[0]!, words.slice(1), { stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  child.stdin.on('error', () => {})
  const end = new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject))
  let isLate = false
  const kill = () => child.kill('SIGKILL')
  const timer = setTimeout(() => {
    isLate = true
    kill()
  }, timeout)
  ending?.addEventListener('abort', kill)
  if (ending?.aborted) kill()
  try {
    await Promise.race([pipeline(input, child.stdin).catch(() => {}), end])
    const code = await end
    return isLate ? null : { stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr), code }
  } finally {
    clearTimeout(timer)
    ending?.removeEventListener('abort', kill)
  }
}
