import { countVerdicts, isDifference, type KeptDifference } from '../../domain/results/reproduced.js'
import { writeVerification } from '../../runfolder/notes/verifications.js'
import { absolutePath, type Workspace } from '../workspace.js'
import type { Verification, VerifyRequest } from './verify-run.js'

/** At most this many differences are kept; the others are counted. */
const mostDifferences = 100

/** Keeps the verdict with both runs, in their folders. A folder that cannot keep it is a warning. */
export function keepVerification(
  workspace: Workspace,
  verification: Verification,
  { rtol, ignore }: VerifyRequest,
): void {
  const { store, warn } = workspace
  const { run, again, isReproduced, files, metrics, conditions, unknown } = verification
  const differences = differencesIn(verification)
  const kept = {
    ...{ run, again, verified: Date.now(), isReproduced, rtol, ignore, conditions, unknown },
    ...{ files: countVerdicts(files), metrics: countVerdicts(metrics) },
    ...{ differences: differences.slice(0, mostDifferences), more: Math.max(0, differences.length - mostDifferences) },
  }
  for (const { id, storagePath } of [run, again].map(each => store.runs.get(each))) {
    try {
      writeVerification(absolutePath(workspace, storagePath), store.runs.token(id), kept)
    } catch (error) {
      warn(`the folder of run ${id} cannot keep the verdict: ${(error as Error).message}`)
    }
  }
}

function differencesIn({ groups, files, metrics }: Verification): KeptDifference[] {
  return [
    ...groups.map(
      ({ group, before, after }) => ({ group, of: 'end', name: '', result: `${before} → ${after}` }) as const,
    ),
    ...files.map(({ group, name, verdict }) => ({ group, of: 'file', name, result: verdict }) as const),
    ...metrics.map(({ group, name, verdict }) => ({ group, of: 'metric', name, result: verdict }) as const),
  ].filter(each => each.of === 'end' || isDifference(each.result))
}
