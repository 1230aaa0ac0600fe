import { UserError } from '../../errors.js'

/** A word that stands for the last run, perhaps with a group: `latest`, `@`, `latest.17`. */
export const LATEST = /^(?:latest|@)(?=\.|$)/

/** Whether a word can name runs or a group: `17`, `17.6`, `5-9`, `latest`. */
export function isRunWord(word: string): boolean {
  return LATEST.test(word) || /^\d+(?:\..*|-\d+)?$/s.test(word)
}

/**
 * Parses ids of runs, each once. `3` must exist, which the caller checks; `5-9` means all ids of `known` in that range.
 * @throws UserError for anything that is not an id, and for a range without a run
 */
export function readRunIds(words: readonly string[], known: readonly number[]): string[] {
  const ids = words.flatMap(word => {
    const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(word) ?? []
    if (first === undefined) throw notAnId(word)
    if (last === undefined) return [String(Number(first))]
    const inside = known.filter(id => id >= Number(first) && id <= Number(last)).sort((a, b) => a - b)
    if (inside.length === 0) throw new UserError(`there is no run in ${word}`)
    return inside.map(String)
  })
  return [...new Set(ids)]
}

/** The error about a word that is not the id of a run, such as `7,1`. */
export function notAnId(word: string): UserError {
  const ids = /^[\d,-]+,[\d,-]*$/.test(word) ? word.split(',').filter(id => id !== '') : ['3', '5-9']
  return new UserError(`'${word}' is not the id of a run`, `write ids and ranges, as in: ${ids.join(' ')}`)
}
