import { codeRepository, hashOfCode, type RecordedCode } from '../../code/compare.js'
import type { CountsAsCode } from '../../domain/code-used.js'
import type { Asked } from '../../domain/options/run-options.js'
import { type Run, ranOtherCode } from '../../domain/runs/run.js'
import { hashesOfCode } from '../code/code-names.js'
import type { Workspace } from '../workspace.js'

/** What has to be the same in the code of runs: the commit with its uncommitted changes, the files that count as code, or nothing. */
export type Sameness = NonNullable<Asked['same']>

/**
 * Those of the runs of an experiment that ran the same code. A run whose code changed while it ran is none of them.
 * @param counts what counts as code of the experiment now
 */
export async function runsOfCode(
  workspace: Workspace,
  runs: readonly Run[],
  code: RecordedCode,
  counts: CountsAsCode,
  same: Sameness,
): Promise<Run[]> {
  if (same === 'any') return [...runs]
  const treeOf = ({ id, dirty }: Run) => (dirty ? workspace.store.runs.definition(id).tree : null)
  const candidates = runs.filter(run => !ranOtherCode(run))
  const isSame = (run: Run) => run.commit === code.commit && treeOf(run) === code.tree
  if (same === 'commit') return candidates.filter(isSame)
  const repository = await codeRepository(workspace.project.root)
  const hash = repository && (await hashOfCode(repository, code, counts))
  const others = candidates.filter(run => !isSame(run) && run.codeUsed !== hash)
  const states = new Map(others.map(run => [treeOf(run) ?? run.commit, { commit: run.commit, tree: treeOf(run) }]))
  // What counted as code when a run was launched may have been something else.
  const hashes = await hashesOfCode(workspace, counts, states)
  const differs = new Set(others.filter(run => hash === null || hashes.get(treeOf(run) ?? run.commit) !== hash))
  return candidates.filter(run => !differs.has(run))
}
