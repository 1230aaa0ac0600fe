import { UserError } from '../../errors.js'

/** Tags to add and to remove. */
export interface TagChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** Parses `+a -b`. @throws UserError for a word without a sign, and if there are no words */
export function readTagChanges(words: readonly string[]): TagChanges {
  const wrong = words.find(word => !/^[+-]./s.test(word))
  if (wrong !== undefined || words.length === 0) {
    const what = wrong === undefined ? 'which tags?' : `'${wrong}' begins with neither + nor -`
    throw new UserError(what, 'write +TAG to add a tag, -TAG to remove it')
  }
  const of = (sign: string) => words.filter(word => word.startsWith(sign)).map(word => word.slice(1))
  return { added: of('+'), removed: of('-') }
}

/** The tags after a change, each once, in order. @throws UserError for a tag to remove that is not there */
export function changedTags(tags: readonly string[], { added, removed }: TagChanges): string[] {
  const missing = removed.find(tag => !tags.includes(tag))
  if (missing !== undefined) {
    throw new UserError(
      `there is no tag '${missing}'`,
      tags.length > 0 ? `the tags are ${tags.join(', ')}` : 'it has no tags',
    )
  }
  return [...new Set([...tags.filter(tag => !removed.includes(tag)), ...added])]
}
