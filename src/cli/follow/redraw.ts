import { setTimeout as sleep } from 'node:timers/promises'
import { UserError } from '../../errors.js'
import { displayable } from '../../views/format/displayable.js'
import { fitted } from '../../views/format/fit.js'

const clearBelow = '\x1b[J'
const clearLine = '\x1b[K'
const home = '\x1b[H'

/**
 * Shows a text on the whole terminal and redraws it every second until Ctrl-C; lines that do not fit are left out.
 * @throws UserError if stdout is not a terminal
 */
export async function redraw(text: () => Promise<string>): Promise<void> {
  const { stdout } = process
  if (!stdout.isTTY) throw new UserError('--live needs a terminal', 'leave out --live, or use --json')
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  stdout.write('\x1b[?1049h\x1b[?25l')
  try {
    while (!stop.signal.aborted) {
      const lines = displayable(await text())
        .split('\n')
        .slice(0, (stdout.rows ?? 24) - 1)
        .map(line => fitted(line, stdout.columns ?? 80))
      stdout.write(`${home}${lines.map(line => `${line}${clearLine}\n`).join('')}${clearBelow}`)
      await sleep(1000, undefined, { signal: stop.signal }).catch(() => {})
    }
  } finally {
    stdout.write('\x1b[?25h\x1b[?1049l')
  }
}
