import { SchedulerError } from '../../errors.js'
import { type ProgramOptions, type ProgramResult, runProgram } from '../../system/programs.js'

/** How long kubectl may take to answer a question, in milliseconds. */
const kubectlPatience = 60_000

/** What kubectl says of an object that is not there. */
const notFound = /\(NotFound\)/

/**
 * Calls kubectl.
 * @param words with which it is called for a namespace, then its own
 * @param input its standard input
 */
export function kubectl(
  words: readonly string[],
  { input, ...options }: Partial<Omit<ProgramOptions, 'input'>> & { readonly input?: string } = {},
): Promise<ProgramResult> {
  return runProgram(words, {
    timeout: kubectlPatience,
    ...options,
    ...(input !== undefined && { input: textInput(input) }),
  })
}

async function* textInput(text: string) {
  yield Buffer.from(text)
}

/** What kubectl prints. @throws SchedulerError with its words if it fails */
export async function askKubectl(words: readonly string[], input?: string): Promise<string> {
  const result = await kubectl(words, input === undefined ? {} : { input })
  if (result.exitCode === 0) return result.stdout
  throw kubectlError(result)
}

/** An object as JSON; null if it is not there. @throws SchedulerError with kubectl's words if it fails */
export async function findObject<Kind>(words: readonly string[]): Promise<Kind | null> {
  const result = await kubectl([...words, '-o', 'json'])
  if (result.exitCode === 0) return JSON.parse(result.stdout) as Kind
  if (notFound.test(result.stderr)) return null
  throw kubectlError(result)
}

/** The error for a call of kubectl that has failed, with what to do. */
export function kubectlError({ ending, stderr, exitCode }: ProgramResult): SchedulerError {
  if (ending === 'missing')
    return new SchedulerError('kubectl is not in the PATH', 'https://kubernetes.io/docs/tasks/tools/')
  if (ending === 'timeout') return new SchedulerError('kubectl has not answered in time', 'try again')
  const text = stderr.trim().split('\n').at(-1) || `kubectl failed (exit ${exitCode})`
  return new SchedulerError(text, adviceFor(text))
}

/** What to do about words of kubectl. */
function adviceFor(text: string): string {
  if (/no context exists|context .* does not exist/.test(text))
    return "kubectl config get-contexts        lists those that there are; correct 'cluster' of the context"
  if (/Unauthorized|must be logged in|credentials|exec plugin/.test(text))
    return 'log in as your cluster asks, then try again: kubectl auth whoami'
  if (/namespaces "[^"]*" not found/.test(text)) return 'kubectl create namespace NAME, or correct the context'
  if (/being terminated/.test(text)) return 'the namespace is going away: choose another one'
  if (/exceeded quota/.test(text)) return 'the quota of the namespace is full: kubectl describe quota'
  if (/forbidden/i.test(text)) return 'qanat context test NAME        shows which rights are missing'
  return 'try again'
}
