import { randomUUID } from 'node:crypto'
import { nothingExpected } from '../../src/domain/results/metrics.js'
import type { Launch } from '../../src/domain/runs/launch.js'
import type { Run } from '../../src/domain/runs/run.js'
import { recordText } from '../../src/runfolder/record.js'

/** What `.run/run.yaml` holds of a run of one group that has finished. */
export function recordOf({ id = 1, token = randomUUID() as string, runner = 'local' } = {}): string {
  const run: Run = {
    id,
    experiment: 'it',
    status: 'finished',
    counts: { pending: 0, running: 0, held: 0, finished: 1, failed: 0, cancelled: 0, lost: 0 },
    awaiting: 0,
    runner,
    runnerParameters: { submitTemplate: null, resolved: {}, slots: 1, container: null },
    commit: '0123456789012345678901234567890123456789',
    dirty: false,
    codeUsed: null,
    codeChanged: null,
    frozen: null,
    storagePath: `results/it/run_${id}`,
    description: '',
    tags: [],
    rerunOf: null,
    launched: 1,
    started: 2,
    finished: 3,
    progress: 100,
    asOf: 4,
    host: 'here',
  }
  const launch: Launch = {
    token,
    grid: { fixed: { args: [] }, groups: [], axes: [] },
    experiment: {
      name: 'it',
      description: '',
      path: '',
      executable: 'it.sh',
      executableCommand: 'sh',
      tags: [],
      datasets: [],
      actions: [],
      results: nothingExpected,
      passes: [],
      uses: [],
      ignores: null,
      manifest: 'size',
    },
    datasetPaths: [],
    tree: null,
    uncountedFiles: [],
    attempts: [],
  }
  return recordText(run, launch, [], [])
}
