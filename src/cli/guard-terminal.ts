/** Signals that end a program at once, without what it does at its end. */
const endings = ['SIGTERM', 'SIGHUP'] as const

/**
 * Lets a program that is told to end leave the terminal as it was, with a cursor and with keys that are shown.
 * @returns a function to call once the program has put that right itself
 */
export function guardTerminal(): () => void {
  const leave = () => {
    for (const signal of endings) process.off(signal, end)
  }
  const end = (signal: NodeJS.Signals) => {
    if (process.stdin.isTTY) process.stdin.setRawMode(false)
    if (process.stderr.isTTY) process.stderr.write('\x1b[?25h\n')
    leave()
    process.kill(process.pid, signal)
  }
  for (const signal of endings) process.on(signal, end)
  return leave
}

/** Asks something on the terminal, which is guarded until there is an answer. */
export async function guarded<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const leave = guardTerminal()
  try {
    return await ask()
  } finally {
    leave()
  }
}
