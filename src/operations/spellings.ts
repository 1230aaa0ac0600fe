import type { ParameterGrid } from '../domain/parameters/grid.js'
import { apartIn } from '../domain/parameters/group-parameters.js'
import type { AreApart } from '../domain/parameters/same-value.js'
import { totalOf } from '../domain/runs/aggregate.js'
import type { Workspace } from './workspace.js'

/**
 * Says which numbers in several ways of writing are different values of the parameters of an experiment, by all of its runs; these
 * are only looked at if groups have a number in several ways.
 * @param files grids of parameter files that groups are put into
 */
export function apartAmong(
  { store }: Pick<Workspace, 'store'>,
  experiment: string,
  files: readonly ParameterGrid[] = [],
): AreApart {
  return apartIn(function* () {
    yield* files
    for (const { id, counts } of store.runs.listOf(experiment)) if (totalOf(counts) > 1) yield store.runs.grid(id)
  })
}

/** The same for several experiments. */
export function apartAmongEach(workspace: Pick<Workspace, 'store'>): (experiment: string) => AreApart {
  const known = new Map<string, AreApart>()
  return experiment => {
    if (!known.has(experiment)) known.set(experiment, apartAmong(workspace, experiment))
    return known.get(experiment)!
  }
}
