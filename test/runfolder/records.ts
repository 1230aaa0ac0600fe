import { randomUUID } from 'node:crypto'
import { countsOfNew } from '../../src/domain/runs/aggregate.js'
import type { Run } from '../../src/domain/runs/run.js'
import { recordText } from '../../src/runfolder/record.js'
import { launchOf, runOf } from '../store/stores.js'

/** What `.run/run.yaml` holds of a run of one group that has finished. */
export function recordOf({ id = 1, token = randomUUID() as string, runner = 'local' } = {}): string {
  const run: Omit<Run, 'dealing'> = {
    ...runOf('it', 1, { runner, commit: '0123456789'.repeat(4) }),
    ...{ id, status: 'finished', counts: { ...countsOfNew(0), finished: 1 }, awaiting: 0 },
    ...{ finished: 3, progress: 100, asOf: 4 },
  }
  return recordText(run, launchOf('it', token), [], [])
}
