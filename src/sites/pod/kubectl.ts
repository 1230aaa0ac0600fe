import { kubectlError } from '../../domain/pods/refusals.js'
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
