import { dirname, relative } from 'node:path'
import { type CodeDefinition, type CountsAsCode, codeCounter, usualIgnores } from '../../domain/code-used.js'
import type { Action, Experiment } from '../../domain/experiment.js'
import { scriptPlaces } from '../../domain/script-places.js'
import { orElse } from '../../errors.js'
import { realPath } from '../../project/paths.js'
import { exportFolders } from '../registry/export-folders.js'
import { definitionFiles } from '../registry/follow-definitions.js'
import { actionScript } from '../registry/script-file.js'
import { absolutePath, resultFolder, type Workspace } from '../workspace.js'

/**
 * Decides what counts as code of an experiment, by what is registered now.
 * @param files whose changes do not count either: those with the parameters of runs, as stored paths
 */
export function codeOf(workspace: Workspace, experiment: Experiment, files: readonly string[] = []): CountsAsCode {
  return codeCounter(codeDefinition(workspace, experiment, files))
}

/**
 * The same for comparisons, and for the hash of the code: no file with the parameters of any run counts, whichever run was given
 * it.
 * @param files of a run that is being launched, absolute
 */
export function comparedCodeOf(
  workspace: Workspace,
  experiment: Experiment,
  files: readonly string[] = [],
): CountsAsCode {
  return codeOf(workspace, experiment, [...workspace.store.data.givenFiles(), ...files])
}

/**
 * Decides which files may matter to an action besides its script: those that its `uses` names, or else the whole repository, but for what never
 * matters to its experiment. What lies beside its script may be in the folder of a document.
 */
export function codeOfAction(workspace: Workspace, experiment: Experiment, action: Action): CountsAsCode {
  const { executable, uses } = action
  const definition = codeDefinition(workspace, experiment, [])
  const file = actionScript(workspace, experiment.name, action) ?? executable
  const script = relative(workspace.project.root, absolutePath(workspace, file))
  const folder = dirname(script)
  const own = uses || folder === '.' ? [] : [folder]
  const counts = codeCounter({ ...definition, uses: uses ?? [], own, others: proseIn(workspace) })
  return (path, isSubmodule) => path !== script && counts(path, isSubmodule)
}

/** The same as data. */
function codeDefinition(workspace: Workspace, experiment: Experiment, files: readonly string[]): CodeDefinition {
  const { store, project } = workspace
  const inProject = (path: string) => relative(project.root, absolutePath(workspace, path))
  const root = realPath(project.root)
  // If a script is a link, the file to which it leads matters as much.
  const scriptsIn = (places: readonly string[]) =>
    places.flatMap(place => [inProject(place), relative(root, realPath(absolutePath(workspace, place)))])
  const { path, uses, ignores } = experiment
  const experiments = store.experiments.list().map(each => each.experiment)
  const actions = experiments.flatMap(({ name, actions: own }) =>
    own.map(action => actionScript(workspace, name, action) ?? action.executable),
  )
  const documents = store.documents.list()
  const given = documents.flatMap(({ dependencies }) => dependencies.flatMap(({ runArgsFile }) => runArgsFile ?? []))
  return {
    uses,
    ignores: ignores ?? usualIgnores,
    own: [...new Set([...scriptsIn(scriptPlaces(experiment, path)), inProject(path)])].filter(place => place !== ''),
    registered: scriptsIn(scriptsAndData(workspace)),
    others: [...proseIn(workspace), ...scriptsIn(actions)],
    never: [...resultFolders(workspace), ...exportFolders(workspace), ...given, ...files].map(inProject),
  }
}

/** What is written for people, relative to the project: folders of documents, and files that describe what is registered. */
function proseIn(workspace: Workspace): string[] {
  const places = [...proseFolders(workspace), ...definitionFiles(workspace.store)]
  return places.map(path => relative(workspace.project.root, absolutePath(workspace, path)))
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
  const scripts = store.experiments.list().flatMap(({ experiment }) => scriptPlaces(experiment, experiment.path))
  return [...scripts, ...store.datasets.list().flatMap(({ path }) => path ?? [])]
}

/** None if it is not known here: then no repository contains it. */
function resultFolders(workspace: Workspace): string[] {
  return orElse(() => [resultFolder(workspace)], [])
}
