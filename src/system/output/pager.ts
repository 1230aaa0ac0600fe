import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hasProgram } from '../programs.js'
import { beforeEnding } from '../signals.js'

/** Pagers that end only when the user says so. */
const lasting = /^(\S*\/)?(less|most|ov|moar|moor|vim?|nvim|view)(\s|$)/
/** A simple call of less, to which an option can be added. */
const simple = /^(\S*\/)?less(\s+[-+=.,\w]+)*\s*$/

/**
 * Shows text in the user's pager (`$PAGER`, else less or more), and waits until it is closed; without a pager, prints it.
 * SIGTERM and SIGHUP end the pager, too.
 * @param text in pieces, which are requested only as the pager reads them
 * @returns whether the user or a signal has ended the pager; others end at once, and what they showed is still to be seen
 */
export async function page(text: Iterable<string> | AsyncIterable<string>): Promise<boolean> {
  const pager = process.env.PAGER || ['less -R', 'more'].find(command => hasProgram(command.split(' ')[0]!))
  if (pager === undefined) {
    for await (const piece of text) process.stdout.write(piece)
    return false
  }
  // With -F, which may also be in $LESS, less would end at once if the text is short.
  const command = simple.test(pager) ? `exec ${pager} -+F` : pager
  // The user's pager may be a command with options.
  const child = spawn('sh', ['-c', command], { stdio: ['pipe', 'inherit', 'inherit'] })
  // Not `close`, which may never come if the pager ended before anything was written to it.
  const ended = once(child, 'exit')
  let isOpen = true
  child.stdin.on('error', () => (isOpen = false))
  child.on('exit', () => (isOpen = false))
  // Ctrl-C belongs to the pager.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  try {
    return await beforeEnding(async ending => {
      // If it stayed, it would take the keys of the shell. It leaves the terminal as it was before this program does.
      ending.addEventListener('abort', () => child.kill(ending.reason))
      for await (const piece of text) {
        if (!isOpen) break
        if (!child.stdin.write(piece)) await Promise.race([once(child.stdin, 'drain').catch(() => {}), ended])
      }
      child.stdin.end()
      const [code] = await ended
      return ending.aborted || (lasting.test(pager) && code === 0)
    })
  } finally {
    process.off('SIGINT', ignore)
  }
}
