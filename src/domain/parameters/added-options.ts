import { type Experiment, type PathOptions, pathOptionsOf } from '../experiment.js'
import { parameterName } from './arguments.js'
import { type ParameterGrid, wordsOfGrid } from './grid.js'

/** The options that Qanat adds to the arguments of each group, which nobody else may give. */
export function addedOptions(experiment: Experiment): PathOptions {
  const { storageOption, datasetOption } = pathOptionsOf(experiment)
  return { storageOption, datasetOption: experiment.datasets.length > 0 ? datasetOption : null }
}

/** Whether a word is an option, with or without a value in the same word. @param option may end with `=`; null is none */
export function isGiven(word: string, option: string | null): boolean {
  if (option === null) return false
  const name = parameterName(option)
  return word.startsWith(`${name}=`) || (word === name && name.startsWith('-'))
}

/** The first of the added options that is among some words, in a sentence; null if there is none. */
export function givenTwice(words: readonly string[], { storageOption, datasetOption }: PathOptions): string | null {
  const has = (option: string | null) => words.some(word => isGiven(word, option))
  if (has(storageOption)) return `Qanat itself gives ${parameterName(storageOption!)}, with the folder of each group`
  return has(datasetOption)
    ? `Qanat itself gives ${parameterName(datasetOption!)}, with the path of each dataset`
    : null
}

/** The words of a grid, and the options of its ranges. */
export function optionWords(grid: ParameterGrid): string[] {
  return [...wordsOfGrid(grid), ...grid.axes.flatMap(axis => ('option' in axis ? [axis.option] : []))]
}
