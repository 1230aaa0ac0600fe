import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import type { FrozenCode } from '../../code/frozen-code.js'
import type { RunCode } from '../../code/run-code.js'
import { dropReferences } from '../../code/run-reference.js'
import { OperationError } from '../../errors.js'
import { faultPoint } from '../../system/fault-point.js'
import { identify } from '../../system/process-identity.js'
import { absolutePath, resultFolder, storedPath, type Workspace } from '../workspace.js'
import type { ResolvedRequest } from './launch-request.js'

/** What is settled about a run before it gets its id. */
export interface RunFacts {
  readonly resolved: ResolvedRequest
  readonly code: RunCode
  readonly frozen: FrozenCode | null
  /** Absolute. */
  readonly workingDirectory: string
  /** Absolute, as they are handed to the script. */
  readonly datasetPaths: readonly string[]
}

/**
 * Gives a run its id, its folder and its row, all or nothing.
 * @throws OperationError where the folder cannot be made
 */
export function createRun(workspace: Workspace, facts: RunFacts): { id: number; storagePath: string } {
  const { store } = workspace
  const { storagePath: given, experiment } = facts.resolved
  return store.transaction(() => {
    const parent = join(resultFolder(workspace), experiment.name)
    let id = nextId(workspace)
    while (given === null && isTaken(join(parent, `run_${id}`))) id++
    const storagePath = given ?? join(parent, `run_${id}`)
    try {
      mkdirSync(join(storagePath, '.run'), { recursive: true })
      faultPoint('run-folder')
      insert(workspace, id, storedPath(workspace, storagePath), facts)
      faultPoint('run-inserted')
    } catch (error) {
      rmSync(join(storagePath, '.run'), { recursive: true, force: true })
      if (given === null) rmSync(storagePath, { recursive: true, force: true })
      throw explainFolder(error, storagePath)
    }
    return { id, storagePath }
  })
}

/** What a launch that was killed before it had a row has left is no run's: nobody else is at this place meanwhile. */
function isTaken(folder: string): boolean {
  if (!existsSync(folder)) return false
  const isHalfMade = statSync(folder).isDirectory() && readdirSync(folder).join() === '.run'
  return !isHalfMade || readdirSync(join(folder, '.run')).length > 0
}

/** The id that the next run gets: above every id ever given, and in a new database above every run folder. */
export function nextId(workspace: Workspace): number {
  const last = workspace.store.runs.lastId()
  return (last === 0 ? highestFolder(resultFolder(workspace)) : last) + 1
}

function highestFolder(results: string): number {
  if (!existsSync(results)) return 0
  const folders = readdirSync(results, { withFileTypes: true }).filter(entry => entry.isDirectory())
  const paths = folders.flatMap(({ name }) => readdirSync(join(results, name)).map(run => join(results, name, run)))
  const numbered = paths.map(path => ({ path, id: Number(/\/run_(\d{1,9})$/.exec(path)?.[1] ?? 0) }))
  const taken = numbered.filter(({ id, path }) => id > 0 && isTaken(path))
  return taken.reduce((highest, { id }) => Math.max(highest, id), 0)
}

function insert(workspace: Workspace, id: number, storagePath: string, facts: RunFacts): void {
  const { resolved, code, frozen, datasetPaths } = facts
  const { request, experiment, grid, token } = resolved
  workspace.store.runs.insert(
    id,
    {
      experiment: experiment.name,
      groupCount: resolved.groupCount,
      runner: resolved.runner.name,
      runnerParameters: {
        submitTemplate: resolved.templateName,
        resolved: resolved.template,
        slots: resolved.slots,
        container: resolved.container,
      },
      commit: code.commit,
      dirty: code.patch !== null,
      codeChanged: frozen ? false : null,
      frozen: frozen?.folder ?? null,
      storagePath,
      description: request.description,
      tags: request.tags,
      launched: Date.now(),
      host: resolved.runner.name === 'local' ? hostname() : null,
    },
    {
      token,
      grid,
      experiment,
      datasetPaths: datasetPaths.map(path => storedPath(workspace, path)),
      tree: code.patch?.tree ?? null,
      uncountedFiles: resolved.uncountedFiles.map(path => storedPath(workspace, path)),
      links: frozen?.links ?? [],
      retries: [],
      launcher: identify(process.pid),
      handles: [],
    },
  )
}

/** Takes back a launch that failed: its row, its folder, its ref. */
export async function dropRun(workspace: Workspace, id: number, storagePath: string, token: string): Promise<void> {
  faultPoint('drop-begin')
  rmSync(absolutePath(workspace, storagePath), { recursive: true, force: true })
  faultPoint('drop-folder')
  await dropReferences(workspace.project.root, [token])
  faultPoint('drop-reference')
  // The row comes last: as long as it is there, what a crash has left can be found.
  workspace.store.transaction(() => workspace.store.runs.delete(id))
}

/** Puts the failures of a disk into words that name the folder. */
export function explainFolder(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') {
    return new OperationError(`no space is left for ${folder}`, 'make room and launch again; nothing was kept')
  }
  // On a read-only disk that is what comes of making a folder and those above it.
  const isReadOnly = error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'mkdir'
  if (isReadOnly || error.code === 'EACCES' || error.code === 'EROFS' || error.code === 'EPERM') {
    return new OperationError(
      `${dirname(folder)} cannot be written`,
      'check its permissions, or result_dir: qanat config show',
    )
  }
  if (error.code === 'ENOTDIR' || error.code === 'EEXIST') {
    return new OperationError(`${dirname(folder)} is no folder`, 'move what is there away, or change result_dir')
  }
  return error
}
