import { UserError } from '../../errors.js'
import { nearest } from '../text/names.js'
import { parametersOf, readArguments } from './arguments.js'
import { type Axis, argumentsOf, axisLength, axisPart, type ParameterGrid, type Part } from './grid.js'
import { MAX_GROUPS } from './limits.js'

/** For each of some parameters the values of which it must have one, word for word; `''` is a flag. */
export type Condition = Readonly<Record<string, readonly string[]>>

/** Something that belongs only to the cells that meet a condition; to all without one. */
export type Conditional<Each> = Each & { readonly when?: Condition }

/** A grid with parts that belong only to some of its cells. */
export interface ConditionalGrid {
  readonly fixed: Part
  readonly groups: readonly Conditional<Part>[]
  readonly axes: readonly Conditional<Axis>[]
}

/** Whether a grid has conditions. */
export function hasConditions({ groups, axes }: ConditionalGrid): boolean {
  return [...groups, ...axes].some(({ when }) => when !== undefined)
}

/** Groups that were dropped at the end may be so many times as many. */
const mostAtOnce = 10 * MAX_GROUPS

/** A cell while it is put together: the group, and the alternative of each axis by its place; none where the axis does not apply. */
interface Cell {
  readonly group: Conditional<Part> | null
  readonly chosen: readonly (Part | undefined)[]
}

/**
 * The same groups one by one, in the order of a grid: those without conditions are combined first, then those with, in their order,
 * each with the cells that meet its condition by then. A group counts for the cells that meet its condition at the end.
 * @throws UserError for a condition on a parameter that nothing gives, for one that no cell meets, for an option that a cell would
 * have twice, and for too many groups
 */
export function withoutConditions(grid: ConditionalGrid): ParameterGrid {
  refuseUnknown(grid)
  const { fixed, groups, axes } = grid
  let cells: Cell[] = (groups.length === 0 ? [null] : groups).map(group => ({ group, chosen: [] }))
  const order = [...axes.keys()].sort(
    (one, other) => Number(isConditional(axes[one]!)) - Number(isConditional(axes[other]!)),
  )
  for (const at of order) cells = combined(grid, cells, at)
  const kept = cells.filter(cell => meets(grid, cell, cell.group?.when))
  for (const { when } of groups)
    if (when && !kept.some(({ group }) => group?.when === when)) throw metByNone(grid, cells, when)
  if (kept.length > MAX_GROUPS) throw tooMany()
  return { fixed: { args: [] }, groups: kept.map(cell => ({ args: wordsOfCell({ fixed }, cell) })), axes: [] }
}

const isConditional = ({ when }: Conditional<object>) => when !== undefined

/** The cells with each alternative of an axis, if they meet its condition. */
function combined(grid: ConditionalGrid, cells: readonly Cell[], at: number): Cell[] {
  const axis = grid.axes[at]!
  const met = cells.map(cell => meets(grid, cell, axis.when))
  if (axis.when && !met.includes(true)) throw metByNone(grid, cells, axis.when)
  const found: Cell[] = []
  for (let alternative = 0; alternative < axisLength(axis); alternative++) {
    const part = axisPart(axis, alternative)
    for (const [place, cell] of cells.entries()) {
      if (met[place]) found.push(withPart(grid, cell, at, part))
      else if (alternative === 0) found.push(cell)
    }
    if (found.length > mostAtOnce) throw tooMany()
  }
  return found
}

function withPart(grid: ConditionalGrid, cell: Cell, at: number, part: Part): Cell {
  const keys = namesOf([part])
  const known = grid.axes[at]!.when ? namesOf([grid.fixed, cell.group, ...cell.chosen]) : []
  const twice = keys.find(key => known.includes(key))
  if (twice !== undefined) {
    throw new UserError(
      `${twice} is given twice for cells that meet a condition`,
      'give it in one place only, or let the conditions exclude each other',
    )
  }
  const chosen = [...cell.chosen]
  chosen[at] = part
  return { ...cell, chosen }
}

/** The options and the positionals of parts, as messages name them. */
function namesOf(parts: readonly (Part | null | undefined)[]): string[] {
  return parts.flatMap(part => {
    if (!part) return []
    const options = Array.from(readArguments(part.args), ({ option }) => option).filter(option => option !== null)
    return [...options, ...Object.keys(part.positional ?? {}).map(key => `positional ${key}`)]
  })
}

function wordsOfCell({ fixed }: Pick<ConditionalGrid, 'fixed'>, { group, chosen }: Cell) {
  // The place of an axis that does not apply is empty, which `flatMap` leaves out.
  const axes = chosen.flatMap(part => (part ? [{ parts: [part] }] : []))
  return argumentsOf({ fixed, groups: group ? [group] : [], axes }, 0)
}

function meets(grid: ConditionalGrid, cell: Cell, when: Condition | undefined): boolean {
  if (!when) return true
  const parameters = parametersOf(wordsOfCell(grid, cell))
  return Object.entries(when).every(([name, values]) => {
    const own = Object.hasOwn(parameters, name) ? [parameters[name]!].flat() : []
    return own.some(value => values.includes(value))
  })
}

function refuseUnknown({ fixed, groups, axes }: ConditionalGrid): void {
  const parts = [fixed, ...groups, ...axes.flatMap(axis => ('parts' in axis ? axis.parts : [axisPart(axis, 0)]))]
  const known = new Set(parts.flatMap(part => Object.keys(parametersOf(part.args))))
  const count = Math.max(
    0,
    ...parts.flatMap(({ positional }) => Object.keys(positional ?? {}).map(key => Number(key) + 1)),
  )
  for (let at = 0; at < count; at++) known.add(`pos_${at}`)
  const names = [...groups, ...axes].flatMap(({ when }) => Object.keys(when ?? {}))
  const unknown = names.find(name => !known.has(name))
  if (unknown === undefined) return
  const meant = nearest(unknown, [...known])
  throw new UserError(
    `when: nothing gives ${unknown}${meant === null ? '' : `. Did you mean ${meant}?`}`,
    `a condition names a parameter of the grid: ${[...known].join(', ')}`,
  )
}

function metByNone(grid: ConditionalGrid, cells: readonly Cell[], when: Condition): UserError {
  const texts = Object.entries(when).map(([name, values]) => `${name}: ${values.join(' or ')}`)
  const names = Object.keys(when)
  const found = names.map(name => {
    const values = new Set(cells.flatMap(cell => [parametersOf(wordsOfCell(grid, cell))[name] ?? []].flat()))
    return values.size === 0 ? `no cell has ${name}` : `${name} is ${[...values].slice(0, 5).join(', ')}`
  })
  return new UserError(
    `when: no cell has ${texts.join(' and ')}`,
    `${found.join('; ')}; a condition is met word for word`,
  )
}

function tooMany(): UserError {
  return new UserError(
    `the grid has more than the ${MAX_GROUPS.toLocaleString('en-US')} groups that a run can have`,
    'launch several runs, each with a part of the values',
  )
}
