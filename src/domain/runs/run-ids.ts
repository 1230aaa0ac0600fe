import { UserError } from '../../errors.js'

/**
 * Ids of runs as they are typed, each once: `3` must exist (whoever asks checks that), `5-9` means those of `known`
 * that lie in it.
 * @throws UserError for what is no id, and for a range with no run in it
 */
export function readRunIds(words: readonly string[], known: readonly number[]): string[] {
  const ids = words.flatMap(word => {
    const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(word) ?? []
    if (first === undefined) throw new UserError(`'${word}' is no id of a run`, 'write them as in: 3 5-9')
    if (last === undefined) return [String(Number(first))]
    const inside = known.filter(id => id >= Number(first) && id <= Number(last)).sort((a, b) => a - b)
    if (inside.length === 0) throw new UserError(`there is no run in ${word}`)
    return inside.map(String)
  })
  return [...new Set(ids)]
}
