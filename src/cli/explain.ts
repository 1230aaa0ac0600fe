import { Errors } from '@oclif/core'
import { ExitCode, InterruptedError, QanatError, UserError } from '../errors.js'

/** Any failure as one that can be shown; null for output that nobody reads any more (a closed pipe). */
export function explain(error: unknown): QanatError | null {
  if (error instanceof QanatError) return error
  if (!(error instanceof Error)) return new QanatError(String(error), ExitCode.failed)
  if ('code' in error && error.code === 'EPIPE') return null
  if (error.name === 'ExitPromptError') return new InterruptedError('left at a prompt; nothing was changed')
  if (error instanceof Errors.CLIError && error.oclif.exit === 2) {
    const [message = '', ...rest] = error.message.split('\n').filter(line => !line.startsWith('See more help'))
    return new UserError([message, ...rest].join('\n'), 'add --help to the command to see what it takes')
  }
  return new QanatError(`${error.message} (QANAT_DEBUG=1 shows where)`, ExitCode.failed)
}
