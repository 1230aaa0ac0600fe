import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { identify, type ProcessIdentity } from './process-identity.js'

/**
 * Starts a program in a session of its own, which goes on when this one ends. It does not keep this one from ending, except
 * while its answer is awaited.
 */
export function startInBackground([program, ...words]: readonly string[]) {
  const child = spawn(program!, words, { detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
  const streams = [child.stdin, child.stdout] as unknown as Socket[]
  child.stdin.on('error', () => {})
  child.on('error', () => {})
  child.unref()
  for (const stream of streams) stream.unref()
  const identity: ProcessIdentity | null = child.pid === undefined ? null : identify(child.pid)
  const first = Promise.race([
    once(child.stdout, 'data').then(([text]) => ({ text: String(text) })),
    once(child, 'exit').then(([code]) => ({ failure: `it ended with code ${code}` })),
    once(child, 'error').then(([error]) => ({ failure: (error as Error).message })),
  ])
  // Whoever does not ask for the answer need not handle its absence.
  first.catch(() => {})
  return {
    identity,
    tell: (text: string) => void child.stdin.end(text),
    get answer() {
      ;(child.stdout as unknown as Socket).ref()
      // Its end is awaited, too: where that is all that comes, this process would end without a word.
      child.ref()
      return first
    },
    end: once(child, 'exit').catch(() => {}),
    leave() {
      child.unref()
      child.stdout.destroy()
    },
  }
}
