import { gridSize, type ParameterGrid } from '../../parameters/grid.js'
import { groupKeys } from '../../parameters/group-parameters.js'
import { type GroupState, hasEnded } from '../../runs/run.js'
import { fewOf } from '../../text/names.js'
import { type SpeakingRun, speaksBefore } from './speaking.js'

/** A run whose groups may stand in cells of a grid. */
export interface StandingRun extends Pick<SpeakingRun, 'id' | 'rank' | 'groups' | 'hasFinished'> {
  readonly grid: ParameterGrid
  /** The state of a group that has not finished, and why it failed or was lost. */
  readonly unfinished: (index: number) => { readonly state: GroupState; readonly cause: string | null }
}

/** A cell of which no group has finished, and none waits or runs. */
interface MissingCell {
  /** Of the first group of the grid that is this cell. */
  readonly index: number
  /** The group that speaks for it, which has ended otherwise; null if no run has it. */
  readonly group: { readonly run: number; readonly index: number; readonly cause: string } | null
}

/** How far the cells of a grid have come. */
export interface Standing {
  /** How many there are, equal ones counted once. */
  readonly cells: number
  /** How many of them each run has finished, has running, or has still to start, by its id. */
  readonly finished: ReadonlyMap<number, number>
  readonly running: ReadonlyMap<number, number>
  readonly pending: ReadonlyMap<number, number>
  readonly missing: readonly MissingCell[]
}

export const noCells: Standing = {
  cells: 0,
  finished: new Map(),
  running: new Map(),
  pending: new Map(),
  missing: [],
}

/** What counts more in a cell comes later. */
const stages = ['nowhere', 'ended', 'pending', 'running', 'finished'] as const

/** The groups that stand in cells, by the number of the cell: the place of the run, the index in it, and the place of the stage. */
interface Places {
  readonly runs: Int32Array
  readonly groups: Int32Array
  readonly stages: Uint8Array
}

/**
 * Says which cells of a grid have a finished group, which wait for one that was launched, and which are missing.
 * @param runs those that count, the oldest first
 */
export function standingOf(grid: ParameterGrid, runs: readonly StandingRun[]): Standing {
  const { firsts, places } = placed(grid, runs)
  return summary(runs, firsts, places)
}

/** For each group of a grid, the finished one that speaks for its cell; null if none has finished. */
export function finishedGroups(
  grid: ParameterGrid,
  runs: readonly StandingRun[],
): ({ readonly run: number; readonly index: number } | null)[] {
  const { numbers, places } = placed(grid, runs)
  const keyAt = groupKeys(grid)
  return Array.from({ length: gridSize(grid) }, (_, index) => {
    const cell = numbers.get(keyAt(index))!
    const isFinished = places.stages[cell] === stages.length - 1
    return isFinished ? { run: runs[places.runs[cell]!]!.id, index: places.groups[cell]! } : null
  })
}

/** The cells of a grid, numbered by their keys, with the first group of each, and what stands in them. */
function placed(grid: ParameterGrid, runs: readonly StandingRun[]) {
  const numbers = new Map<string, number>()
  const firsts: number[] = []
  const keyAt = groupKeys(grid)
  for (let index = 0; index < gridSize(grid); index++) {
    const key = keyAt(index)
    if (numbers.has(key)) continue
    numbers.set(key, firsts.length)
    firsts.push(index)
  }
  const count = firsts.length
  const places = { runs: new Int32Array(count), groups: new Int32Array(count), stages: new Uint8Array(count) }
  for (const at of runs.keys()) placeGroups(runs, at, numbers, places)
  return { numbers, firsts, places }
}

function placeGroups(
  runs: readonly StandingRun[],
  at: number,
  numbers: ReadonlyMap<string, number>,
  places: Places,
): void {
  const run = runs[at]!
  const keyAt = groupKeys(run.grid)
  for (let index = 0; index < run.groups; index++) {
    const cell = numbers.get(keyAt(index))
    if (cell === undefined) continue
    const stage = run.hasFinished(index) ? stages.length - 1 : stageOf(run.unfinished(index).state)
    const known = places.stages[cell]!
    const earlier = { run: runs[places.runs[cell]!]!, index: places.groups[cell]! }
    if (stage < known || (stage === known && !speaksBefore({ run, index }, earlier))) continue
    places.runs[cell] = at
    places.groups[cell] = index
    places.stages[cell] = stage
  }
}

function stageOf(state: GroupState): number {
  if (hasEnded(state)) return stages.indexOf('ended')
  return stages.indexOf(state === 'running' ? 'running' : 'pending')
}

function summary(runs: readonly StandingRun[], firsts: readonly number[], places: Places): Standing {
  const counts = {
    finished: new Map<number, number>(),
    running: new Map<number, number>(),
    pending: new Map<number, number>(),
  }
  const missing: MissingCell[] = []
  for (const [cell, index] of firsts.entries()) {
    const stage = stages[places.stages[cell]!]!
    const run = runs[places.runs[cell]!]
    if (stage === 'nowhere') missing.push({ index, group: null })
    else if (stage === 'ended') missing.push({ index, group: endedGroup(run!, places.groups[cell]!) })
    else counts[stage].set(run!.id, (counts[stage].get(run!.id) ?? 0) + 1)
  }
  return { cells: firsts.length, ...counts, missing }
}

function endedGroup({ id, unfinished }: StandingRun, index: number): MissingCell['group'] {
  const { state, cause } = unfinished(index)
  return { run: id, index, cause: cause ?? state }
}

/** `400 cells: 371 finished (runs 4, 7), 12 running (9), 17 to run`. */
export function standingText({ cells, missing, ...counts }: Standing): string {
  const states = (['finished', 'running', 'pending'] as const).filter(state => counts[state].size > 0)
  const parts = states.map((state, at) => {
    const [first, ...others] = [...counts[state].keys()].sort((one, other) => one - other).map(String)
    const word = at > 0 ? '' : others.length === 0 ? 'run ' : 'runs '
    return `${countText(countOf(counts[state]))} ${state} (${word}${fewOf([first!, ...others])})`
  })
  const all = [...parts, ...(missing.length > 0 || cells === 0 ? [`${countText(missing.length)} to run`] : [])]
  return `${countText(cells)} cell${cells === 1 ? '' : 's'}: ${all.join(', ')}`
}

/** How many cells the runs have together. */
export function countOf(cells: ReadonlyMap<number, number>): number {
  return [...cells.values()].reduce((sum, count) => sum + count, 0)
}

function countText(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}
