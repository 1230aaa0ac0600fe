import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { identify, type ProcessIdentity } from './process-identity.js'

/**
 * Starts a program in a session of its own, which survives this program. It does not keep this program alive, except
 * while somebody waits for its answer.
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
  // A caller that never asks for the answer need not handle its rejection.
  first.catch(() => {})
  return {
    identity,
    tell: (text: string) => void child.stdin.end(text),
    get answer() {
      ;(child.stdout as unknown as Socket).ref()
      // Also wait for its end: otherwise this process could exit silently while the answer is pending.
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
