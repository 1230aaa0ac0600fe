import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { OperationError, SchedulerError } from '../../errors.js'
import type { ProgramOptions } from '../../system/programs.js'
import { beginning, ending, type Printed, type Reply, readReply } from './reply.js'
import type { Transport } from './transport.js'

/** A transfer in which nothing moves for so long has failed, in milliseconds. */
const longestSilence = 600_000

/** More than any honest answer has, in bytes: what prints for ever would fill the memory of this machine. */
const longestAnswer = 2 ** 29
/** The same for what is printed before an answer begins. */
const longestBanner = 2 ** 24

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
  transport: Transport,
  script: Iterable<string>,
  timeout: number,
  { input = null, ending }: Pick<ProgramOptions, 'ending'> & { readonly input?: ProgramOptions['input'] | null } = {},
): Promise<Reply> {
  const mark = newMark()
  const code = readingCode(mark, input)
  // An input that ends when somebody wants it to is not waited for.
  const words = await transport.words(`${beginning(mark)}; ${ending ? code : draining(code)}`)
  const printed = await exchange(words, sent(mark, script, input), timeout, ending)
  const { host } = transport
  if (printed === 'late') throw new SchedulerError(`${host} has not answered within ${timeout / 1000} s`, 'try again')
  if (printed === 'endless')
    throw new SchedulerError(
      `${host} has sent more than ${longestAnswer / 2 ** 20} MB as an answer`,
      `look at it: ssh ${host}`,
    )
  if (!printed.stdout.includes(mark) && !(await transport.isConnected())) throw notConnected(transport)
  return readReply(transport, mark, printed)
}

/** Code that runs a script from its standard input. */
function readingCode(mark: string, input: unknown): string {
  return input ? readingScript(mark) : 'sh -s'
}

/**
 * Code that reads the rest of its input once other code has ended: kubectl hangs while it has something to send that nobody reads. How
 * it has ended is in its output: of another code than 0, kubectl would have the last word.
 */
function draining(code: string): string {
  return `(${code}); cat >/dev/null`
}

function notConnected({ host, login }: Transport): SchedulerError {
  return new SchedulerError(`there is no connection to ${host}`, login)
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
  transport: Transport,
  script: Iterable<string>,
  input: AsyncIterable<Uint8Array> | null = null,
): AsyncGenerator<Buffer> {
  const mark = newMark()
  const [program, ...words] = await transport.words(`${beginning(mark)}; ${draining(readingCode(mark, input))}`)
  const child = spawn(program!, words, { stdio: ['pipe', 'pipe', 'ignore'], detached: true })
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  const timer = setTimeout(() => child.kill('SIGKILL'), longestSilence)
  child.stdout.on('data', () => timer.refresh())
  child.stdin.on('drain', () => timer.refresh())
  const sending = pipeline(sent(mark, script, input), child.stdin).catch(() => {})
  try {
    const end = yield* between(child.stdout, mark)
    if (end === 0) return
    if (typeof end === 'number') throw new OperationError(`${transport.host} has refused: exit ${end}`, 'try again')
    const isOpen = await transport.isConnected()
    if (end === 'no beginning' && !isOpen) throw notConnected(transport)
    const again = 'the same command goes on where it stopped'
    throw new SchedulerError(
      `the connection to ${transport.host} was lost`,
      isOpen ? again : `${transport.login}        opens it; then ${again}`,
    )
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
    await sending
  }
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
      if (at < 0 && rest.length > longestBanner) return 'no beginning'
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

/** What was printed, unless it took too long, or was too much. */
async function exchange(
  words: readonly string[],
  input: AsyncIterable<string | Uint8Array>,
  timeout: number,
  ending?: AbortSignal,
): Promise<Printed | 'late' | 'endless'> {
  const child = spawn(words[0]!, words.slice(1), { stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
  let length = 0
  let failure: 'late' | 'endless' | null = null
  const kill = () => child.kill('SIGKILL')
  const take = (pieces: Buffer[]) => (chunk: Buffer) => {
    length += chunk.length
    if (length <= longestAnswer) return void pieces.push(chunk)
    failure = 'endless'
    kill()
  }
  child.stdout.on('data', take(stdout))
  child.stderr.on('data', take(stderr))
  child.stdin.on('error', () => {})
  const end = new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject))
  const timer = setTimeout(() => {
    failure = 'late'
    kill()
  }, timeout)
  ending?.addEventListener('abort', kill)
  if (ending?.aborted) kill()
  try {
    await Promise.race([pipeline(input, child.stdin).catch(() => {}), end])
    const code = await end
    return failure ?? { stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr), code }
  } finally {
    clearTimeout(timer)
    ending?.removeEventListener('abort', kill)
  }
}
