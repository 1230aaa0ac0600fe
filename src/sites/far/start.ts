import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { quoteWords } from '../../domain/text/shell-text.js'
import type { Machine } from '../../system/process-identity.js'
import type { Started } from '../site.js'
import { newMark, readingScript } from './converse.js'
import { beginning } from './reply.js'
import type { Transport } from './transport.js'

/** How long the other machine may take to say which process it has started, in milliseconds. */
const patience = 60_000

/**
 * Starts a program there in a session of its own, connected by pipes until either side closes them. A session without a
 * terminal has no hangup: the program lives on when the connection ends.
 */
export async function startThere(
  transport: Transport,
  machine: () => Promise<Machine>,
  command: readonly string[],
): Promise<Started> {
  const mark = newMark()
  const words = await transport.words(`${beginning(mark)}; ${readingScript(mark)}`)
  const child = spawn(words[0]!, words.slice(1), { detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
  const streams = [child.stdin, child.stdout] as unknown as Socket[]
  for (const stream of streams) stream.on('error', () => {})
  const ended = once(child, 'exit').catch((error: Error) => error)
  child.stdin.write(`${starting(command)}\n${mark}\n`)
  const output = linesOf(child.stdout, mark)
  const first = await Promise.race([output.next(), ended, after(patience)])
  const [, pid, start] =
    (typeof first === 'object' &&
      first !== null &&
      'value' in first &&
      /^(\d+) .*\) (?:\S+ ){19}(\S+)/.exec(`${first.value}`)) ||
    []
  child.unref()
  for (const stream of streams) stream.unref()
  return {
    identity: pid === undefined ? null : { ...(await machine()), pid: Number(pid), start: start! },
    tell: text => void child.stdin.end(text),
    get answer() {
      child.ref()
      streams[1]!.ref()
      return Promise.race([
        output.next().then(({ value }) => ({ text: `${value}\n` })),
        ended.then(() => ({ failure: 'it has ended' })),
      ])
    },
    end: ended,
    leave() {
      child.kill()
    },
  }
}

/** Prints the id of the process and its line in /proc, then becomes the program. */
function starting(command: readonly string[]): string {
  return `cd\nQANAT_NEWLINE='\n'\nread -r stat </proc/$$/stat\nprintf '%s %s\\n' "$$" "$stat"\nexec ${quoteWords(command)} 2>/dev/null`
}

/** The lines after the first one that is the mark. */
async function* linesOf(stream: AsyncIterable<Buffer>, mark: string): AsyncGenerator<string> {
  let text = ''
  let isOwn = false
  for await (const chunk of stream) {
    text += chunk.toString('utf8')
    const lines = text.split('\n')
    text = lines.pop()!
    for (const line of lines) {
      if (isOwn) yield line
      isOwn ||= line === mark
    }
  }
}

function after(milliseconds: number): Promise<null> {
  return new Promise(resolve => setTimeout(resolve, milliseconds, null).unref())
}
