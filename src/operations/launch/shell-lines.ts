import { basename } from 'node:path'
import type { JobEnvironment } from '../../domain/job-environment.js'
import { UserError } from '../../errors.js'
import type { Site } from '../../sites/site.js'

/** Shells that only read what they are given with `-n`, and say at which line they cannot. */
const readers = ['bash', 'sh', 'dash', 'ksh', 'zsh']
/** Longer texts are no argument of a program, in bytes. */
const longest = 100_000

/**
 * Has a shell read the shell lines of a template without running them: a quote that is never closed would otherwise be
 * found only by the groups, after hours in a queue.
 * @param template its name, for the error
 * @throws UserError with the line that no shell can read
 */
export async function checkShellLines(site: Site, template: string, environment: JobEnvironment): Promise<void> {
  const reader = readerOf(site, environment.shell[0])
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
 * The words that start the shell which reads them. Without a shell of the template's own the one of a node may be sh or
 * bash, which reads more. Null for a shell that cannot be asked here.
 */
function readerOf(site: Site, given: string | undefined): readonly string[] | null {
  const program = given ?? (site.hasProgram('bash') ? 'bash' : 'sh')
  if (!readers.includes(basename(program)) || !site.hasProgram(program)) return null
  // Lines may switch on patterns such as !(x), which bash otherwise does not read.
  return basename(program) === 'bash' ? [program, '-O', 'extglob', '-n', '-c'] : [program, '-n', '-c']
}

/** What the shell says of a text that it cannot read, with the line; null where it can. */
async function complaintOf(site: Site, reader: readonly string[], text: string): Promise<string | null> {
  if (text.trim() === '' || text.length > longest || text.includes('\0')) return null
  const environment = { ...process.env, LC_ALL: 'C' }
  const { exitCode, stderr } = await site.run([...reader, text], { environment, timeout: 10_000 })
  if (exitCode === null || exitCode === 0) return null
  const [, number = '', reason = stderr] = /(?:line |:\s?)(\d+): ?(.*)/.exec(stderr) ?? []
  const lines = text.trimEnd().split('\n')
  // The end of the text counts as a line of its own.
  const line = Math.min(Number(number) || 1, lines.length)
  return `line ${line}: ${reason.replace(/^Syntax error: /, '')}: ${lines[line - 1]!.trim()}`
}
