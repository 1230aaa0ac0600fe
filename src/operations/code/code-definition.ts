import { relative } from 'node:path'
import { type CodeDefinition, type CountsAsCode, codeCounter, usualIgnores } from '../../domain/code-used.js'
import type { Experiment } from '../../domain/experiment.js'
import { UserError } from '../../errors.js'
import { realPath } from '../../system/files.js'
import { exportFolders } from '../documents/export-folders.js'
import { absolutePath, resultFolder, type Workspace } from '../workspace.js'

/**
 * Decides what counts as code of an experiment, by what is registered now.
 * @param files whose changes do not count either: those with the parameters of runs, as stored paths
 */
export function codeOf(workspace: Workspace, experiment: Experiment, files: readonly string[] = []): CountsAsCode {
  return codeCounter(codeDefinition(workspace, experiment, files))
}

/** The same as data. */
export function codeDefinition(workspace: Workspace, experiment: Experiment, files: readonly string[]): CodeDefinition {
  const { store, project } = workspace
  const inProject = (path: string) => relative(project.root, absolutePath(workspace, path))
  const root = realPath(project.root)
  // If a script is a link, the file to which it leads matters as much.
  const scriptsIn = (places: readonly string[]) =>
    places.flatMap(place => [inProject(place), relative(root, realPath(absolutePath(workspace, place)))])
  const { path, executable, uses, ignores } = experiment
  const experiments = store.experiments.list().map(each => each.experiment)
  const actions = experiments.flatMap(each => each.actions)
  const documents = store.documents.list()
  const given = documents.flatMap(({ dependencies }) => dependencies.flatMap(({ runArgsFile }) => runArgsFile ?? []))
  return {
    uses,
    ignores: ignores ?? usualIgnores,
    own: [...new Set([...scriptsIn([executable]), inProject(path)])].filter(place => place !== ''),
    registered: scriptsIn(scriptsAndData(workspace)),
    others: [
      ...[...proseFolders(workspace), ...store.definitions.list()].map(inProject),
      ...scriptsIn(actions.map(action => action.executable)),
    ],
    never: [...resultFolders(workspace), ...exportFolders(workspace), ...given, ...files].map(inProject),
  }
}

/** Folders of documents, absolute, that contain no executable of an experiment and no dataset. */
export function proseFolders(workspace: Workspace): string[] {
  const places = scriptsAndData(workspace).map(place => absolutePath(workspace, place))
  const folders = workspace.store.documents.list().map(({ path }) => absolutePath(workspace, path))
  return folders.filter(
    folder => folder !== workspace.project.root && !places.some(place => `${place}/`.startsWith(`${folder}/`)),
  )
}

function scriptsAndData({ store }: Workspace): string[] {
  const scripts = store.experiments.list().map(({ experiment }) => experiment.executable)
  return [...scripts, ...store.datasets.list().map(({ path }) => path)]
}

/** None if it is not known here: then no repository contains it. */
function resultFolders(workspace: Workspace): string[] {
  try {
    return [resultFolder(workspace)]
  } catch (error) {
    if (error instanceof UserError) return []
    throw error
  }
}
