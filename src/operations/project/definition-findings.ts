import { join, relative } from 'node:path'
import { knownToGit } from '../../code/project-repository.js'
import type { Experiment } from '../../domain/experiment.js'
import { QanatError } from '../../errors.js'
import { realPath } from '../../project/paths.js'
import { documentKind } from '../registry/document-kind.js'
import { refuseMissingDatasets } from '../registry/find-experiment.js'
import { brokenDefinitions, definitionFiles } from '../registry/follow-definitions.js'
import { experimentKind } from '../registry/kinds.js'
import type { Workspace } from '../workspace.js'
import type { Finding } from './finding.js'

/** What is wrong with definitions: those that cannot be read, are of no use as they are, or are missing in clones. */
export async function definitionFindings(workspace: Workspace): Promise<Finding[]> {
  const name = 'definitions'
  const wrong = [...brokenDefinitions(workspace.store), ...uselessDefinitions(workspace), ...(await ignored(workspace))]
  if (wrong.length === 0) return [{ name, state: 'ok', text: 'every definition can be used' }]
  return wrong.map(({ message, hint }) => ({ name, state: 'warning', text: message, ...(hint && { hint }) }))
}

/** Definitions that can be read, but name what is not there. */
function uselessDefinitions(workspace: Workspace): QanatError[] {
  const { store } = workspace
  const quiet = { ...workspace, warn: () => {} }
  const experiments = store.experiments.list().map(({ experiment }) => experiment)
  const checks = [
    ...experiments.map(each => [store.experiments, each.name, () => checkExperiment(quiet, each)] as const),
    ...store.documents
      .list()
      .map(each => [store.documents, each.name, () => documentKind.check(quiet, each, each.name)] as const),
  ]
  return checks.flatMap(([table, name, check]) => {
    if (table.entry(name)?.problem) return []
    try {
      check()
      return []
    } catch (error) {
      if (error instanceof QanatError) return [error]
      throw error
    }
  })
}

function checkExperiment(workspace: Workspace, experiment: Experiment): void {
  refuseMissingDatasets(workspace, experiment)
  experimentKind.check(workspace, experiment, experiment.name)
}

/** Files that clones will not have: a rule of git ignores them, or they lie elsewhere. */
async function ignored({ project: { root }, store }: Workspace): Promise<{ message: string; hint: string }[]> {
  const files = definitionFiles(store)
  const places = new Map(files.map(file => [file, relative(realPath(root), realPath(join(root, file)))]))
  const inside = files.filter(file => !places.get(file)!.startsWith('../'))
  const outside = files.filter(file => !inside.includes(file))
  const known = await knownToGit(root, inside)
  const elsewhere = outside.map(file => ({
    message: `${file} leads out of the project, to ${places.get(file)}, so that clones may not have what it defines`,
    hint: 'put a file into the repository in its place',
  }))
  const unknown = inside
    .filter(file => !known.has(file))
    .map(file => ({
      message: `git ignores ${file}, so that clones will not know what it defines`,
      hint: `git add --force ${file}`,
    }))
  return [...elsewhere, ...unknown]
}
