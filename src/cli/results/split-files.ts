import { isRunWord } from '../../domain/runs/run-ids.js'

/**
 * Tells files from the words behind them that name runs. The first word is a file, and so are those up to an id or the name
 * of an experiment; `3.svg` is a file, too.
 */
export function splitFiles(
  words: readonly string[],
  isExperiment: (word: string) => boolean,
): { readonly files: readonly string[]; readonly runs: readonly string[] } {
  const isRun = (word: string) => isExperiment(word) || (isRunWord(word) && !/^\d+\.\D/.test(word))
  const first = words.findIndex((word, at) => at > 0 && isRun(word))
  return first === -1 ? { files: words, runs: [] } : { files: words.slice(0, first), runs: words.slice(first) }
}
