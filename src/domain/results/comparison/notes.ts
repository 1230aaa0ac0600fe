import { groupBy } from '../../group-by.js'
import { fewInSentence } from '../../text/names.js'
import { type Cell, type Comparison, type GroupResult, hasOneOf, looksLikeSeed } from '../compare.js'
import { plain } from '../named.js'
import { originNames } from './columns.js'
import { spellingNote } from './spellings.js'

/** The groups of a cell that count in its means. */
type MeasuredOf = (cell: Cell) => readonly GroupResult[]

/**
 * Sentences on what the rows of a comparison do not show.
 * @param hasNoOver whether nobody said what to average over
 * @param metrics the names of those that are compared
 */
export function comparisonNotes(grid: Comparison, hasNoOver: boolean, metrics: readonly string[]): string[] {
  const measured = measuredOf(metrics)
  return [
    ...averagedBesides(grid, measured, hasNoOver),
    ...unlikeOthers(grid, measured),
    ...grid.spellings.map(spellingNote),
  ]
}

function measuredOf(metrics: readonly string[]): MeasuredOf {
  return ({ groups }) => (metrics.length === 0 ? groups : groups.filter(group => hasOneOf(group, metrics)))
}

/** Notes metrics that the experiment calls best, but by which no group can be. @param there as in {@link metricNames} */
export function bestNotes(names: readonly string[], there: ReadonlyMap<string, boolean>): string[] {
  if (there.size === 0) return []
  return names
    .filter(name => !there.get(name))
    .map(name => `best names ${name}, ${there.has(name) ? 'of which no value is a number' : 'which no group has'}`)
}

const titles: Readonly<Record<string, string>> = { commit: 'code', dataset: 'data' }
/** A line names at most so many states of the code, of the data, or of the environment. */
const told = 4

/**
 * Says how many cells have which code, data and environment, where these differ and no column shows it:
 * `12 cells of code 2a7bffc, 3 of 8e9433a: --by model,commit`.
 */
export function originNotes({ by, over, cells, varying }: Comparison, metrics: readonly string[]): string[] {
  const hidden = originNames.filter(name => varying.includes(name) && !by.includes(name) && !over.includes(name))
  const groups = hidden.length === 0 ? [] : cells.flatMap(measuredOf(metrics))
  return hidden.flatMap(name => {
    const those = groupBy(groups, ({ parameters }) => String(parameters[name] ?? 'none recorded'))
    if (those.size < 2) return []
    const counts = [...those]
      .map(([value, { length }]) => ({ value, length }))
      .sort((one, other) => other.length - one.length)
    const [first, ...others] = counts.map(({ value, length }) => ({ length, value: value.replace(/^code /, '') }))
    const parts = [
      `${first!.length} cell${first!.length === 1 ? '' : 's'} of ${titles[name] ?? name} ${first!.value}`,
      ...others.slice(0, told - 1).map(({ value, length }) => `${length} of ${value}`),
      ...(others.length < told ? [] : [`and ${others.length - told + 1} more`]),
    ]
    return [`${parts.join(', ')}: --by ${[...by, name].map(plain).join(',')}`]
  })
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
