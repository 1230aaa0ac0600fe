import { UserError } from '../../errors.js'

/** Tags to add, and to take away. */
export interface TagChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** Reads `+a -b`. @throws UserError for a word without a sign, and for none at all */
export function readTagChanges(words: readonly string[]): TagChanges {
  const wrong = words.find(word => !/^[+-]./s.test(word))
  if (wrong !== undefined || words.length === 0) {
    const what = wrong === undefined ? 'which tags?' : `'${wrong}' does not say what to do with a tag`
    throw new UserError(what, 'write +TAG to add one, -TAG to take it away')
  }
  const of = (sign: string) => words.filter(word => word.startsWith(sign)).map(word => word.slice(1))
  return { added: of('+'), removed: of('-') }
}

/** Tags after a change, each once, in the order in which they came. @throws UserError for one to remove that is not there */
export function changedTags(tags: readonly string[], { added, removed }: TagChanges): string[] {
  const missing = removed.find(tag => !tags.includes(tag))
  if (missing !== undefined) {
    throw new UserError(
      `there is no tag '${missing}'`,
      tags.length > 0 ? `the tags are ${tags.join(', ')}` : 'it has none',
    )
  }
  return [...new Set([...tags.filter(tag => !removed.includes(tag)), ...added])]
}
