import { SchedulerError } from '../../errors.js'
import type { Transport } from './transport.js'

/** What a script printed there, between the marks. */
export interface Reply {
  readonly stdout: Buffer
  readonly stderr: Buffer
  /** The exit code of the script. */
  readonly code: number
}

/** What the program here printed and how it ended. */
export interface Printed {
  readonly stdout: Buffer
  readonly stderr: Buffer
  /** Null if it was killed. */
  readonly code: number | null
}

/** Shell code that marks where the output of a script begins on both streams: login shells print lines of their own before. */
export function beginning(mark: string): string {
  return `printf "\\n%s\\n" ${mark}; printf "\\n%s\\n" ${mark} >&2`
}

/** Shell code that prints how a script has ended: a connection that is lost never prints it. */
export function ending(mark: string): string {
  return `trap 'printf "\\n%s %s\\n" ${mark} "$?"' EXIT`
}

/**
 * The output of a script, without what is not its own.
 * @throws SchedulerError if it did not begin, or if the connection was lost before its end
 */
export function readReply(
  { host, unconnected }: Pick<Transport, 'host' | 'unconnected'>,
  mark: string,
  { stdout, stderr, code }: Printed,
): Reply {
  const own = after(stdout, `\n${mark}\n`)
  if (own === null) throw code === unconnected ? noConnection(host, stderr) : noScript(host, stdout)
  const end = own.lastIndexOf(`\n${mark} `)
  const exit = /^\d+(?=\n)/.exec(end < 0 ? '' : own.toString('latin1', end + mark.length + 2))
  if (!exit) throw new SchedulerError(`the connection to ${host} was lost`, 'try again')
  return { stdout: own.subarray(0, end), stderr: after(stderr, `\n${mark}\n`) ?? stderr, code: Number(exit[0]) }
}

function after(output: Buffer, mark: string): Buffer | null {
  const at = output.indexOf(mark)
  return at < 0 ? null : output.subarray(at + mark.length)
}

function noConnection(host: string, stderr: Buffer): SchedulerError {
  const reason = lastLine(stderr)
  return new SchedulerError(`${host} cannot be reached${reason && `: ${reason}`}`, 'try again')
}

function noScript(host: string, stdout: Buffer): SchedulerError {
  const said = lastLine(stdout)
  return new SchedulerError(
    `${host} runs no scripts for this account${said && `; it says: ${said}`}`,
    'an account with a fixed command (ForceCommand) cannot be used',
  )
}

/** The last line of an output that is not empty, without control characters. */
function lastLine(output: Buffer): string {
  const lines = output.toString('utf8').split('\n')
  const last = lines.findLast(line => line.trim() !== '') ?? ''
  return last.replace(/\p{Cc}/gu, '').trim()
}

/** Splits an output at lines `MARK.KEY.WORD`, each of which ends what was printed before it. */
export function splitReply(output: Buffer, mark: string): ReadonlyMap<string, { text: Buffer; word: string }> {
  const parts = new Map<string, { text: Buffer; word: string }>()
  let from = 0
  for (;;) {
    const at = output.indexOf(`\n${mark}.`, from)
    const to = output.indexOf('\n', at + 1)
    if (at < 0 || to < 0) return parts
    const [, key, word] = output.toString('latin1', at + 1, to).split('.')
    parts.set(key!, { text: output.subarray(from, at), word: word! })
    from = to + 1
  }
}

/** What was printed after the last of such lines. */
export function afterParts(output: Buffer, mark: string): Buffer {
  const last = output.lastIndexOf(`\n${mark}.`)
  return output.subarray(output.indexOf('\n', last + 1) + 1)
}
