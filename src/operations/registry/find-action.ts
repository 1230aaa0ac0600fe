import type { Action } from '../../domain/experiment.js'
import { nearest } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import type { Workspace } from '../workspace.js'
import { findExperiment } from './find-experiment.js'

/** @throws UserError that lists the actions */
export function findAction(workspace: Workspace, experiment: string, name: string): Action {
  const { actions } = findExperiment(workspace, experiment)
  const action = actions.find(candidate => candidate.name === name)
  if (action) return action
  const names = actions.map(candidate => candidate.name)
  const meant = nearest(name, names)
  throw new UserError(
    `${experiment} has no action '${name}'${meant ? `. Did you mean ${meant}?` : ''}`,
    names.length > 0 ? `its actions are ${names.join(', ')}` : `qanat experiment update ${experiment}        adds one`,
  )
}
