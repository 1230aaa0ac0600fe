import { setTimeout as sleep } from 'node:timers/promises'
import { UserError } from '../../errors.js'
import { displayable } from '../../views/format/displayable.js'
import { fitted } from '../../views/format/fit.js'
import { Terminal } from '../explore/terminal.js'

/** The exit code after SIGINT, which is how it ends. */
const interrupted = 130

/**
 * Shows a text on the whole terminal and redraws it every second until Ctrl-C; lines that do not fit are left out.
 * @throws UserError if stdout is not a terminal
 */
export async function redraw(text: () => Promise<string>): Promise<void> {
  if (!process.stdout.isTTY) throw new UserError('--live needs a terminal', 'leave out --live, or use --json')
  const stop = new AbortController()
  let shown = ''
  const draw = () => {
    const { columns, rows } = terminal.size
    const lines = shown.split('\n')
    terminal.draw(Array.from({ length: rows }, (_, at) => fitted(lines[at] ?? '', columns)))
  }
  const terminal = new Terminal({
    key(key) {
      if (key === 'ctrl-c') stop.abort()
      if (key === 'ctrl-z') terminal.suspend()
    },
    spoiled: draw,
    end(code) {
      if (code !== interrupted) process.exitCode = code
      stop.abort()
    },
  })
  terminal.open()
  try {
    while (!stop.signal.aborted) {
      shown = displayable(await text())
      draw()
      await sleep(1000, undefined, { signal: stop.signal }).catch(() => {})
    }
  } finally {
    terminal.close()
  }
}
