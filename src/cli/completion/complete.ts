import { readShipped } from '../../system/shipped.js'
import type { Candidate, Kind } from './kinds.js'
import type { Surface } from './shapes.js'
import { type Wanted, wantedAt } from './wanted.js'

export const shells = ['bash', 'zsh', 'fish']

/** The text that makes a shell complete the words of `qanat`. @param shell one of {@link shells} */
export function completionScript(shell: string): string {
  return readShipped(`qanat.${shell}`)
}

/**
 * The candidates for the last of the words, for a shell to read: a line that says what the shell itself adds (`files`,
 * `folders` or `nothing`), then a line for each candidate, with a tab before its description. Candidates that cannot be
 * looked up are left out; nothing is written and no scheduler is polled.
 * @param cut the words after `qanat` up to the cursor, as the shell splits them
 */
export async function complete(cut: readonly string[]): Promise<string> {
  const surface = JSON.parse(readShipped('surface.json')) as Surface
  const wanted = wantedAt(surface, unquoted(joined(cut)))
  const candidates = [...wanted.candidates, ...(await lookedUp(wanted))].filter(({ value }) => !/\p{C}/u.test(value))
  const lines = candidates.map(({ value, description }) => `${wanted.prefix}${value}\t${inOneLine(description)}`)
  return [shellPart(wanted.kind), ...lines, ''].join('\n')
}

/** bash splits `--runner=slurm` into three words. */
function joined(words: readonly string[]): string[] {
  const whole: string[] = []
  for (const [at, word] of words.entries()) {
    const isPart = at > 0 && (/^[=:]+$/.test(word) || /^[=:]+$/.test(words[at - 1]!))
    if (isPart) whole.push(whole.pop()! + word)
    else whole.push(word)
  }
  return whole
}

/** Shells pass the words as they were typed, with quotes; names that can be looked up contain none. */
function unquoted(words: readonly string[]): string[] {
  return words.map(word => word.replaceAll(/["'\\]/g, ''))
}

async function lookedUp({ kind, given, typed }: Wanted): Promise<Candidate[]> {
  if (!kind) return []
  try {
    const { lookUp } = await import('./kinds.js')
    return await lookUp(kind, given, typed)
  } catch {
    return []
  }
}

function shellPart(kind: Kind | null): 'files' | 'folders' | 'nothing' {
  if (kind === 'folders') return 'folders'
  return kind === 'files' || kind === 'templates' || kind === 'script_arguments' ? 'files' : 'nothing'
}

function inOneLine(text: string): string {
  return text.replaceAll(/\p{C}+/gu, ' ')
}
