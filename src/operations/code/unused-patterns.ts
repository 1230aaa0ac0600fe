import { type CodeRepository, filesOfCode, type RecordedCode } from '../../code/compare.js'
import { codeCounter } from '../../domain/code-used.js'
import type { Experiment } from '../../domain/experiment.js'
import type { Workspace } from '../workspace.js'

/**
 * Warns of patterns of `uses` of an experiment or an action that fit no file: a change of what they are meant for would go
 * unseen.
 * @param so what follows from that
 */
export async function warnOfUnusedPatterns(
  workspace: Workspace,
  { name, uses = [] }: Pick<Experiment, 'name'> & Partial<Pick<Experiment, 'uses'>>,
  repository: CodeRepository,
  recorded: RecordedCode,
  so: string,
): Promise<void> {
  if (uses.length === 0) return
  const files = (await filesOfCode(repository, recorded)) ?? []
  for (const pattern of uses) {
    const fits = codeCounter({ uses: [pattern], ignores: [], own: [], registered: [], others: [], never: [] })
    if (files.some(({ path, isSubmodule }) => fits(path, isSubmodule))) continue
    workspace.warn(`uses of ${name}: '${pattern}' fits no file that git tracks, so ${so}`)
  }
}
