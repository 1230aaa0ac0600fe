import type { GroupResult } from '../../../domain/results/compare.js'
import type { Run } from '../../../domain/runs/run.js'
import { UserError } from '../../../errors.js'
import { codeBetween } from '../../code/changed-files.js'
import { findExperiment } from '../../registry/find-experiment.js'
import { programOfRun } from '../../registry/launched-experiment.js'
import { readGroup } from '../../runs/find-run.js'
import type { Workspace } from '../../workspace.js'
import { groupsOf, runsWithMetrics } from '../chosen-runs.js'
import { everything } from '../looked-at.js'

/** Two groups of an experiment, side by side. */
export interface ComparedPair {
  readonly experiment: string
  readonly groups: readonly [GroupResult, GroupResult]
  readonly runs: readonly [Run, Run]
  /** What the runs ran: a command and an executable. */
  readonly programs: readonly [string, string]
  /** The diff of what counts as code, empty if it is the same; null if a commit is not in this repository. */
  readonly diff: string | null
}

/** Whether words name groups, as `4.17` does, instead of runs. */
export function areGroups(words: readonly string[]): boolean {
  return words.some(word => /^\d+\.\d+$/.test(word))
}

/** Compares two groups. @throws UserError if the words are not two groups of the experiment */
export async function comparePair(
  workspace: Workspace,
  experiment: string,
  words: readonly string[],
): Promise<ComparedPair> {
  const { name } = findExperiment(workspace, experiment)
  const [one, other] = words
  if (one === undefined || other === undefined || words.length > 2 || !words.every(word => areGroups([word]))) {
    throw new UserError(
      `${words.join(' ')}: groups are compared in pairs`,
      `give two groups, as in: qanat compare ${name} 4.1 4.7`,
    )
  }
  const first = await groupNamed(workspace, name, one)
  const second = await groupNamed(workspace, name, other)
  const runs = [first, second].map(({ run }) => workspace.store.runs.get(run))
  return {
    experiment: name,
    groups: [first, second],
    runs: [runs[0]!, runs[1]!],
    programs: [programOfRun(workspace, runs[0]!), programOfRun(workspace, runs[1]!)],
    diff: (await codeBetween(workspace, runs[0]!, runs[1]!))?.diff ?? null,
  }
}

async function groupNamed(workspace: Workspace, experiment: string, word: string): Promise<GroupResult> {
  const [id = '', index = ''] = word.split('.')
  const runs = await runsWithMetrics(workspace, experiment, { ...everything, words: [id] })
  return [...groupsOf(workspace, runs)].flat()[readGroup(runs[0]!, index)]!
}
