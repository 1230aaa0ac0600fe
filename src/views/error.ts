import type { QanatError } from '../errors.js'
import { displayable } from './format/displayable.js'
import { styleOf } from './format/style.js'

/** The text of an error for stderr: the thing and the reason, then what to type next. */
export function errorText({ message, hint }: QanatError): string {
  const { colour } = styleOf(process.stderr)
  const [first, ...rest] = (hint ?? '').split('\n')
  // A hint of several lines that begins with a capital letter is prose and is not indented; others are.
  const lines =
    hint === null ? [] : rest.length > 0 && /^[A-Z]/.test(first!) ? [hint] : [first!, ...rest].map(line => `  ${line}`)
  return `${colour.red('Error:')} ${displayable([message, ...lines].join('\n'))}\n`
}

/** The text of a warning for stderr. */
export function warningText(message: string): string {
  return `${styleOf(process.stderr).colour.yellow('Warning:')} ${displayable(message)}\n`
}
