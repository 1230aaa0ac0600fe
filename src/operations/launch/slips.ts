import type { ParameterGrid } from '../../domain/parameters/grid.js'
import { gridParameters } from '../../domain/parameters/group-parameters.js'
import { type Doubt, slipsIn } from '../../domain/parameters/slips.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import type { Workspace } from '../workspace.js'
import type { TypedRequest } from './request.js'

/** With so many of the newest runs a launch is compared. */
const mostRuns = 200
/** Parameters of grids whose parts may change each other are found only up to so many groups. */
const mostGroups = 1_000

/**
 * Asks about what was probably meant otherwise, or warns of it.
 * @param ask whether to launch it all the same; null if nobody is asked
 * @throws UserError with the lines that were meant, if it was meant otherwise
 */
export async function confirmDoubts(
  workspace: Workspace,
  request: TypedRequest,
  grid: ParameterGrid,
  ask: ((text: string) => Promise<boolean>) | null,
): Promise<void> {
  const doubts = doubtsOf(workspace, request, grid)
  if (doubts.length === 0) return
  const texts = doubts.map(({ text }) => text)
  if (ask === null) for (const text of texts) workspace.warn(text)
  else if (!(await ask(texts.join('\n')))) {
    throw new UserError('nothing was launched', doubts.flatMap(({ line }) => line ?? []).join('\n') || null)
  }
}

/** What in a launch was probably meant otherwise: the first run of an experiment tells nothing of its options. */
function doubtsOf({ store }: Workspace, request: TypedRequest, grid: ParameterGrid): Doubt[] {
  const { forgotten, nearOurs } = request.odd
  const namesOf = (of: ParameterGrid) => gridParameters(of, mostGroups)?.map(({ name }) => name) ?? []
  const names = namesOf(grid)
  const ids = store.pages.runIds(request.experiment).slice(0, mostRuns)
  const newest = ids.length === 0 ? names : namesOf(store.runs.grid(ids[0]!))
  if (names.every(name => newest.includes(name))) return [...forgotten]
  const earlier = ids.map(id => namesOf(store.runs.grid(id)))
  const slips = slipsIn(names, earlier).map(({ given, meant, had }) => ({
    text: `no run of ${request.experiment} had ${given} yet, and ${had} had ${meant}`,
    line: lineWith(request.typed, given, meant),
  }))
  const ours = nearOurs.filter(({ given }) => earlier.every(known => !known.includes(given)))
  const passed = ours.map(({ given, meant, line }) => ({
    text: `no run of ${request.experiment} had ${given} yet: it goes to the script, and ${meant} is an option of Qanat`,
    line,
  }))
  return [...forgotten, ...slips, ...passed]
}

/** A line with another option in place of one, wherever it stands. */
function lineWith(typed: readonly string[], given: string, meant: string): string {
  const isIn = new RegExp(`(^|\\s)${given.replaceAll(/[^\w-]/g, '\\$&')}(?=[\\s=]|$)`, 'g')
  return displayCommand(['qanat', 'run', ...typed.map(word => word.replace(isIn, (_, before) => `${before}${meant}`))])
}
