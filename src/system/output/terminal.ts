import { isatty } from 'node:tty'

/** Whether a stream is a terminal: 0 is stdin, 2 stderr. Asking does not create the stream, which would take longer. */
export function isTerminal(descriptor: 0 | 2): boolean {
  return isatty(descriptor)
}
