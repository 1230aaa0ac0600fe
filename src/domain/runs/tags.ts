import { UserError } from '../../errors.js'
import { displayCommand } from '../text/shell-text.js'
import { isRunWord } from './run-ids.js'

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
  const isChange = (word: string) => /^[+-]./s.test(word)
  if (line.length > 1 && isChange(line[0]!) && !line.every(isChange)) {
    const others = line.filter(word => !isChange(word))
    throw new UserError('the run comes first', `qanat run_tag ${displayCommand([...others, ...line.filter(isChange)])}`)
  }
  const count = isRunWord(line[1] ?? '') ? 2 : 1
  const words = line.slice(count)
  const wrong = words.find(word => !isChange(word))
  if (wrong !== undefined || words.length === 0) {
    const what = wrong === undefined ? 'which tags?' : `+${wrong} or -${wrong}?`
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
