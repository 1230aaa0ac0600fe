import type { ParameterGrid } from '../../domain/parameters/grid.js'
import type { ListedRun } from '../../domain/results/best.js'
import type { Run } from '../../domain/runs/run.js'
import { isWanted, readFilter } from '../../domain/runs/run-filter.js'

/** Whether a run matches. @param gridOf the parameters of a run; called only if they matter */
type Keeps = (run: ListedRun, gridOf: (run: Run) => ParameterGrid) => boolean

/** Something that narrows a list of runs. */
export interface Filter {
  readonly name: FilterName
  /** What was typed. */
  readonly text: string
  readonly keeps: Keeps
}

const readers = {
  tag: text => anyOf(text, word => matching({ tag: [word] })),
  description: text => run => run.description.includes(text),
  status: text => matching({ status: [text] }),
  runner: text => anyOf(text, word => run => run.runner === word),
  commit: text => anyOf(text, word => matching({ commit: word })),
  parameters: text => anyOf(text, word => matching({ param: [word] })),
} satisfies Readonly<Record<string, (text: string) => Keeps>>

export type FilterName = keyof typeof readers

/** The filters, in the order of the menu, whose letters follow it, as in the older program. */
export const filterNames = Object.keys(readers) as readonly FilterName[]

/** Reads a filter as it was typed. @throws UserError for text that it does not understand */
export function filterOf(name: FilterName, text: string): Filter {
  return { name, text, keeps: readers[name](text) }
}

/** A run matches if it matches one of the words between commas, or the whole text, which may contain a comma itself. */
function anyOf(text: string, read: (word: string) => Keeps): Keeps {
  const words = text.split(',').map(word => word.trim())
  const readings = [text, ...words.filter(word => word !== '')].map(read)
  return (...of) => readings.some(keeps => keeps(...of))
}

function matching(given: Parameters<typeof readFilter>[0]): Keeps {
  const filter = readFilter(given, Date.now())
  return (run, gridOf) => isWanted(run, filter, gridOf)
}
