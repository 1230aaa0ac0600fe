import { lstatSync } from 'node:fs'
import { quoteWord, takeWord } from '../../domain/text/shell-text.js'
import { readRegular } from '../../system/regular-file.js'
import { settingsFile } from '../layout.js'

/** Shell lines that export variables, a line each. @param variables their names and values */
export function exportLines(variables: Iterable<readonly [name: string, value: string]>): string[] {
  return Array.from(variables, ([name, value]) => `export ${name}=${quoteWord(value)}`)
}

/** A comment that records the value of a variable as it was given, since its shell line expands it. */
export function recordedLine(name: string, value: string): string {
  return `# ${name}=${quoteWord(value)}`
}

/**
 * The values of variables as they were given to an attempt, from the file that its job script reads.
 * @param storagePath absolute folder of the run
 * @returns what is wrong with the file, in words that follow its path, if it does not have them all
 */
export function readVariables(
  storagePath: string,
  attempt: number,
  names: readonly string[],
): Readonly<Record<string, string>> | string {
  const path = `${storagePath}/${settingsFile(attempt)}`
  const text = readRegular(path)
  if (text === null) return whyUnread(path)
  // Shell lines of the template, which may export variables, too, come later.
  const [head] = text.split('\nqanat_run=', 1)
  const values = new Map(
    head!.split('\n').flatMap(line => {
      const [, name, word] = /^(?:export|#) (\w+)=(.*)$/s.exec(line) ?? []
      return name === undefined ? [] : [[name, takeWord(word!).word] as const]
    }),
  )
  const missing = names.find(name => !values.has(name))
  if (missing !== undefined) return `no longer has ${missing}`
  return Object.fromEntries(names.map(name => [name, values.get(name)!]))
}

function whyUnread(path: string): string {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found) return 'is gone'
    if (found.uid !== process.getuid?.()) return `belongs to user ${found.uid}, who alone can read it`
  } catch {
    // Its folder cannot be searched.
  }
  return 'cannot be read'
}
