import { dirname } from 'node:path'
import { checkIdentity } from '../../code/commit-tree.js'
import { gitVersion } from '../../code/git.js'
import { inspectTree } from '../../code/tree-state.js'
import { fewOf } from '../../domain/text/names.js'
import { DamagedDatabaseError, OperationError, QanatError } from '../../errors.js'
import { loadConfig } from '../../project/config.js'
import { canLink, hasDatabase, type Project } from '../../project/find-project.js'
import { putDatabaseAside } from '../../project/put-aside.js'
import { refuseOthersFolder, resultFolderAt } from '../../project/result-folder.js'
import { parseJobEnvironment } from '../../project/templates/templates.js'
import { highestRunId } from '../../runfolder/folders.js'
import type { Runner } from '../../runners/types.js'
import { formerRuns } from '../../store/database.js'
import { locksHold } from '../../store/locks/lock-check.js'
import { withProjectLock } from '../../store/locks/project-lock.js'
import { contentsOfCopy } from '../launch/frozen/contents.js'
import { isOnThisMachine, trashedWith } from '../registry/datasets-now.js'
import { followDefinitions } from '../registry/follow-definitions.js'
import { readAgain } from '../results/index-metrics.js'
import { resultFolder, type Workspace } from '../workspace.js'
import { definitionFindings } from './definition-findings.js'
import { type Finding, failure } from './finding.js'
import { initClone } from './init-project.js'
import { type Rebuilt, rebuildRuns } from './rebuild-runs.js'
import { resultFindings } from './result-findings.js'

/** The project to check, which may be impossible to open. */
export interface ProjectToCheck {
  readonly project: Project
  /** @throws QanatError if the configuration or the database is broken */
  readonly open: () => Promise<Workspace>
  readonly runners: readonly Runner[]
}

/**
 * Checks everything that a project needs, and changes nothing.
 * @param isRepaired whether {@link repair} has just tried the locks of the file system
 */
export async function checkProject(checked: ProjectToCheck, isRepaired: boolean): Promise<Finding[]> {
  const config = configFinding(checked.project)
  const locks = isRepaired ? LOCKS_HOLD : await fileSystemFinding(checked.project)
  const findings = [await gitFinding(checked.project), locks, config]
  const schedulers = await Promise.all(
    checked.runners
      .filter(({ kind: { traits } }) => traits.has('hasScheduler') && !traits.has('needsNamespace'))
      .map(schedulerFinding),
  )
  // Opening the database may write, since it migrates that of a former release.
  if (config.state === 'error' || locks.state === 'error') return [...findings, ...schedulers]
  let workspace: Workspace
  try {
    workspace = await checked.open()
  } catch (error) {
    return [...findings, failure('database', error), ...schedulers]
  }
  try {
    const database = databaseFinding(workspace)
    if (database.state === 'error') return [...findings, database, ...schedulers]
    const registered = [...(await definitionFindings(workspace)), ...datasetFindings(workspace)]
    return [
      ...findings,
      database,
      await copyFinding(workspace),
      ...registered,
      ...resultFindings(workspace),
      ...schedulers,
    ]
  } finally {
    workspace.store.close()
  }
}

/** What a repair has done. */
export interface Repaired extends Rebuilt {
  /** Where the former database is; null if it was not moved. */
  readonly aside: string | null
}

/**
 * Moves a database aside that is damaged or of a schema that no release has made, and fills a new one from `.qanat/definitions`
 * and the folders of the runs.
 * @returns what was done
 * @throws QanatError if the result folder is not known or another project's, or locks do not work, or the database is that of
 * another application or a newer program
 */
export async function repair(checked: ProjectToCheck): Promise<Repaired> {
  const { root, databaseFile } = checked.project
  const { config } = loadConfig(checked.project)
  refuseOthersFolder(root, resultFolderAt(root, config.resultDir))
  if (!(await locksHold(dirname(databaseFile)))) throw new OperationError(NO_LOCKS, NO_LOCKS_HINT)
  const { aside, former } = await withProjectLock(checked.project, 'code', async () => {
    if (hasDatabase(checked.project) && !(await isDamaged(checked))) return { aside: null, former: null }
    const left = formerRuns(databaseFile)
    const moved = hasDatabase(checked.project) ? putDatabaseAside(checked.project) : null
    initClone(root)
    return { aside: moved, former: left }
  })
  const workspace = await checked.open()
  try {
    if (former) workspace.store.runs.keepIds(Math.max(former.lastId, highestRunId(resultFolder(workspace))))
    for (const table of [workspace.store.datasets, workspace.store.experiments, workspace.store.documents])
      table.forgetStamps()
    await followDefinitions(workspace)
    const rebuilt = await rebuildRuns(workspace, former?.runs ?? [])
    // The files of the groups say what is right; they are read when the metrics are asked for.
    readAgain(workspace, workspace.store.runs.list())
    return { aside, ...rebuilt }
  } finally {
    workspace.store.close()
  }
}

/** What the next frozen copy would have besides its commit. */
async function copyFinding(workspace: Workspace): Promise<Finding> {
  const name = 'frozen copies'
  try {
    const state = await inspectTree(workspace.project.root)
    const contents = await contentsOfCopy(workspace, { state, commit: state.head, patch: null })
    const { linked, cloned, empty, prepare } = contents
    const parts = Object.entries({
      'link to': linked,
      clone: cloned,
      'begin without': empty,
      'are prepared by': prepare,
    })
    const given = parts.filter(([, items]) => items.length > 0).map(([verb, items]) => `${verb} ${fewOf(items)}`)
    return { name, state: 'ok', text: given.length > 0 ? given.join('; ') : 'hold the commit alone' }
  } catch (error) {
    return failure(name, error)
  }
}

const NO_LOCKS = 'file locks do not work here: two programs at the same time could damage the database'
const NO_LOCKS_HINT = 'mount the file system with locks (not nolock), or move the project to another one'

const LOCKS_HOLD: Finding = { name: 'file system', state: 'ok', text: 'file locks work' }

const WITHOUT_LINKS: Finding = {
  name: 'file system',
  state: 'warning',
  text: 'file locks work, but there are no links, without which no copy of the code can be frozen',
  hint: 'qanat config set snapshot never        lets runs work in the tree itself',
}

async function fileSystemFinding(project: Project): Promise<Finding> {
  const { name } = LOCKS_HOLD
  try {
    if (!(await locksHold(dirname(project.databaseFile))))
      return { name, state: 'error', text: NO_LOCKS, hint: NO_LOCKS_HINT }
    return canLink(project) ? LOCKS_HOLD : WITHOUT_LINKS
  } catch (error) {
    return { ...failure(name, error), state: 'warning' }
  }
}

async function gitFinding({ root }: Project): Promise<Finding> {
  try {
    const { git, head, gitRoot } = await inspectTree(root)
    await checkIdentity(git)
    return { name: 'git', state: 'ok', text: `version ${await gitVersion(git)}, ${gitRoot} at ${head.slice(0, 7)}` }
  } catch (error) {
    return failure('git', error)
  }
}

function configFinding(project: Project): Finding {
  try {
    const { config, warnings } = loadConfig(project)
    const count = Object.values(config.templates()).reduce((sum, templates) => sum + Object.keys(templates).length, 0)
    if (warnings.length > 0) return { name: 'config', state: 'warning', text: warnings.join('\n') }
    return {
      name: 'config',
      state: 'ok',
      text: `.qanat/config.yaml is valid, with ${count} template${count === 1 ? '' : 's'}`,
    }
  } catch (error) {
    return failure('config', error)
  }
}

function databaseFinding({ store }: Workspace): Finding {
  try {
    const [damage] = store.damage()
    if (damage)
      return { name: 'database', state: 'error', text: `it is damaged: ${damage}`, hint: 'qanat doctor --repair' }
    const counts = {
      experiment: store.experiments.names().length,
      dataset: store.datasets.list().length,
      document: store.documents.names().length,
      run: store.runs.list().length,
    }
    const texts = Object.entries(counts).map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`)
    return { name: 'database', state: 'ok', text: `whole, with ${texts.join(', ')}` }
  } catch (error) {
    return failure('database', error)
  }
}

/** A path that is missing here may be there on the nodes. */
function datasetFindings(workspace: Workspace): Finding[] {
  const name = 'datasets'
  const datasets = workspace.store.datasets.list()
  const missing = datasets.flatMap(({ name, path }) =>
    path === null || isOnThisMachine(workspace, path) ? [] : [{ name, path }],
  )
  if (datasets.length > 0 && missing.length === 0) return [{ name, state: 'ok', text: 'every dataset has its path' }]
  return missing.map(dataset => ({
    ...{ name, state: 'warning' },
    text: `the path of dataset ${dataset.name} does not exist here: ${dataset.path}${trashedWith(workspace, dataset.path)}`,
    hint: `put the data there, or name another path: qanat dataset update ${dataset.name}`,
  }))
}

async function schedulerFinding(runner: Runner): Promise<Finding> {
  const { environment } = parseJobEnvironment({ name: 'default', template: {} })
  try {
    const { identity } = await runner.probe(environment, null)
    return { name: runner.kind.name, state: 'ok', text: `${identity} answers` }
  } catch (error) {
    if (!(error instanceof QanatError)) throw error
    return { name: runner.kind.name, state: 'absent', text: error.message, hint: error.hint }
  }
}

/** @throws QanatError if it cannot be opened for another reason, for example because it is locked */
async function isDamaged({ open }: ProjectToCheck): Promise<boolean> {
  try {
    const workspace = await open()
    try {
      return workspace.store.damage().length > 0
    } finally {
      workspace.store.close()
    }
  } catch (error) {
    if (error instanceof DamagedDatabaseError) return true
    throw error
  }
}
