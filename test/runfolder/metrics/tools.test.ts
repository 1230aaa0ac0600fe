import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MetricSource } from '../../../src/domain/results/metrics.js'
import { metricReader } from '../../../src/runfolder/metrics/group-metrics.js'
import { said } from './said.js'

const series = (last: number, count: number, maxStep: number | null) => ({ last, count, maxStep })
const catboost: MetricSource[] = [
  { file: 'catboost_info/learn_error.tsv', step: 'iter' },
  { file: 'catboost_info/test_error.tsv', step: 'iter', prefix: 'test.' },
]
const clu: MetricSource[] = ['accuracy', 'diverged'].map(name => ({
  stdout: `\\[(?<step>\\d+)\\].* ${name}=(?<${name}>[^,]+)`,
}))
const textLikeNumber = 'a text that looks like a number, and counts in no mean and no plot'

test.each<[folder: string, sources: MetricSource[], metrics: object, warnings: string[]]>([
  ['catboost', catboost, { Logloss: series(0.5788053513, 3, 0), 'test.Logloss': series(0.5767603199, 3, 0) }, []],
  ['clu', clu, { accuracy: series(0.375, 3, 0), diverged: { last: Number.NaN, count: 3 } }, []],
  [
    'dvclive_curves',
    [],
    { 'train.acc': series(0.7, 3, 2), 'val.acc': series(0.6000000000000001, 3, 2), loss: series(1 / 3, 3, 1), step: 2 },
    [],
  ],
  ['dvclive_not_finite', [], { 'train.loss': Number.POSITIVE_INFINITY, 'val.acc': 0.1, step: 2 }, []],
  ['numpy', [], { loss: series(0.7, 3, 0) }, []],
  ['numpy_json', [], { acc: '0.5' }, [`metrics.json: 'acc': ${textLikeNumber}`]],
  ['pandas', [], { loss: series(0.8, 2, 0) }, []],
  ['pandas_append', [], { loss: series(0.2, 4, 1) }, []],
  ['pandas_split', [], { loss: series(0.8, 2, 0) }, []],
  ['r', [], { loss: series(0.7, 3, 0), val_loss: 0.85 }, []],
  ['r_csv2', [], { loss: series(0.7, 3, 0), val_loss: 0.85 }, []],
  ['r_write_table', [], { loss: series(0.7, 3, 0), note: 'NA', f1: series(0.7, 3, 0) }, []],
  ['sacred', [], { loss: series(1 / 21, 3, 0) }, []],
  [
    'flower',
    [],
    {
      ...{ losses_distributed: series(1 / 3, 3, 1), losses_centralized: series(0.5, 3, 0) },
      ...{
        'metrics_distributed_fit.train_loss': series(2 / 3, 3, 1),
        'metrics_distributed.accuracy': series(0.3, 3, 3),
      },
    },
    [],
  ],
  ['fasttext', [], { N: 3, 'P@1': 0.667, 'R@1': 0.667 }, []],
  [
    'spacy',
    [],
    { 'losses.textcat': series(2.0019001663, 5, 10), 'scores.cats_score': series(100, 5, 0), score: series(1, 5, 0) },
    [],
  ],
])('what %s has written is read', (folder, sources, metrics, warnings) => {
  const path = join('test/fixtures/metrics', folder)
  const read = metricReader(sources, { path, isMirror: false })(path)!
  expect(Object.keys(read.metrics).sort()).toEqual(Object.keys(metrics).sort())
  expect(read.metrics).toMatchObject(metrics)
  expect(said(read.warnings)).toEqual(warnings)
})

const usage = { 'jobs.a.write.iops': 85333.333333, 'jobs.a.write.clat_ns.N': 256 }
const benchmarks = { 'benchmarks.test_a.stats.rounds': 3, 'benchmarks.test_b.stats.data': { count: 3 } }
const commands = { 'results.sleep 0.01.mean': 0.013360202333333335, 'results.true.times': { count: 3 } }
const tasks = { 'results.toy.acc,none': 1, 'results.toy.acc_stderr,none': 0, 'n-samples.toy.effective': 3 }
const episodes = { 'env_runners/episode_return_mean': series(29.666666666666668, 3, 3), done: true }
const trials = {
  loss: series(1 / 3, 3, 1),
  'nested.a': series(2, 3, 3),
  'arr.1': series(2, 3, 1),
  'config.lr': { count: 3 },
}

test.each<[folder: string, file: string, step: string | null, metrics: object]>([
  ['fio', 'metrics.json', null, usage],
  ['hyperfine', 'metrics.json', null, commands],
  ['lm_eval', 'results.json', null, tasks],
  ['rllib', 'progress.csv', 'training_iteration', episodes],
  ['pytest_benchmark', 'metrics.json', null, benchmarks],
  ['ray', 'result.json', 'training_iteration', trials],
])('what %s has written is read, beside much that is no metric', (folder, file, step, metrics) => {
  const path = join('test/fixtures/metrics', folder)
  expect(metricReader([{ file, step }], { path, isMirror: false })(path)!.metrics).toMatchObject(metrics)
})
