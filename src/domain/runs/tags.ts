import { UserError } from '../../errors.js'
import { isRunWord } from './run-ids.js'

/** Tags to add and to remove. */
interface TagChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/**
 * Splits `digits 4 +a -b`, also without the experiment or the run, into the words for the run and the changes.
 * @throws UserError for a word without a sign, and if there are no changes
 */
export function splitTagLine(line: readonly string[]): {
  readonly run: readonly string[]
  readonly changes: TagChanges
} {
  const count = isRunWord(line[1] ?? '') ? 2 : 1
  const words = line.slice(count)
  const wrong = words.find(word => !/^[+-]./s.test(word))
  if (wrong !== undefined || words.length === 0) {
    const what = wrong === undefined ? 'which tags?' : `'${wrong}' begins with neither + nor -`
    throw new UserError(what, 'write +TAG to add a tag, -TAG to remove it')
  }
  const of = (sign: string) => words.filter(word => word.startsWith(sign)).map(word => word.slice(1))
  return { run: line.slice(0, count), changes: { added: of('+'), removed: of('-') } }
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
