import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished } from 'vitest'

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The program as users start it. */
export const program = pathOf('../../bin/run.js')

/** What a command left: both streams and the exit code. */
export interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
}

/** What a process left, once it and both of its streams have ended. */
export function outcomeOf(child: ChildProcess): Promise<Outcome> {
  let stdout = ''
  let stderr = ''
  child.stdout!.setEncoding('utf8').on('data', chunk => (stdout += chunk))
  child.stderr!.setEncoding('utf8').on('data', chunk => (stderr += chunk))
  return new Promise(resolve => child.on('close', code => resolve({ stdout, stderr, code })))
}

/** Processes of Node that have run a command to its end and can run the next one, by the program that they run. */
const idle = new Map<string, ChildProcess[]>()

/**
 * Runs `qanat ARGS` to its end in a process of Node that is reused: starting one costs ten times what most commands do.
 * @see reused-process.js for what a command finds of those before it
 */
export function runProgram(
  args: readonly string[],
  folder: string,
  environment: NodeJS.ProcessEnv,
  path = program,
): Promise<Outcome> {
  const free = idle.get(path) ?? []
  idle.set(path, free)
  const child = free.pop() ?? startReused(path)
  onTestFinished(() => void (free.includes(child) || child.kill('SIGKILL')))
  child.send({ args, folder, environment })
  return endOfCommand(child, free)
}

function startReused(path: string): ChildProcess {
  const compiled = createHash('sha256').update(path).digest('hex')
  const words = [pathOf('reused-process.js'), path, join(inject('bases'), compiled)]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  const streams = [child.stdout as Socket, child.stderr as Socket]
  for (const stream of streams) stream.setEncoding('utf8')
  // It may wait for its next command for ever: nobody waits for it.
  for (const held of [child, child.channel!, ...streams]) held.unref()
  return child
}

/** What follows the last output of a command on both streams: its exit code. */
const end = /\0(\d+)\0$/

/** Resolves when both streams have told the end of the command, then it is free, or when the process has ended with it. */
function endOfCommand(child: ChildProcess, free: ChildProcess[]): Promise<Outcome> {
  const streams = [child.stdout!, child.stderr!]
  const texts = ['', '']
  return new Promise(resolve => {
    const finish = (code: number | null) => {
      for (const stream of streams) stream.removeAllListeners('data')
      child.removeAllListeners('close')
      resolve({ stdout: texts[0]!.replace(end, ''), stderr: texts[1]!.replace(end, ''), code })
    }
    child.on('close', finish)
    for (const [at, stream] of streams.entries()) {
      stream.on('data', chunk => {
        texts[at] += chunk
        if (!texts.every(text => end.test(text))) return
        free.push(child)
        finish(Number(end.exec(texts[0]!)![1]))
      })
    }
  })
}
