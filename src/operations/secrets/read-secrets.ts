import type { JobEnvironment } from '../../domain/job-environment.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { OperationError, type QanatError, UserError } from '../../errors.js'
import { takeVariable } from '../../system/processes/taken-variables.js'
import type { Workspace } from '../workspace.js'

/** How long a command that prints a secret may take, in milliseconds: it may ask a person to unlock something. */
const patience = 60_000

/** Bytes of a variable with its name. With a larger one, Linux starts no program (MAX_ARG_STRLEN, with a NUL at the end). */
const largestVariable = 131_071

/**
 * The secrets of a template as they are now, by the names of their variables. The variables are taken out of the environment
 * of this program, so that neither a scheduler nor a pool gets them from there.
 * @param template its name, for errors
 * @throws QanatError that says what is missing, and what to type
 */
export async function readSecrets(
  workspace: Workspace,
  template: string,
  { secrets }: Pick<JobEnvironment, 'secrets'>,
): Promise<Map<string, string>> {
  const printed = new Map<string, string>()
  for (const [name, command] of Object.entries(secrets)) {
    if (command !== null) printed.set(name, await printedBy(workspace, template, name, command))
  }
  return new Map(
    Object.keys(secrets).map(name => {
      const variable = takeVariable(name)
      const value = printed.get(name) ?? variable
      if (!value) {
        throw new UserError(
          `submit template ${template}: it needs the secret ${name}, and this variable is not set`,
          `export ${name}=…        before the launch, or let a command print it: secrets: {${name}: {command: [pass, show, …]}}`,
        )
      }
      // Bytes that are no text cannot be told from each other once they have been read.
      if (/[\0\ufffd]/.test(value)) {
        throw new UserError(
          `submit template ${template}: the secret ${name} is not UTF-8 text without NUL`,
          'encode it, for example with base64, and decode it in the script',
        )
      }
      if (Buffer.byteLength(`${name}=${value}`) > largestVariable) {
        throw new UserError(
          `submit template ${template}: the secret ${name} is larger than 128 kB, the most that a variable can have`,
          'let the script read it from a file that only you can read',
        )
      }
      return [name, value]
    }),
  )
}

/** The output of a command, without the newline at its end. */
async function printedBy(
  { here, project }: Workspace,
  template: string,
  name: string,
  command: readonly string[],
): Promise<string> {
  const { stdout, stderr, exitCode, ending } = await here.run(command, {
    cwd: project.root,
    timeout: patience,
  })
  const failed = (why: string): QanatError =>
    new OperationError(
      `submit template ${template}: the command of the secret ${name} ${why}`,
      `try it: ${displayCommand(command)}`,
    )
  if (ending === 'missing') throw failed(`cannot be started: no program '${command[0]}'`)
  if (ending === 'timeout') throw failed(`has not ended within ${patience / 1000} s`)
  if (exitCode !== 0) {
    const said = stderr.trim().split('\n').at(-1)!
    throw failed(`${exitCode === null ? 'was killed' : `ended with code ${exitCode}`}${said && `: ${said}`}`)
  }
  if (stdout === '') throw failed('has printed nothing')
  return stdout
}
