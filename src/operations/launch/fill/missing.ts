import { resolve } from 'node:path'
import type { ParameterGrid } from '../../../domain/parameters/grid.js'
import { displayCommand } from '../../../domain/text/shell-text.js'
import { UserError } from '../../../errors.js'
import { type GridStanding, standingOfGrid } from '../../cells/standing-of-grid.js'
import { uncountedPlaces } from '../../registry/export-folders.js'
import { findExperiment } from '../../registry/find-experiment.js'
import type { Workspace } from '../../workspace.js'
import { codeAskedFor, recordedLater } from '../code/code-now.js'
import { resolveContainer } from '../container.js'
import type { LaunchRequest } from '../request.js'
import { requestedGrid } from '../resolve.js'
import { hasGrid } from './request.js'

/** The cells of a grid that nobody has, and how far the others have come. */
export interface MissingCells {
  readonly experiment: string
  readonly grid: ParameterGrid
  readonly standing: GridStanding
}

/** Finds them, and launches nothing. @throws UserError without a grid */
export async function missingCells(workspace: Workspace, request: LaunchRequest): Promise<MissingCells> {
  const { options } = request
  const experiment = findExperiment(workspace, request.experiment)
  if (!hasGrid(options)) {
    throw new UserError(
      'which cells are wanted?',
      displayCommand(['qanat', 'missing', experiment.name, '-f', 'grid.yaml']),
    )
  }
  const grid = requestedGrid(workspace, request)
  const { container: image, param_file: file, same = 'code' } = options
  const uncountedFiles = [...(file === undefined ? [] : [resolve(workspace.cwd, file)]), ...uncountedPlaces(workspace)]
  const code = await codeAskedFor(workspace, request, uncountedFiles)
  const standing = await standingOfGrid(workspace, {
    ...{ experiment, grid, same, uncountedFiles },
    container: image === undefined ? null : await resolveContainer(workspace, image, false),
    code: code && (await recordedLater(code, request)),
  })
  return { experiment: experiment.name, grid, standing }
}
