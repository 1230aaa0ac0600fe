import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hasProgram } from './programs.js'

/**
 * Shows text in the user's pager (`$PAGER`, else less or more), and waits until it is closed; without a pager, prints it.
 * @param text in pieces, which are requested only as the pager reads them
 */
export async function page(text: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const pager = process.env.PAGER || ['less -R', 'more'].find(command => hasProgram(command.split(' ')[0]!))
  if (pager === undefined) {
    for await (const piece of text) process.stdout.write(piece)
    return
  }
  // The user's pager may be a command with options.
  const child = spawn('sh', ['-c', pager], { stdio: ['pipe', 'inherit', 'inherit'] })
  // Not `close`, which may never come if the pager ended before anything was written to it.
  const ended = once(child, 'exit')
  let isOpen = true
  child.stdin.on('error', () => (isOpen = false))
  child.on('exit', () => (isOpen = false))
  // Ctrl-C belongs to the pager.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  try {
    for await (const piece of text) {
      if (!isOpen) break
      if (!child.stdin.write(piece)) await Promise.race([once(child.stdin, 'drain').catch(() => {}), ended])
    }
    child.stdin.end()
    await ended
  } finally {
    process.off('SIGINT', ignore)
  }
}
