import { basename, dirname, join } from 'node:path'
import { trackedInTree } from '../../code/data/tracked-files.js'
import type { Run } from '../../domain/runs/run.js'
import { OperationError, UserError } from '../../errors.js'
import { walk } from '../../project/data/walk.js'
import { whatIsAt } from '../../project/paths.js'
import type { FileThere } from '../../sites/site.js'
import { withProjectLock } from '../../store/locks/project-lock.js'
import { transferProgress } from '../folder/transfer-progress.js'
import { pushedFolder, pushedPath } from '../registry/datasets-now.js'
import { findDataset } from '../registry/find-experiment.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** How long files may take to go, in milliseconds. */
const removingTime = 600_000

/** A dataset that lies in a context now. */
export interface PushedDataset {
  readonly name: string
  readonly context: string
  /** Where it lies there, absolute. */
  readonly path: string
  readonly files: readonly FileThere[]
  /** Those that were not there. */
  readonly sent: readonly FileThere[]
  /** Paths that could not be read, relative to the dataset. */
  readonly skipped: readonly string[]
}

/**
 * Copies a dataset into the context of a workspace, where runs find it from then on.
 * @throws UserError if it is not here, or runs there would not read the copy
 */
export async function pushDataset(workspace: Workspace, name: string): Promise<PushedDataset> {
  const { project, site, progress } = workspace
  const dataset = findDataset(workspace, name)
  if (dataset.path === null) {
    throw new UserError(
      `the dataset ${dataset.name} is made by ${dataset.from?.experiment}: runs of ${site.name} read what runs there have made`,
      `qanat dataset new        names a path for files of a run that lives elsewhere`,
    )
  }
  const path = absolutePath(workspace, dataset.path)
  await refuse(workspace, dataset.name, path)
  const top = dirname(path)
  const { files: found, skipped } = walk(path, { until: Infinity, files: Infinity })
  if (found.length === 0) throw new UserError(`the dataset ${dataset.name} has no files: ${path}`)
  const files = found.map(({ path: inside, stats }) => ({
    path: join(basename(path), inside),
    size: stats.size,
    time: Math.floor(stats.mtimeMs / 1000),
  }))
  const { sent } = await withProjectLock(project, `push-${dataset.name}`, () =>
    site
      .push(pushedFolder(workspace, dataset.name), {
        top,
        files,
        progress: transferProgress(progress, `Sending ${dataset.name}`),
      })
      .finally(() => progress(null)),
  )
  const there = site.there(pushedPath(workspace, dataset.name, path))
  return { name: dataset.name, context: site.name, path: there, files, sent, skipped }
}

/**
 * Removes the copy of a dataset in the context of a workspace, and what a push that was cut has left.
 * @returns where it lay there, absolute; null if there was none
 * @throws UserError if a run that reads it lives
 */
export async function removePushed(workspace: Workspace, name: string): Promise<string | null> {
  const { project, site, store } = workspace
  if (site.isHere) throw whichContext(name)
  const isReader = ({ site: place, id }: Run) =>
    place === site.name && store.runs.launch(id).experiment.datasets.includes(name)
  const reader = store.runs.live().find(isReader)
  if (reader)
    throw new UserError(
      `run ${reader.id} is ${reader.status} and reads ${name} on ${site.name}`,
      `qanat run_wait ${reader.id}        waits for its end`,
    )
  const folder = site.there(pushedFolder(workspace, name))
  const script = '[ -e "$1" ] || [ -e "$1.part" ] || exit 0; rm -rf -- "$1" "$1.part" && echo removed'
  const { stdout, stderr, exitCode } = await withProjectLock(project, `push-${name}`, () =>
    site.run(['sh', '-c', script, 'sh', folder], { timeout: removingTime }),
  )
  if (exitCode !== 0) throw new OperationError(`${site.name} has refused: ${stderr || `exit ${exitCode}`}`, 'try again')
  return stdout === '' ? null : folder
}

function whichContext(name: string): UserError {
  return new UserError('which context?', `qanat dataset push ${name} --context NAME`)
}

async function refuse(workspace: Workspace, name: string, path: string): Promise<void> {
  const { site, project, findContext } = workspace
  if (site.isHere) throw whichContext(name)
  const named = findContext(site.name)?.datasets[name]
  if (named !== undefined)
    throw new UserError(
      `the context ${site.name} says that ${name} lies at ${named} there`,
      `qanat context edit ${site.name}        takes it out of 'datasets': then a copy is used`,
    )
  if (whatIsAt(path) === null) throw new UserError(`the dataset ${name} is not on this machine: ${path}`)
  const tracked = await trackedInTree(project.root, path)
  if (tracked.size > 0)
    throw new UserError(
      `git has ${tracked.size === 1 ? 'a file' : `${tracked.size} files`} of the dataset ${name}: runs read it from their commit`,
      `nothing needs to be copied; or say in the context where it lies there: datasets: {${name}: /path/there}`,
    )
}
