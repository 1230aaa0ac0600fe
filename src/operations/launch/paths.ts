import type { FrozenCode } from '../../code/frozen/frozen-code.js'
import { pathsInCopy, type RunCode } from '../../code/run-code.js'
import { type CopiedCode, jobNameOf, type RunPlan } from '../../domain/runs/run-plan.js'
import { UserError } from '../../errors.js'
import { pushedPath } from '../registry/datasets-now.js'
import { findDataset } from '../registry/find-experiment.js'
import { resultFolder, type Workspace } from '../workspace.js'
import { pathsToBind } from './container.js'
import { type Copied, copyAt, enterCopy } from './frozen/copied-code.js'
import { warnOfOutsidePaths, withAbsolutePaths } from './outside-paths.js'
import type { ResolvedLaunch } from './resolve.js'

/** Where groups find their code and their data: paths of this machine. */
export interface CodePaths {
  readonly commit: string
  /** Absolute. */
  readonly workingDirectory: string
  /** Absolute, in the order of the experiment's datasets. */
  readonly datasetPaths: readonly string[]
  /** Null if the groups run in the tree. */
  readonly copied: Copied | null
}

/** The same with the run whose groups they are. */
export interface RunPaths extends CodePaths {
  readonly runId: number
  /** Absolute. */
  readonly storagePath: string
}

/** The paths for groups that run in the tree, or in a frozen copy, which is made ready for them. */
export async function pathsOf(
  workspace: Workspace,
  launch: ResolvedLaunch,
  code: RunCode,
  frozen: FrozenCode | null,
  interruption: AbortSignal,
): Promise<CodePaths> {
  const { root } = workspace.project
  const { commit, state } = code
  const { datasetPaths } = launch
  if (!frozen) return { commit, workingDirectory: root, datasetPaths, copied: null }
  const { workingDirectory } = frozen
  if (launch.runner.site.isHere) warnOfOutsidePaths(workspace, launch, state, workingDirectory)
  return {
    commit,
    workingDirectory,
    datasetPaths: await checkedThere(
      workspace,
      launch,
      workingDirectory,
      await pathsInCopy(root, code, workingDirectory, datasetPaths),
    ),
    copied: launch.runner.site.isHere
      ? await enterCopy(workspace, launch, state, frozen, interruption)
      : withoutImports(copyAt(state, workingDirectory)),
  }
}

/**
 * Where datasets lie at the site of the runs: in the code, where the context says, where they were sent to, or where they are here.
 * @throws UserError if one is not there
 */
async function checkedThere(
  workspace: Workspace,
  { experiment, runner: { site } }: ResolvedLaunch,
  copy: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (site.isHere) return paths
  const named = workspace.findContext(site.name)?.datasets ?? {}
  const places = experiment.datasets.map((name, at) => {
    const path = paths[at]!
    if (named[name] !== undefined) return [path]
    if (path.startsWith(`${copy}/`)) return []
    // What an experiment makes is never copied.
    return findDataset(workspace, name).from ? [path] : [pushedPath(workspace, name, path), path]
  })
  if (places.flat().length === 0) return paths
  const { stdout } = await site.run(
    ['sh', '-c', 'for each; do [ -e "$each" ]; echo "$?"; done', 'sh', ...places.flat().map(path => site.there(path))],
    { timeout: 60_000 },
  )
  const answers = stdout.split('\n').values()
  return places.map((candidates, at) => {
    const found = candidates.filter(() => answers.next().value === '0')
    const [first] = candidates.length === 0 ? [paths[at]!] : found
    if (first !== undefined) return first
    const name = experiment.datasets[at]!
    throw new UserError(
      `the dataset ${name} is not on ${site.name}`,
      `qanat dataset push ${name} --context ${site.name}        copies it there
  or say in the context where it lies there: datasets: {${name}: /path/there}`,
    )
  })
}

/** At another site a copy shares no environment with the tree: nothing has to be kept apart. */
function withoutImports(copied: Copied): Copied {
  return { ...copied, code: { ...copied.code, python: '' } }
}

/** Completes the plan of a launch with its paths, as they are at the site of the run: all groups, for the first time. */
export function planAt(workspace: Workspace, { plan, runner }: ResolvedLaunch, paths: RunPaths): RunPlan {
  const { runId, commit, copied, storagePath } = paths
  const there = (path: string) => runner.site.there(path)
  const placed: RunPlan = {
    ...plan,
    runId,
    commit,
    jobName: jobNameOf(plan.experiment, runId),
    place: { here: storagePath, there: there(storagePath) },
    storage: runner.site.stored(storagePath),
    workingDirectory: there(paths.workingDirectory),
    datasetPaths: paths.datasetPaths.map(there),
    attempt: 1,
    indices: null,
    jobsAhead: [],
    boundPaths: plan.container ? pathsToBind(usedPaths(workspace, paths)).map(there) : [],
    copied: copied && codeThere(copied.code, there),
  }
  // Nothing of the tree is at another site.
  return copied && runner.site.isHere ? withAbsolutePaths(placed, copied, there) : placed
}

/** A frozen copy with the paths that it has at a site. */
function codeThere(
  { repository, copy, python, programs, variables }: CopiedCode,
  there: (path: string) => string,
): CopiedCode {
  return {
    ...{ repository: there(repository), copy: there(copy), programs: programs.map(there), variables },
    python: python === '' ? '' : there(python),
  }
}

/** The folders that groups read and write, absolute: scripts may read the results of earlier runs, too. */
function usedPaths(workspace: Workspace, { storagePath, datasetPaths }: RunPaths): string[] {
  const results = resultFolder(workspace)
  const isInResults = storagePath.startsWith(`${results}/`)
  return [workspace.project.root, isInResults ? results : storagePath, ...datasetPaths]
}
