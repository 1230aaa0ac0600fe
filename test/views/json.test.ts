import { expect, test } from 'vitest'
import type { Dependency, StoredDocument } from '../../src/domain/documents/document.js'
import { oneRun } from '../../src/domain/documents/provider.js'
import type { Experiment } from '../../src/domain/experiment.js'
import {
  cachedCodeJson,
  datasetJson,
  documentJson,
  documentStatusJson,
  experimentJson,
  experimentSummaryJson,
  groupJson,
  listedDatasetJson,
  listedDocumentJson,
  listedRunJson,
  runJson,
} from '../../src/views/json.js'
import { endedRun, failedGroup, newRun } from './sample-run.js'

const experimentKeys = {
  ...{ name: 'iris', description: 'd', path: '.', executable: 'iris.py', executable_command: 'python -u' },
  ...{ datasets: ['flowers'], tags: ['a'] },
  actions: [{ name: 'plot', description: '', executable: 'plot.py', executable_command: 'python' }],
  ...{ metrics: [{ file: 'metrics.json', step: null }], best: { acc: 'max' }, outputs: [], passes: ['--json'] },
  ...{ uses: ['lib/**'], ignores: ['*.md'], manifest: 'hash' },
  ...{ storage_option: '--storage_path', dataset_option: 'data=' },
}
const experiment: Experiment = {
  ...{ name: 'iris', description: 'd', path: '.', executable: 'iris.py', executableCommand: 'python -u' },
  ...{ tags: ['a'], datasets: ['flowers'] },
  actions: [{ name: 'plot', description: '', executable: 'plot.py', executableCommand: 'python' }],
  results: { metrics: [{ file: 'metrics.json', step: null }], best: { acc: 'max' }, outputs: [] },
  ...{ passes: ['--json'], uses: ['lib/**'], ignores: ['*.md'], manifest: 'hash', datasetOption: 'data=' },
}

const mirror = { remotePath: null, isFetched: true }

const runKeys = {
  ...{ id: 4, experiment: 'iris', status: 'failed' },
  groups: { total: 3, pending: 0, running: 0, held: 0, finished: 2, failed: 1, cancelled: 0, lost: 0 },
  runner: 'slurm',
  context: null,
  runner_params: {
    submit_template: 'gpu',
    resolved: { partition: 'long' },
    n_threads: 2,
    container: 'a.sif',
    gpu: true,
  },
  ...{ commit_sha: '0123456789abcdef0123456789abcdef01234567', dirty: true, code_used: 'c0de'.repeat(16) },
  ...{ code_changed: null, storage_path: 'results/iris/run_4', description: 'with "quotes",\nand a comma' },
  ...{ tags: ['paper', 'seeds'], rerun_of: null, fill_of: null, retired: null, launched: '2026-11-21T12:00:00.000Z' },
  ...{ started: '2026-11-21T12:01:00.000Z', finished: '2026-11-21T12:02:30.500Z', duration_s: 90.5, progress: 100 },
  ...{ slots: null, halted: null },
  ...{ remote_path: null, fetched: true },
}
const groupKeys = {
  ...{ index: 1, status: 'failed', cause: 'exit', exit_code: 3, signal: null, host: 'node17' },
  ...{ started: '2026-11-21T12:01:00.000Z', finished: '2026-11-21T12:02:30.500Z' },
  ...{
    peak_memory_bytes: 1024,
    cpu_s: 89.5,
    gpus: null,
    job_id: '77_1',
    attempt: 1,
    storage_path: 'results/iris/run_4/group_1',
  },
  ...{ parameters: { '--lr': '0.1', pos_0: 'two words' }, command: ['python', 'iris.py', '--lr', '0.1', 'two words'] },
}
const neverStarted = { started: null, finished: null }

const dataset = { name: 'flowers', description: '', path: '/data', tags: [], fingerprint: 'stat' } as const
const datasetRow = { name: 'flowers', description: '', path: '/data', from: null, tags: [], fingerprint: 'stat' }

const dependency: Dependency = {
  ...{ experiment: 'iris', runArgsFile: 'grid.yaml', runner: 'local', container: null, commitSha: null, action: null },
  ...{ actionArguments: [], products: [], files: ['a.png'] },
  runnerParameters: { n_threads: '2' },
}
const document: StoredDocument = {
  id: 2,
  ...{ name: 'report', description: '', path: 'paper', compileScript: 'make.sh', compileScriptCommand: 'sh' },
  ...{ viewScript: '', viewScriptCommand: '', tags: [], dependencies: [dependency], compiled: endedRun.asOf },
}
const dependencyKeys = {
  ...{ experiment_name: 'iris', run_args_file: 'grid.yaml', runner: 'local' },
  runner_params: { submit_template: null, n_threads: '2', gpu: false },
  ...{ container: null, commit_sha: null, action_name: null, action_args: [], files: ['a.png'] },
}
const documentKeys = {
  ...{ name: 'report', description: '', path: 'paper', compile_script: 'make.sh', compile_script_command: 'sh' },
  ...{ view_script: '', view_script_command: '', tags: [], experiment_dependencies: [dependencyKeys] },
  compiled: '2026-11-21T12:03:00.000Z',
}
const stale = { changed: ['it.py'], why: 'it.py has changed since run 4' }
const staleKeys = {
  ...{ experiment: 'iris', run_args_file: 'grid.yaml', action: null, files: ['a.png'], status: 'stale', runs: [4] },
  ...stale,
}
const best = [
  { metric: 'acc', value: 0.9, group: 2 },
  { metric: 'loss', value: Infinity, group: 0 },
]

test.each<[string, unknown, unknown]>([
  ['a run', runJson(endedRun, mirror), runKeys],
  [
    'a run that was not started',
    runJson(newRun, { remotePath: '/there/run_4', isFetched: false }),
    {
      ...{ ...runKeys, id: 5, status: 'pending', groups: { ...runKeys.groups, pending: 3, finished: 0, failed: 0 } },
      runner: 'local',
      context: null,
      runner_params: { submit_template: null, resolved: {}, n_threads: null, container: null, gpu: false },
      ...{ dirty: false, description: '', tags: [], ...neverStarted, duration_s: null, progress: null },
      ...{ remote_path: '/there/run_4', fetched: false },
    },
  ],
  [
    'the best values of a run in a list',
    listedRunJson({ ...endedRun, best }, mirror).best,
    { acc: { value: 0.9, group: 2 }, loss: { value: 'Infinity', group: 0 } },
  ],
  ['those of a run of which not all metrics were read', listedRunJson({ ...endedRun, best: null }, mirror).best, null],
  ['a group', groupJson(failedGroup), groupKeys],
  [
    'a group that was not started',
    groupJson({ ...failedGroup, status: { state: 'pending' }, parameters: {}, command: [] }),
    {
      ...{ ...groupKeys, ...neverStarted, status: 'pending', cause: null, exit_code: null, host: null, job_id: null },
      ...{ peak_memory_bytes: null, cpu_s: null, gpus: null, parameters: {}, command: [] },
    },
  ],
  ['an experiment', experimentJson(experiment), experimentKeys],
  [
    'one in a list',
    experimentSummaryJson({ id: 3, experiment, runs: 3, liveRuns: 1 }),
    { id: 3, ...experimentKeys, runs: 3 },
  ],
  ['a dataset', datasetJson(dataset), datasetRow],
  ['a dataset in a list', listedDatasetJson({ id: 1, ...dataset }), { id: 1, ...datasetRow }],
  ['a document', documentJson({ ...document, compiled: null }), { ...documentKeys, compiled: null }],
  ['a document in a list', listedDocumentJson(document), { id: 2, ...documentKeys }],
  [
    'a document and how it stands',
    documentStatusJson(
      document,
      [{ dependency, state: 'stale', provider: oneRun(endedRun), ...stale }],
      [{ path: 'lib.py' }],
    ),
    { document: documentKeys, dependencies: [staleKeys], uncommitted: ['lib.py'] },
  ],
  [
    'a copy in the cache',
    cachedCodeJson({ name: 'c0ffee', bytes: 12, runs: [1], isUsed: false }),
    { name: 'c0ffee', bytes: 12, runs: [1], in_use: false },
  ],
])('the JSON of %s is stable, including the order of its keys', (_, json, keys) => {
  expect(JSON.stringify(json)).toBe(JSON.stringify(keys))
})
