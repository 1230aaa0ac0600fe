import type { Asked } from '../../../domain/options/run-options.js'
import { type ParameterGrid, partOfGrid } from '../../../domain/parameters/grid.js'
import { totalOf } from '../../../domain/runs/aggregate.js'
import type { Run } from '../../../domain/runs/run.js'
import { displayCommand } from '../../../domain/text/shell-text.js'
import { UserError } from '../../../errors.js'
import type { Sameness } from '../../cells/same-code.js'
import { findRun } from '../../runs/find-run.js'
import type { Workspace } from '../../workspace.js'
import type { TypedRequest } from '../request.js'
import { requestedGrid } from '../resolve.js'

/** A request for the cells of a grid that are missing. */
export interface FillRequest {
  readonly request: TypedRequest
  /** Null if it has no cells: all groups of the run have finished. */
  readonly grid: ParameterGrid | null
  readonly same: Sameness
  /** The run whose cells they are; null for those of a grid that was typed. */
  readonly from: Run | null
}

const gridOptions = ['param_file', 'group_param', 'range_param', 'values'] as const

/** Whether options say which cells are wanted. */
export function hasGrid(options: Asked): boolean {
  return gridOptions.some(name => options[name] !== undefined)
}

/** Reads what `--fill` is to fill. @throws UserError without a grid, and for one beside a run */
export function readFill(workspace: Workspace, typed: TypedRequest): FillRequest {
  const { options } = typed
  const same = options.same ?? 'code'
  const isGiven = hasGrid(options)
  if (options.from === undefined) {
    if (!isGiven) throw withoutGrid(typed)
    return { request: typed, grid: requestedGrid(workspace, typed), same, from: null }
  }
  if (isGiven || typed.experimentArguments.length > 0) {
    throw new UserError(
      `--from ${options.from} takes the cells of that run, and parameters are given, too`,
      displayCommand(['qanat', 'run', '--fill', '--from', options.from, typed.experiment]),
    )
  }
  const run = findRun(workspace, ...runWords(typed.experiment, options.from))
  return { request: likeRun(workspace, typed, run), grid: unfinishedOf(workspace, run), same, from: run }
}

function runWords(experiment: string, from: string): [string, string?] {
  return experiment === '' ? [from] : [experiment, from]
}

function withoutGrid({ experiment, options }: TypedRequest): UserError {
  const name = experiment === '' ? 'NAME' : experiment
  const before = options.dry_run ? ['qanat', 'run', '--dry_run', '--fill'] : ['qanat', 'run', '--fill']
  const lines = [
    ['-f', 'grid.yaml', name],
    ['-R', '--seed 0 10 1', name],
    ['--from', '4', name],
  ].map(words => displayCommand([...before, ...words]))
  return new UserError('--fill needs a grid: which cells are wanted?', lines.join('\n'))
}

/** The groups of a run that have not finished, as a grid; also those that wait or run. */
function unfinishedOf({ store }: Workspace, run: Run): ParameterGrid | null {
  const grid = store.runs.grid(run.id)
  const states = store.cells.states(run.id)
  const indices = [...Array(totalOf(run.counts)).keys()].filter(index => states.get(index)?.state !== 'finished')
  return indices.length > 0 ? partOfGrid(grid, indices) : null
}

/** The request with the runner, the template, the slots and the container of a run, unless others are asked for. */
function likeRun(workspace: Workspace, typed: TypedRequest, run: Run): TypedRequest {
  const { options } = typed
  if (run.site !== workspace.site.name && options.context === undefined) {
    throw new UserError(
      `run ${run.id} is of ${run.site}, and this would run in ${workspace.site.name}`,
      displayCommand(['qanat', 'run', '--context', run.site, '--fill', '--from', String(run.id), run.experiment]),
    )
  }
  const { submitTemplate, slots, container } = run.runnerParameters
  const isSameRunner = options.runner === undefined || options.runner === run.runner
  const like: Asked = {
    runner: run.runner,
    ...(isSameRunner && submitTemplate !== null && { submit_template: submitTemplate }),
    ...(slots !== null && { n_threads: String(slots) }),
    ...(container !== null && { container: container.image, ...(container.gpu && { gpu: true as const }) }),
  }
  return { ...typed, experiment: run.experiment, options: { ...like, ...options } }
}
