import type { ListedRun } from '../../src/domain/results/best.js'
import { asAsked, type GroupDetails } from '../../src/domain/runs/run.js'

/** A run of three groups that has ended. */
export const endedRun: ListedRun = {
  ...{ id: 4, experiment: 'iris', status: 'failed', awaiting: 0, site: 'here', runner: 'slurm' },
  counts: { pending: 0, running: 0, held: 0, finished: 2, failed: 1, cancelled: 0, lost: 0 },
  runnerParameters: {
    ...{ submitTemplate: 'gpu', resolved: { partition: 'long' }, slots: 2 },
    container: { image: 'a.sif', kind: 'apptainer', gpu: true, digest: null },
  },
  ...{ commit: '0123456789abcdef0123456789abcdef01234567', dirty: true, codeUsed: 'c0de'.repeat(16) },
  ...{ codeChanged: null, frozen: null, storagePath: 'results/iris/run_4', host: null, best: [] },
  ...{
    description: 'with "quotes",\nand a comma',
    tags: ['paper', 'seeds'],
    rerunOf: null,
    fillOf: null,
    retired: null,
    progress: 100,
  },
  launched: Date.UTC(2026, 10, 21, 12, 0),
  started: Date.UTC(2026, 10, 21, 12, 1),
  finished: Date.UTC(2026, 10, 21, 12, 2, 30, 500),
  asOf: Date.UTC(2026, 10, 21, 12, 3),
  dealing: asAsked,
}

/** A run that nobody has started. */
export const newRun: ListedRun = {
  ...{ ...endedRun, id: 5, status: 'pending', counts: { ...endedRun.counts, pending: 3, finished: 0, failed: 0 } },
  runner: 'local',
  runnerParameters: { submitTemplate: null, resolved: {}, slots: null, container: null },
  ...{ dirty: false, description: '', tags: [], started: null, finished: null, progress: null },
}

/** A group that has failed. */
export const failedGroup: GroupDetails = {
  index: 1,
  status: {
    ...{ state: 'failed', cause: 'exit', exitCode: 3, signal: null },
    ...{ started: endedRun.started, finished: endedRun.finished, host: 'node17', jobId: '77_1' },
    used: { peakMemory: 1024, cpuTime: 89.5 },
  },
  attempt: 1,
  storagePath: 'results/iris/run_4/group_1',
  asked: { cpus: 1, memory: 2 * 1024 ** 3, time: null },
  parameters: { '--lr': '0.1', pos_0: 'two words' },
  command: ['python', 'iris.py', '--lr', '0.1', 'two words'],
}
