import { join, relative } from 'node:path'
import { codeRepository, filesOfCode } from '../../code/compare.js'
import { sourceOf } from '../../domain/opened-files.js'
import { proposedUses } from '../../domain/proposed-uses.js'
import type { Run } from '../../domain/runs/run.js'
import { OperationError } from '../../errors.js'
import { readTrace } from '../../runfolder/trace.js'
import { isFile, realPath } from '../../system/files.js'
import { findExperiment } from '../registry/find-experiment.js'
import { absolutePath, resultFolder, type Workspace } from '../workspace.js'
import { codeDefinition } from './code-definition.js'

/** The files that a run with a trace has opened. Paths in the project are relative to it. */
export interface TracedFiles {
  /** Those that git tracks. */
  readonly tracked: readonly string[]
  /** How many files git tracks. */
  readonly trackedInAll: number
  /** Those in datasets, by the names of these. */
  readonly data: Readonly<Record<string, readonly string[]>>
  /** Other files in the repository, which git does not track. */
  readonly untracked: readonly string[]
  /** What `uses` of the experiment has to name so that these files count as its code. */
  readonly uses: readonly string[]
}

/** @throws OperationError if there is no trace */
export async function tracedFiles(workspace: Workspace, run: Run): Promise<TracedFiles> {
  const { store, project } = workspace
  const { tree, experiment: launched, datasetPaths, uncountedFiles } = store.runs.launch(run.id)
  const repository = await codeRepository(project.root)
  const prefix = repository?.prefix ?? ''
  const root = realPath(project.root)
  const copy = run.frozen === null ? null : join(root, run.frozen, prefix)
  const folder = absolutePath(workspace, run.storagePath)
  const opened = await readTrace(folder, copy ?? root)
  const files = repository && (await filesOfCode(repository, { commit: run.commit, tree }))
  if (!opened?.size || files === null) {
    throw new OperationError(
      `nothing is known of the files that run ${run.id} has opened`,
      `qanat run_logs ${run.id} --stderr        shows whether strace could work`,
    )
  }
  const places = (copy === null ? [root] : [copy, root]).map(place => ({
    place,
    repository: join(place, relative(`/${prefix}`, '/')),
  }))
  const paths = new Map(files.map(({ path, isSubmodule }) => [path, isSubmodule]))
  const datasets = datasetPaths.map((path, at) => ({
    name: launched.datasets[at] ?? path,
    folder: realPath(absolutePath(workspace, path)),
  }))
  const skipped = [folder, resultFolder(workspace), join(root, '.qanat')].map(realPath)
  const tracked = new Set<string>()
  const untracked = new Set<string>()
  const data = new Map<string, string[]>()
  for (const path of new Set([...opened].map(sourceOf).sort())) {
    const where = places.find(each => isIn(path, each.repository))
    const inCode = where === undefined ? null : relative(where.place, path)
    // A submodule or a link counts if something was opened in it.
    const known = inCode === null ? undefined : [...ancestors(inCode)].find(each => paths.has(each))
    if (known !== undefined) tracked.add(known)
    const dataset = datasets.find(each => isIn(path, each.folder))
    if (dataset && isFile(path)) data.set(dataset.name, [...(data.get(dataset.name) ?? []), inCode ?? path])
    else if (known === undefined && inCode !== null && isFile(path) && !skipped.some(each => isIn(path, each))) {
      untracked.add(inCode)
    }
  }
  const definition = codeDefinition(workspace, findExperiment(workspace, run.experiment), uncountedFiles)
  const isData = (path: string) => [...data.values()].some(each => each.includes(path))
  return {
    tracked: [...tracked],
    trackedInAll: files.length,
    data: Object.fromEntries(data),
    untracked: [...untracked],
    uses: proposedUses(
      definition,
      [...tracked].filter(path => !isData(path)),
    ),
  }
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

/** The path itself, then all folders above it. */
function* ancestors(path: string): Generator<string> {
  yield path
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) yield path.slice(0, end)
}
