import { UserError } from '../../errors.js'
import { distance } from './distance.js'

export type NamedKind = 'experiment' | 'dataset' | 'document' | 'action' | 'template' | 'context'

/** The pattern of valid names, and the same rule in words. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
export const NAME_RULE =
  "a name is a letter (A-Z or a-z) or a digit, then such letters, digits, '.', '_' or '-', at most 64 in all"
const SHOWN_LENGTH = 40

/** Returns a valid name unchanged. Throws a UserError with the rule for any other. */
export function checkName(kind: NamedKind, name: string): string {
  if (NAME.test(name)) return name
  throw new UserError(
    `'${shortened(name)}' cannot be the name of ${/^[ae]/.test(kind) ? 'an' : 'a'} ${kind}`,
    NAME_RULE,
  )
}

/** Refuses a name for a new thing. Ids of runs and groups are no names of experiments: both stand at the same place of a line. */
export function checkNewName(kind: NamedKind, name: string): string {
  checkName(kind, name)
  if (kind !== 'experiment' || !/^(?:\d+(?:[.-]\d+)?|latest)$/.test(name)) return name
  throw new UserError(
    `'${name}' cannot be the name of an experiment: it names a run`,
    `add a word, as in: experiment_${name}`,
  )
}

/** Shortens a user's text for a message: one printable line of at most 40 characters. */
export function shortened(text: string): string {
  const characters = [...JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')]
  return characters.length > SHOWN_LENGTH ? `${characters.slice(0, SHOWN_LENGTH - 1).join('')}…` : characters.join('')
}

/** The candidate that was probably meant: a few letters off, or beginning with the name. Null if none is near. */
export function nearest(name: string, candidates: readonly string[]): string | null {
  if (candidates.length === 0 || name === '') return null
  const wanted = name.toLowerCase()
  let best: string | null = null
  let fewest = Math.floor(wanted.length / 3)
  for (const candidate of candidates) {
    // A text that is longer or shorter by more letters cannot be near.
    if (Math.abs(candidate.length - wanted.length) > fewest) continue
    const slips = distance(wanted, candidate.toLowerCase())
    if (slips > fewest || (slips === fewest && best !== null)) continue
    best = candidate
    fewest = slips
  }
  if (best !== null || wanted.length < 2) return best
  const longer = candidates.filter(candidate => candidate.toLowerCase().startsWith(wanted))
  return longer.sort((a, b) => a.length - b.length)[0] ?? null
}

/** True if two texts differ by one slip: a letter changed, added, left out, or exchanged with its neighbour. */
export function isOneLetterOff(one: string, other: string): boolean {
  // Texts may have any length, and comparing two of them takes as long as the product of both.
  return Math.abs(one.length - other.length) <= 1 && distance(one, other) === 1
}

/** The first five of them, and the number of the others. */
export function fewOf(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : ''
  return names.slice(0, 5).join(', ') + more
}

/** The same as a part of a sentence: `a, b and c`. */
export function fewInSentence(names: readonly string[]): string {
  if (names.length < 2 || names.length > 5) return fewOf(names)
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
