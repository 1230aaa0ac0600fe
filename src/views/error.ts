import { displayCommand } from '../domain/text/shell-text.js'
import type { QanatError } from '../errors.js'
import type { CalledProgram } from '../system/programs.js'
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

/** The text of a program that was called, for stderr, on one line: `Debug: 12 ms, exit code 1: git rev-parse HEAD`. */
export function programText({ command, milliseconds, ending }: CalledProgram): string {
  const how = typeof ending === 'string' ? `, killed by ${ending}` : ending === null ? ', still running' : ''
  const code = typeof ending === 'number' && ending !== 0 ? `, exit code ${ending}` : ''
  const line = displayCommand(command).replaceAll('\n', '\\n')
  return `${styleOf(process.stderr).colour.dim('Debug:')} ${milliseconds} ms${how}${code}: ${displayable(line)}\n`
}
