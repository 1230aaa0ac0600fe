import { fewInSentence } from '../../text/names.js'
import { type Cell, type Comparison, type GroupResult, hasOneOf, looksLikeSeed, originNames } from '../compare.js'
import { plain } from '../named.js'

/** The groups of a cell that count in its means. */
type MeasuredOf = (cell: Cell) => readonly GroupResult[]

/**
 * Sentences on what the rows of a comparison do not show.
 * @param hasNoOver whether nobody said what to average over
 * @param metrics the names of those that are compared
 */
export function comparisonNotes(grid: Comparison, hasNoOver: boolean, metrics: readonly string[]): string[] {
  const measuredOf: MeasuredOf = ({ groups }) =>
    metrics.length === 0 ? groups : groups.filter(group => hasOneOf(group, metrics))
  return [
    ...hiddenOrigins(grid, measuredOf),
    ...averagedBesides(grid, measuredOf, hasNoOver),
    ...unlikeOthers(grid, measuredOf),
    ...grid.spellings.map(spelledDifferently),
  ]
}

/** Notes metrics that the experiment calls best, but by which no group can be. @param there as in {@link metricNames} */
export function bestNotes(names: readonly string[], there: ReadonlyMap<string, boolean>): string[] {
  if (there.size === 0) return []
  return names
    .filter(name => !there.get(name))
    .map(name => `best names ${name}, ${there.has(name) ? 'of which no value is a number' : 'which no group has'}`)
}

/** Notes differences of groups in code, environment or data that no column shows. */
function hiddenOrigins({ by, over, cells, varying }: Comparison, measuredOf: MeasuredOf): string[] {
  const hidden = originNames
    .filter(name => varying.includes(name) && !by.includes(name) && !over.includes(name))
    .map(name => {
      const values = valuesOfCells(name, cells, measuredOf)
      const mixed = values.filter(({ length }) => length > 1)
      const told = [...new Set((mixed.length > 0 ? mixed : values).flat())]
      return { name, told, isMixed: mixed.length > 0, text: `${name} (${fewInSentence(told)})` }
    })
    .filter(({ told }) => told.length > 1)
  const names = [...by, ...hidden.map(({ name }) => name)].map(plain).join(',')
  const textsOf = (isMixed: boolean) => hidden.filter(each => each.isMixed === isMixed).map(({ text }) => text)
  const [mixed, others] = [textsOf(true), textsOf(false)]
  return [
    ...(mixed.length > 0 ? [`some means are over groups that differ in ${fewInSentence(mixed)}: --by ${names}`] : []),
    ...(others.length > 0
      ? [`groups differ in ${fewInSentence(others)}, which --by does not name: --by ${names}`]
      : []),
  ]
}

/** Notes parameters that means are over, although neither `--over` nor `--by` names them; seeds need no `--over`. */
function averagedBesides(grid: Comparison, measuredOf: MeasuredOf, hasNoOver: boolean): string[] {
  const isNamed = (name: string) =>
    [...grid.by, ...grid.over, ...originNames].includes(name) || (hasNoOver && looksLikeSeed(name))
  const others = grid.varying.filter(
    name => !isNamed(name) && valuesOfCells(name, grid.cells, measuredOf).some(({ length }) => length > 1),
  )
  if (others.length === 0) return []
  const names = [...grid.by, ...others].map(plain).join(',')
  return [`means are ${hasNoOver ? '' : 'also '}over ${fewInSentence(others)}, which --by does not name: --by ${names}`]
}

/**
 * Notes means over groups with and without a parameter: a trial without `--seed` may repeat a seed. A flag that never has a
 * value is left out: groups with it and groups without it are the two cases that it knows.
 */
function unlikeOthers({ by, cells, varying }: Comparison, measuredOf: MeasuredOf): string[] {
  const isFlag = (name: string) =>
    cells.every(cell => measuredOf(cell).every(({ parameters }) => [parameters[name] ?? ''].flat().join('') === ''))
  const averaged = varying.filter(name => !by.includes(name) && !originNames.includes(name) && !isFlag(name))
  return averaged.flatMap(name => {
    const has = ({ parameters }: GroupResult) => Object.hasOwn(parameters, name)
    const lacking = cells.map(measuredOf).flatMap(groups => (groups.some(has) ? groups.filter(each => !has(each)) : []))
    const which = fewInSentence(lacking.map(({ run, index }) => `${run}.${index}`))
    const groups = `${lacking.length} group${lacking.length === 1 ? '' : 's'}`
    return lacking.length === 0 ? [] : [`means include ${groups} without ${name}: ${which}`]
  })
}

/** For each cell the values of a parameter that its groups have, each once. */
function valuesOfCells(name: string, cells: readonly Cell[], measuredOf: MeasuredOf): string[][] {
  return cells.map(cell => [
    ...new Set(measuredOf(cell).map(({ parameters }) => String(parameters[name] ?? 'none recorded'))),
  ])
}

/** Notes numbers that groups have in several ways, and that count as one value. */
function spelledDifferently({ name, texts }: Comparison['spellings'][number]): string {
  const [first, ...more] = texts
  const others = more.length === 0 ? '' : `, and so are ${more.length} more`
  return `${name}: ${fewInSentence(first!)} are one number, and count as one value${others}`
}
