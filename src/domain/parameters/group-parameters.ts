import { parametersOf } from './arguments.js'
import { argumentsOf, axisLength, axisPart, type ParameterGrid } from './grid.js'

type Parameters = Readonly<Record<string, string | readonly string[]>>

/**
 * The parameters of the groups of a grid by index, as {@link parametersOf} gives them. The parts of a grid are read once,
 * which is ten times as fast for many groups, unless one of them has a positional or repeats an option of another.
 */
export function groupParameters(grid: ParameterGrid): (index: number) => Parameters {
  const groupCount = Math.max(1, grid.groups.length)
  const bases = Array.from({ length: groupCount }, (_, index) =>
    parametersOf(argumentsOf({ ...grid, axes: [] }, index)),
  )
  const axes = grid.axes.map(axis => Array.from({ length: axisLength(axis) }, (_, at) => axisPart(axis, at)))
  const hasPositional = axes.flat().some(({ positional }) => positional !== undefined)
  const parts = axes.map(axis => axis.map(({ args }) => parametersOf(args)))
  if (hasPositional || !areApart(bases, parts)) return index => parametersOf(argumentsOf(grid, index))
  return index => {
    let remaining = Math.floor(index / groupCount)
    const parameters = { ...bases[index % groupCount]! }
    for (const axis of parts) {
      Object.assign(parameters, axis[remaining % axis.length])
      remaining = Math.floor(remaining / axis.length)
    }
    return parameters
  }
}

/** Whether no option is in two of the lists, and no positional in one after the first. */
function areApart(bases: readonly Parameters[], axes: readonly (readonly Parameters[])[]): boolean {
  const names = new Set(bases.flatMap(base => Object.keys(base)))
  for (const axis of axes) {
    const own = new Set(axis.flatMap(part => Object.keys(part)))
    for (const name of own) if (names.has(name) || name.startsWith('pos_')) return false
    for (const name of own) names.add(name)
  }
  return true
}
