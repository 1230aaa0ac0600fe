import {
  type ChangedLines,
  type CodeRepository,
  changedCode,
  changedLines,
  codeRepository,
  diffOfCode,
  hashOfCode,
  type RecordedCode,
} from '../../code/compare.js'
import type { CountsAsCode } from '../../domain/code-used.js'
import type { Run } from '../../domain/runs/run.js'
import { fewInSentence } from '../../domain/text/names.js'
import { findExperiment } from '../registry/find-experiment.js'
import type { Workspace } from '../workspace.js'
import { codeOf, comparedCodeOf } from './code-definition.js'

/**
 * The files of a run's code that differ in another commit, relative to the project. What counts as code is what the
 * experiment says now, of both.
 * @returns null if the code of the run is not in this repository, and its hash is another one
 */
export async function changedSince(
  workspace: Workspace,
  repository: CodeRepository,
  run: Run,
  commit: string,
): Promise<readonly string[] | null> {
  const experiment = findExperiment(workspace, run.experiment)
  const { tree } = workspace.store.runs.launch(run.id)
  const wanted: RecordedCode = { commit, tree: null }
  const counts = comparedCodeOf(workspace, experiment)
  const files = await changedCode(repository, { commit: run.commit, tree }, wanted, counts)
  if (files !== null || run.codeUsed === null) return files
  // A file that some run was given counted as code when this run was launched, if that was before.
  const hashes = [counts, codeOf(workspace, experiment)].map(each => hashOfCode(repository, wanted, each))
  return (await Promise.all(hashes)).includes(run.codeUsed) ? [] : null
}

/**
 * Why a run cannot stand for the code of today, or of a commit, in a few words.
 * @param changed of {@link changedSince}
 */
export function whyOtherCode(run: Run, changed: readonly string[] | null, commit: string | null = null): string {
  if (run.codeChanged !== false && changed === null) return `the code changed under run ${run.id}`
  if (changed === null) return `run ${run.id} ran at ${run.commit.slice(0, 7)}, which is not in this repository`
  const files = fewInSentence(changed)
  if (commit !== null) return `${files} differ${changed.length === 1 ? 's' : ''} between run ${run.id} and ${commit}`
  return `${files} ${changed.length === 1 ? 'has' : 'have'} changed since run ${run.id}`
}

/** How the code of two runs differs. */
export interface CodeDifference {
  readonly files: readonly ChangedLines[]
  /** Of these files, as git writes it. */
  readonly diff: string
}

/**
 * How the code of two runs differs: what counts as code of the experiment of one of them.
 * @returns null if the code of one of them is not in this repository, and their hashes differ
 */
export async function codeBetween(workspace: Workspace, one: Run, other: Run): Promise<CodeDifference | null> {
  const recorded = [one, other].map(({ id }) => workspace.store.runs.launch(id))
  const [before, after] = [one, other].map(({ commit }, at) => ({ commit, tree: recorded[at]!.tree }))
  const counters = [...new Set([one.experiment, other.experiment])].map(name =>
    comparedCodeOf(workspace, findExperiment(workspace, name)),
  )
  const repository = await codeRepository(workspace.project.root)
  const counts: CountsAsCode = (path, isSubmodule) => counters.some(each => each(path, isSubmodule))
  const files = repository && (await changedCode(repository, before!, after!, counts))
  if (!repository || files === null)
    return one.codeUsed !== null && one.codeUsed === other.codeUsed ? { files: [], diff: '' } : null
  const between = [repository, before!, after!, files] as const
  const [lines, diff] = await Promise.all([changedLines(...between), diffOfCode(...between)])
  return { files: lines, diff }
}
