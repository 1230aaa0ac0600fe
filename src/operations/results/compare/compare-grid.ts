import { buildGrid, type ParameterGrid } from '../../../domain/parameters/build-grid.js'
import { textOfValue } from '../../../domain/parameters/same-value.js'
import { wordsOfCells } from '../../../domain/parameters/words-of-cells.js'
import type { GroupResult } from '../../../domain/results/compare.js'
import { originNames } from '../../../domain/results/comparison/columns.js'
import { type PlacedGroups, placeInGrid } from '../../../domain/results/comparison/grid-cells.js'
import type { Spelling } from '../../../domain/results/comparison/spellings.js'
import type { Run } from '../../../domain/runs/run.js'
import { fewOf, nearest } from '../../../domain/text/names.js'
import { displayCommand } from '../../../domain/text/shell-text.js'
import { UserError } from '../../../errors.js'
import { readParameterFile } from '../../../project/parameter-file.js'
import type { Results } from '../chosen-runs.js'

/** What a comparison says of the grid whose cells are its rows. */
export interface ComparedGrid {
  /** As it was typed. */
  readonly file: string
  /** How many groups there should be, equal ones counted once. */
  readonly cells: number
  /** How many of them no run has. */
  readonly notRun: number
  /** How many groups of the runs are not in the grid. */
  readonly leftOut: number
  /**
   * The command that runs the missing groups in the way of the newest run in the grid; null if no command runs just
   * these.
   */
  readonly command: string | null
}

/** The parameters of a file. */
export interface FileParameters {
  readonly file: string
  readonly parameters: ParameterGrid
}

/** Reads the parameters of a file. @throws UserError that names the place of a mistake, and if there are none */
export function readGrid(file: string): FileParameters {
  const input = { experimentArguments: [], groups: [], ranges: [], values: [] }
  return { file, parameters: buildGrid({ ...input, file: readParameterFile(file) }) }
}

/** Puts the groups of runs into the cells of a grid. @throws UserError if none is in it */
export function placeGroups(
  experiment: string,
  { file, parameters }: FileParameters,
  { runs, groups }: Pick<Results, 'runs' | 'groups'>,
): ComparedGrid & { readonly placed: readonly GroupResult[]; readonly spellings: readonly Spelling[] } {
  const placed = placeInGrid(groups, parameters)
  if (placed.names.length === 0) throw new UserError(`${file}: it has no parameters`, `give the file of: qanat run -f`)
  if (placed.leftOut === groups.length) throw nothingIn(experiment, file, placed, groups)
  const { cells, notRun, leftOut, spellings } = placed
  return {
    ...{ file, cells, leftOut, spellings, placed: placed.groups, notRun: notRun.length },
    command: notRun.length === 0 ? null : commandFor(experiment, parameters, placed, runs),
  }
}

/** Why no group is in the grid. */
function nothingIn(
  experiment: string,
  file: string,
  { names, groups: placed }: PlacedGroups,
  groups: readonly GroupResult[],
): UserError {
  const there = [...new Set(groups.flatMap(({ parameters }) => Object.keys(parameters)))]
  const unknown = names.filter(name => !there.includes(name))
  if (unknown.length === 0) {
    const wanted = placed.filter(({ state }) => state === 'not_run')
    const apart = names.find(name => {
      const theirs = new Set(valuesOf(name, groups).map(textOfValue))
      return !valuesOf(name, wanted).some(value => theirs.has(textOfValue(value)))
    })
    const more = there.filter(name => !names.includes(name) && !originNames.includes(name))
    const besides = more.length > 0 ? `; they have ${fewOf(more)} besides, which makes them other cells` : ''
    const why =
      apart === undefined
        ? `no group of these runs has just these parameters${besides}`
        : `no group of these runs has its ${apart}; theirs is ${fewOf([...new Set(valuesOf(apart, groups).map(value => [value].flat().join(' ')))])}`
    return new UserError(`${file}: ${why}`, `qanat run ${experiment} -f ${displayCommand([file])}        runs it`)
  }
  const [first] = unknown
  const meant = unknown.length === 1 ? nearest(first!, there) : null
  return new UserError(
    `${file}: no group of these runs has ${fewOf(unknown)}${meant === null ? '' : `. Did you mean ${meant}?`}`,
    there.length > 0 ? `the parameters of the groups are ${fewOf(there)}` : `the groups have no parameters`,
  )
}

function valuesOf(name: string, groups: readonly GroupResult[]) {
  return groups.flatMap(({ parameters }) => (Object.hasOwn(parameters, name) ? [parameters[name]!] : []))
}

/** The command that runs the missing cells in the way of the newest run in the grid. */
function commandFor(
  experiment: string,
  parameters: ParameterGrid,
  { groups, notRun }: PlacedGroups,
  runs: readonly Run[],
): string | null {
  const newest = groups.reduce((one, other) => (other.run > one.run ? other : one))
  const options = wordsOfCells(parameters, notRun)
  const run = runs.find(({ id }) => id === newest.run)!
  return options && displayCommand(['qanat', 'run', ...runnerWords(run), ...options, experiment])
}

/** The options of `qanat run` that say where and how a run was executed. */
function runnerWords({ runner, runnerParameters: { submitTemplate, slots, container } }: Run): string[] {
  return [
    ...(runner === 'local' ? [] : ['--runner', runner]),
    ...(submitTemplate === null || submitTemplate === 'default' ? [] : ['--submit_template', submitTemplate]),
    ...(slots === null || (runner === 'local' && slots === 1) ? [] : ['--n_threads', String(slots)]),
    ...(container === null ? [] : ['--container', container.image, ...(container.gpu ? ['--gpu'] : [])]),
  ]
}
