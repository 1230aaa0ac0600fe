import type { ParameterGrid } from '../../domain/parameters/grid.js'
import type { Run } from '../../domain/runs/run.js'
import { isWanted, readFilter } from '../../domain/runs/run-filter.js'

/** Whether a run is wanted. @param gridOf what a run varies; asked only where parameters matter */
type Keeps = (run: Run, gridOf: (run: Run) => ParameterGrid) => boolean

/** Something that narrows a list of runs. */
export interface Filter {
  readonly name: FilterName
  /** As it was typed. */
  readonly text: string
  readonly keeps: Keeps
}

const readers = {
  tag: text => matching({ tag: [text] }),
  description: text => run => run.description.includes(text),
  status: text => matching({ status: [text] }),
  runner: text => run => run.runner === text,
  commit: text => matching({ commit: text }),
  parameter: text => matching({ param: [text] }),
} satisfies Readonly<Record<string, (text: string) => Keeps>>

export type FilterName = keyof typeof readers

/** What runs can be narrowed by, in the order of the menu. */
export const filterNames = Object.keys(readers) as readonly FilterName[]

/** A filter as it is typed. @throws UserError for text that means nothing to it */
export function filterOf(name: FilterName, text: string): Filter {
  return { name, text, keeps: readers[name](text) }
}

function matching(given: Parameters<typeof readFilter>[0]): Keeps {
  const filter = readFilter(given, Date.now())
  return (run, gridOf) => isWanted(run, filter, gridOf)
}
