import * as Errors from '@oclif/core/errors'
import { nearest } from '../domain/text/names.js'
import { ExitCode, InterruptedError, QanatError, UserError } from '../errors.js'
import { explainDatabase } from '../store/database.js'
import { explainWriting } from '../system/files.js'
import type { CalledProgram } from '../system/programs.js'
import { errorText, programText, warningText } from '../views/error.js'
import { displayable, jsonText } from '../views/format/displayable.js'

/** Shows a failure, on stdout as JSON if that was asked for, and sets the exit code. */
export function showError(error: unknown, json: boolean, flags: readonly string[] = []): void {
  if (process.env.QANAT_DEBUG) console.error(error)
  const explained = explain(error, flags)
  if (!explained) return
  const { message, hint, code, kind } = explained
  process.exitCode = code
  if (json) process.stdout.write(`${jsonText(withWarnings({ error: { message, hint, code, kind } }))}\n`)
  else process.stderr.write(errorText(explained))
}

const warnings = new Set<string>()

/** Shows a warning, and keeps it for the JSON of the command. @param isShown false if the user wants none on stderr */
export function showWarning(message: string, isShown = true): void {
  warnings.add(message)
  if (isShown) process.stderr.write(warningText(message))
}

/** Shows what was done. @param isShown false if the user wants none on stderr */
export function showNote(message: string, isShown: boolean): void {
  if (isShown) process.stderr.write(`${displayable(message)}\n`)
}

/** The JSON of a command; an object has the warnings, if there were any. */
export function withWarnings(json: unknown): unknown {
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
  return isObject && warnings.size > 0 ? { ...json, warnings: [...warnings] } : json
}

/** Shows a program that was called. */
export function showProgram(program: CalledProgram): void {
  process.stderr.write(programText(program))
}

function withNearFlag(text: string, flags: readonly string[]): string {
  const [, typed] = /^unknown option --(\S+)$/.exec(text) ?? []
  const meant = typed === undefined ? null : nearest(typed.replaceAll('-', '_').replace(/=.*/s, ''), flags)
  return meant === null ? text : `${text}. Did you mean --${meant}?`
}

/** Turns any failure into one that can be shown; null for a closed pipe, whose reader has gone. */
function explain(thrown: unknown, flags: readonly string[]): QanatError | null {
  const error = explainWriting(explainDatabase(thrown))
  if (error instanceof QanatError) return error
  if (!(error instanceof Error)) return new QanatError(String(error), ExitCode.failed)
  if ('code' in error && error.code === 'EPIPE') return null
  if (error.name === 'ExitPromptError') return new InterruptedError('cancelled at a prompt; nothing was changed')
  if (error instanceof Errors.CLIError && error.oclif.exit === 2) {
    const text = withNearFlag(usageText(error.message), flags)
    return new UserError(text, 'add --help to see the arguments and options of the command')
  }
  return new QanatError(`${error.message} (QANAT_DEBUG=1 shows where)`, ExitCode.failed)
}

/** What oclif says of a wrong line, in the words of our own errors. */
const plainWords: readonly (readonly [RegExp, string])[] = [
  [/^Parsing (--\S+) \n\tExpected /, '$1: expected '],
  [/expected an integer(.*) but received: (.*)/, "expected a whole number$1, not '$2'"],
  [/All of the following must be provided when using (--\S+): (.+)/g, '$1 needs $2'],
  [/(--\S+) cannot also be provided when using (--\S+)/g, '$1 and $2 cannot be given together'],
  [/^Expected (--[^\s=]+)=(.*) to be one of: ([^\n]+)/, "$1: expected one of $3, not '$2'"],
  [/^Expected (.*) to be one of: ([^\n]+)/, "expected one of $2, not '$1'"],
  [/^Flag (--\S+) expects a value/, '$1 needs a value'],
  [/Missing required flag (\S+)/g, '--$1 is missing'],
  [/^Nonexistent flag(s?): /, 'unknown option$1 '],
  [/^Unexpected argument/, 'unexpected argument'],
]

/** The same without what is not true here: options that can be repeated may come first. */
export function usageText(message: string): string {
  const lines = plainWords
    .reduce((text, [pattern, words]) => text.replace(pattern, words), message)
    .split('\n')
    .filter(line => !/^(See more help|Note: |Alternatively, |The following errors? occurred:|$)/.test(line))
  const [first = '', ...others] = lines
  // Of two options that exclude each other, both say it.
  const further = first.includes(' cannot be given together') ? [] : others
  return [first.trim().replaceAll('=true', ''), ...further].join('\n')
}
