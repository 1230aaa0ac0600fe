import { type Action, pathOptionsOf, severalRuns } from '../../domain/experiment.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { pathWords } from '../../domain/runs/run-plan.js'
import { fewInSentence } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import { groupIn, presenceOf } from '../../runfolder/files/presence.js'
import { refuseAbsent } from '../folder/run-files.js'
import { findAction } from '../registry/find-action.js'
import { findRunOrGroup, findRunsAndGroups, readGroup } from '../runs/find-run.js'
import { groupDetails } from '../runs/run-details.js'
import { absolutePath, readFolder, type Workspace } from '../workspace.js'

/** A run that an action works on, or one of its groups. */
export interface Target {
  readonly run: Run
  /** Null for the run as a whole. */
  readonly group: number | null
}

/** A target with its absolute folder. */
export interface Place extends Target {
  readonly storagePath: string
}

/** The words of a line that calls an action, as they were typed. */
interface TypedCall {
  readonly action: string
  /** An experiment and its run, or one of them. */
  readonly run: readonly string[]
  /** Of `--group_no`; null without it. */
  readonly group: string | null
  /** Words behind the run that may name further ones. */
  readonly more: readonly string[]
  /** The other words for the script. */
  readonly words: readonly string[]
}

/**
 * Tells which runs and groups a line names, in the order in which it does so, and which words are for the script. Only an
 * action that says so takes several: for any other, numbers behind the run belong to its script.
 * @throws UserError for what is no run, and for runs of several experiments
 */
export function readTargets(
  workspace: Workspace,
  { action: name, run, group, more, words }: TypedCall,
): { targets: Target[]; words: readonly string[] } {
  const first = findRunsAndGroups(workspace, run)
  const action = findAction(workspace, first[0]!.run.experiment, name)
  if (action.runs === undefined) {
    const one = findRunOrGroup(workspace, run[0]!, run[1])
    const index = group ?? one.group
    warnOfRuns(workspace, action, one.run, more)
    return {
      targets: [{ run: one.run, group: index === null ? null : readGroup(one.run, index) }],
      words: [...more, ...words],
    }
  }
  const found = findRunsAndGroups(workspace, [...run, ...more])
  if (group !== null && found.length > 1) {
    throw new UserError(
      '--group_no is for one run',
      `write the groups as RUN.GROUP, as in: ${found[0]!.run.id}.${group}`,
    )
  }
  const targets = found.map(each => {
    const index = group ?? each.group
    return { run: each.run, group: index === null ? null : readGroup(each.run, index) }
  })
  return { targets, words }
}

/** Who names several runs of an action that takes one would not see that the script got them as arguments. */
function warnOfRuns({ store, warn }: Workspace, { name }: Action, run: Run, more: readonly string[]): void {
  const isRun = (word: string) => /^\d+$/.test(word) && store.runs.find(Number(word))?.experiment === run.experiment
  if (more.length === 0 || !more.every(isRun)) return
  warn(
    `${fewInSentence(more)} went to the script of ${name} as arguments, and it works on run ${run.id} only: with 'runs: several' in its description, the action takes several runs; words after -- are always arguments`,
  )
}

/** Finds the folders of targets. @throws UserError if one is gone or not fetched */
export function placesOf(workspace: Workspace, targets: readonly Target[]): Place[] {
  return targets.map(({ run, group }) => {
    const ofRun = readFolder(workspace, run)
    const folder = group === null ? ofRun : groupIn(ofRun, totalOf(run.counts), group)
    refuseAbsent(run, presenceOf(folder), folder.path)
    return { run, group, storagePath: folder.path }
  })
}

/** How many bytes of folder names fit into a command line on every system, beside the arguments and the environment. */
const longestLine = 200_000

/**
 * The words by which a script learns the folders that it works on.
 * @param manifest the path of the file that lists them, which the caller has written
 * @throws UserError if they do not fit into a command line
 */
export function folderWords(action: Action, folders: readonly string[], manifest: string): string[] {
  const { name, runs } = action
  if (runs === 'manifest') return ['--manifest', manifest]
  const words = folders.flatMap(folder => pathWords(pathOptionsOf(action).storageOption, folder))
  if (words.reduce((sum, word) => sum + Buffer.byteLength(word) + 1, 0) <= longestLine) return words
  throw new UserError(
    `the folders of ${folders.length} runs or groups do not fit into a command line`,
    `write 'runs: manifest' into the description of the action ${name} instead of 'runs: ${severalRuns[0]}': its script then gets --manifest FILE`,
  )
}

/** The text of the file that tells a script what it works on: the runs or groups, in their order, with their parameters. */
export function manifestText(workspace: Workspace, { name }: Action, places: readonly Place[]): string {
  const targets = places.map(({ run, group, storagePath }) => ({
    ...{ run: run.id, group, storage_path: storagePath },
    ...{ description: run.description, tags: run.tags, commit_sha: run.commit, dirty: run.dirty },
    groups: groupDetails(workspace, run, group === null ? undefined : [group]).map(each => ({
      ...{ index: each.index, status: each.status.state, storage_path: absolutePath(workspace, each.storagePath) },
      parameters: each.parameters,
    })),
  }))
  return `${JSON.stringify({ action: name, experiment: places[0]!.run.experiment, targets }, null, 1)}\n`
}
