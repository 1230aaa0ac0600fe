import type { Container } from '../container.js'
import { type Experiment, type PathOptions, pathOptionsOf } from '../experiment.js'
import type { JobEnvironment } from '../job-environment.js'
import { type Given, parametersOf, wordsOf } from '../parameters/arguments.js'
import { argumentsOf, gridSize, type ParameterGrid } from '../parameters/grid.js'
import { displayCommand, quoteWords } from '../text/shell-text.js'
import { splitWords } from '../text/words.js'
import { yamlParameters, yamlString } from '../text/yaml-text.js'

/**
 * The folder of a run, absolute: where its jobs write, and where we read. On this machine both are one folder. Nothing that a
 * job sees is built from `here`, and nothing that we open from `there`.
 */
export interface Place {
  /** On this machine: the run's own folder, or the mirror of it. */
  readonly here: string
  /** At the site of the run. */
  readonly there: string
}

/** What is planned for the groups of a run before they have a place. All paths are absolute, and of the site of the run. */
export interface LastingPlan extends PathOptions {
  readonly experiment: string
  /** Unique over all projects and clones, to find a lost submission. */
  readonly token: string
  readonly projectRoot: string
  readonly groupCount: number
  /** At most this many groups at a time; null if the scheduler decides. */
  readonly slots: number | null
  /** No group starts after this many have failed; null for no limit. */
  readonly maxFailures: number | null
  /** Words of `executable_command`; `~` and `$NAME` in them are expanded where the group runs. */
  readonly executableCommand: readonly string[]
  readonly executable: string
  /** Patterns of the files that each group has to leave in its folder. */
  readonly outputs: readonly string[]
  readonly environment: JobEnvironment
  readonly container: Container | null
  /** The launching user's umask, so that files of the script have the same mode as in the user's shell. */
  readonly umask: number
  argumentsOf(index: number): readonly Given[]
}

/** Everything that a runner needs to execute groups of one run. All paths are absolute, and of the site of the run. */
export interface RunPlan extends LastingPlan {
  readonly runId: number
  /** Its job name for schedulers. */
  readonly jobName: string
  /** The project's root, or the frozen copy of it. */
  readonly workingDirectory: string
  readonly place: Place
  readonly datasetPaths: readonly string[]
  readonly commit: string
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /** The groups that are launched, in ascending order; null for all. */
  readonly indices: readonly number[] | null
  /** Ids of live submissions of the run that have to end before these groups start, so that `slots` holds for all. */
  readonly jobsAhead: readonly string[]
  /** The folder of the run where finished groups are copied to; null if they stay where they are. */
  readonly storage: string | null
  /** Paths that must exist inside the container, under the same names. */
  readonly boundPaths: readonly string[]
  /** Null if the groups run in the tree. */
  readonly copied: CopiedCode | null
}

/** The plan of an experiment's groups, and how they are launched. */
export function lastingPlan(
  experiment: Experiment,
  grid: ParameterGrid,
  how: Pick<LastingPlan, 'token' | 'projectRoot' | 'slots' | 'maxFailures' | 'environment' | 'container' | 'umask'>,
): LastingPlan {
  return {
    ...how,
    experiment: experiment.name,
    groupCount: gridSize(grid),
    ...callOf(experiment),
    outputs: experiment.results.outputs,
    argumentsOf: index => argumentsOf(grid, index),
  }
}

/** The frozen copy in which groups run, and how they use it. All paths are absolute. */
export interface CopiedCode {
  readonly repository: string
  readonly copy: string
  /** Folder that comes first in PYTHONPATH; empty if the copy has no Python. */
  readonly python: string
  /** Folders that come first in PATH. */
  readonly programs: readonly string[]
  /** Further variables, unless the template sets them. */
  readonly variables: Readonly<Record<string, string>>
}

/** The job name of a run. */
export function jobNameOf(experiment: string, runId: number): string {
  return `${experiment}_${runId}`
}

/** The words that start an experiment's program; a name without a slash would be searched for only in the PATH. */
export function programOf({ executable, executableCommand }: Pick<Experiment, 'executable' | 'executableCommand'>) {
  const isBareName = executableCommand === '' && !executable.includes('/')
  return { executableCommand: splitWords(executableCommand), executable: isBareName ? `./${executable}` : executable }
}

/** Everything about an experiment from which its command is made. */
export function callOf(experiment: Experiment) {
  return { ...programOf(experiment), ...pathOptionsOf(experiment) }
}

/** First line of a plan file, with its format version: a program that is upgraded while jobs are live must still read it. */
export const planHeader = 'qanat-plan 1'

/** The folder of one group: the run's own where there is only one. @param storagePath folder of the run, here or there */
export function groupFolder(storagePath: string, groupCount: number, index: number): string {
  return groupCount === 1 ? storagePath : `${storagePath}/group_${index}`
}

/** The indices of the groups of a run whose files cannot be read. */
export interface GroupsWithoutFiles {
  /** Their folders are gone. */
  readonly gone: readonly number[]
  /** Their folders are there, or may be, but cannot be read now. */
  readonly unreadable: readonly number[]
}

/** The index of the group that a file belongs to; null for one of the run. @param path relative to the folder of the run */
export function groupOfFile(groupCount: number, path: string): number | null {
  if (groupCount === 1) return 0
  const [, group] = /^group_(\d+)\//.exec(path) ?? []
  return group === undefined ? null : Number(group)
}

/** The members of a plan from which commands are made. */
export type CommandParts = Pick<
  RunPlan,
  keyof PathOptions | 'groupCount' | 'executableCommand' | 'executable' | 'datasetPaths' | 'argumentsOf'
> & { readonly place: Pick<Place, 'there'>; readonly environment: Pick<JobEnvironment, 'arguments'> }

/** The command of one group, before any expansion. @param given the group's arguments, if the caller has them already */
export function commandOf(plan: CommandParts, index: number, given = plan.argumentsOf(index)): string[] {
  const folder = groupFolder(plan.place.there, plan.groupCount, index)
  return [
    ...plan.executableCommand,
    plan.executable,
    ...wordsOf(given),
    ...plan.environment.arguments,
    ...pathWords(plan.storageOption, folder),
    ...plan.datasetPaths.flatMap(path => pathWords(plan.datasetOption, path)),
  ]
}

/** The words by which a script is told a path. @param option see {@link PathOptions} */
export function pathWords(option: string | null, path: string): string[] {
  return option === null ? [] : wordsOf([[option, path]])
}

/** Text of `group_info.yaml`. @param given the group's arguments, if the caller has them already */
export function groupInfo(plan: RunPlan, index: number, given = plan.argumentsOf(index)): string {
  const command = yamlString(displayCommand(commandOf(plan, index, given)))
  return `command: ${command}\nparameters:${yamlParameters(parametersOf(given), '  ')}`
}

/** Folder of the files of a launch, relative to the run's folder. */
export function launchFolder(attempt: number): string {
  return attempt === 1 ? '.run' : `.run/launch_${attempt}`
}

/** How many groups a plan launches. */
export function launchedCount({ indices, groupCount }: Pick<RunPlan, 'indices' | 'groupCount'>): number {
  return indices?.length ?? groupCount
}

/** Lines of the plan file: the header, then for each group its index, its `group_info.yaml` and its arguments as shell words. */
export function* planLines(plan: RunPlan, indices: Iterable<number> = allOf(plan.groupCount)): Generator<string> {
  yield `${planHeader}\n`
  for (const index of indices) {
    const given = plan.argumentsOf(index)
    yield `${index} ${quoteWords([groupInfo(plan, index, given), ...wordsOf(given)])}\n`
  }
}

function* allOf(count: number): Generator<number> {
  for (let index = 0; index < count; index++) yield index
}

/** Bytes of a line of the plan's index. */
export const planPlaceWidth = 12

/**
 * A plan and its index: the byte at which the line of each group begins, in fixed width.
 * @returns lines of both; those of the index are known once the plan has been read
 */
export function planWithIndex(plan: RunPlan, indices?: Iterable<number>) {
  const places: number[] = []
  function* lines() {
    let place = 0
    for (const line of planLines(plan, indices)) {
      places.push(place)
      place += Buffer.byteLength(line)
      yield line
    }
  }
  function* index() {
    for (const place of places.slice(1)) yield `${String(place).padStart(planPlaceWidth - 1)}\n`
  }
  return { lines: lines(), index: index() }
}
