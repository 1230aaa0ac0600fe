import { isatty } from 'node:tty'

/** Whether a stream is a terminal: 0 is stdin, 2 stderr. To know it, the stream need not be made, which takes longer. */
export function isTerminal(descriptor: 0 | 2): boolean {
  return isatty(descriptor)
}
