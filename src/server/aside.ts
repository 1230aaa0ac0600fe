import { type ChildProcess, fork } from 'node:child_process'
import { OperationError, UserError } from '../errors.js'
import type { Workspace } from '../operations/workspace.js'
import { answersOf } from './answers.js'
import { longAnswersOf } from './long-answers.js'
import { failure, type Reply, replyTo } from './reply.js'

// Comparing, drawing and sorting can take seconds, in which a process answers nothing else. A separate process does
// this work.

interface Asked {
  readonly id: number
  readonly address: string
}

interface Replied {
  readonly id: number
  readonly reply: Reply
}

/** Asks the process that answers aside, which is started with the first question. */
export class Aside {
  private child: ChildProcess | null = null
  private readonly waiting = new Map<number, (reply: Reply) => void>()
  private last = 0

  /** @param words of the command that runs {@link answerAside} in the same project */
  constructor(private readonly words: readonly string[]) {}

  ask(url: URL): Promise<Reply> {
    this.child ??= this.start()
    const id = ++this.last
    return new Promise(resolve => {
      this.waiting.set(id, resolve)
      // A process that dies in this moment cannot be asked. Its end is told below, with the reason.
      this.child!.send({ id, address: url.href } satisfies Asked, () => {})
    })
  }

  private start(): ChildProcess {
    const child = fork(process.argv[1]!, this.words, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    child.on('message', message => {
      const { id, reply } = message as Replied
      this.waiting.get(id)?.(reply)
      this.waiting.delete(id)
    })
    // The next question starts another one.
    const ended = (why: string) => {
      // Both an error and an exit can be reported for one process, and the second report may come when its successor
      // already works.
      if (this.child !== child) return
      this.child = null
      const reply = failure(new OperationError(`the process that compares and draws has ended: ${why}`, 'try it again'))
      for (const resolve of this.waiting.values()) resolve(reply)
      this.waiting.clear()
    }
    child.on('error', error => ended(error.message))
    child.on('exit', (code, signal) => ended(signal ?? `exit ${code}`))
    return child
  }

  close(): void {
    this.child?.kill()
    this.child?.disconnect()
    this.child?.unref()
  }
}

/** Answers the questions of the process that has started this one, until that ends. @throws UserError if none has */
export async function answerAside(workspace: Workspace): Promise<void> {
  if (!process.connected) throw new UserError('view --answer is for the pages of another process', 'qanat view')
  const answers = { ...answersOf(workspace), ...longAnswersOf(workspace) }
  process.on('message', async ({ id, address }: Asked) => {
    const reply = await replyTo(workspace, answers, new URL(address))
    if (process.connected) process.send!({ id, reply })
  })
  await new Promise(resolve => process.once('disconnect', resolve))
}
