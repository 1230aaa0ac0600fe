import type { Run } from '../../domain/runs/run.js'
import { DatabaseError } from '../../errors.js'
import { explainDatabase } from '../../store/database.js'
import type { Workspace } from '../workspace.js'
import type { RunSnapshot } from './known-run.js'

/**
 * Does `work` for each run. If it fails for one, that run keeps its stored state, with a warning. Runs that were deleted
 * in the meantime are left out.
 * @throws DatabaseError if the database fails, which affects all runs
 */
export async function eachByItself<Item extends Run | RunSnapshot, Result>(
  workspace: Workspace,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    try {
      results.push(await work(item))
    } catch (error) {
      const reason = explainDatabase(error)
      if (reason instanceof DatabaseError) throw reason
      const { id } = 'run' in item ? item.run : item
      if (workspace.store.runs.find(id) === null) continue
      workspace.warn(`run ${id} could not be refreshed, and is shown as it was before: ${(error as Error).message}`)
    }
  }
  return results
}
