import { basename } from 'node:path'
import type { JobEnvironment } from '../../domain/job-environment.js'
import { UserError } from '../../errors.js'
import type { Site } from '../../sites/site.js'

/** Shells that check the syntax of a text with `-n` and name the line of a mistake. */
const readers = ['bash', 'sh', 'dash', 'ksh', 'zsh']
/** A longer text, in bytes, cannot be an argument of a program. */
const longest = 100_000

/**
 * Checks the syntax of the shell lines of a template: an open quote would otherwise be found only by the groups, after
 * hours in a queue.
 * @param template its name, for the error
 * @throws UserError with the line that has the mistake
 */
export async function checkShellLines(site: Site, template: string, environment: JobEnvironment): Promise<void> {
  const reader = await readerOf(site, environment.shell[0])
  if (reader === null) return
  const { afterModules, setup, teardown, background } = environment
  const texts = {
    after_modules: afterModules,
    setup,
    teardown,
    ...Object.fromEntries(background.map((text, at) => [`background[${at}]`, text])),
  }
  const checks = Object.entries(texts).map(async ([key, text]) => {
    const complaint = await complaintOf(site, reader, text)
    if (complaint === null) return
    const hint = `correct ${key} of the template; qanat config edit        for one in the config`
    throw new UserError(`submit template ${template}: ${key}: ${complaint}`, hint)
  })
  await Promise.all(checks)
}

/**
 * The words that start the shell for the check. If the template names no shell, the node may use sh or bash: check with
 * bash, which accepts more. Null for a shell that cannot check it here.
 */
async function readerOf(site: Site, given: string | undefined): Promise<readonly string[] | null> {
  const { programs } = await site.probe(given === undefined ? ['bash', 'sh'] : [given])
  const program = given ?? (programs.has('bash') ? 'bash' : 'sh')
  if (!readers.includes(basename(program)) || !programs.has(program)) return null
  // The lines may switch on patterns such as !(x), which are otherwise syntax errors in bash.
  return basename(program) === 'bash' ? [program, '-O', 'extglob', '-n', '-c'] : [program, '-n', '-c']
}

/** The shell's message about a syntax error, with the line; null if there is none. */
async function complaintOf(site: Site, reader: readonly string[], text: string): Promise<string | null> {
  if (text.trim() === '' || text.length > longest || text.includes('\0')) return null
  const environment = { set: { LC_ALL: 'C' } }
  const { exitCode, stderr } = await site.run([...reader, text], { environment, timeout: 10_000 })
  if (exitCode === null || exitCode === 0) return null
  const [, number = '', reason = stderr] = /(?:line |:\s?)(\d+): ?(.*)/.exec(stderr) ?? []
  const lines = text.trimEnd().split('\n')
  // The shell counts the end of the text as a further line.
  const line = Math.min(Number(number) || 1, lines.length)
  return `line ${line}: ${reason.replace(/^Syntax error: /, '')}: ${lines[line - 1]!.trim()}`
}
