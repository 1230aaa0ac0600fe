import { describe, expect, test } from 'vitest'
import type { MetricSource } from '../../../src/domain/results/metrics.js'
import { metricReader, pointReader, seriesReader } from '../../../src/runfolder/metrics/group-metrics.js'
import { folderWith } from '../../project/temporary.js'
import { said } from './said.js'

const file = (name: string, step: string | null = null) => ({ file: name, step })

/** What is read from a group with these files. */
function readFrom(files: Record<string, string | Buffer>, ...sources: MetricSource[]) {
  const folder = folderWith(files)
  const { metrics, warnings } = metricReader(sources, { path: folder, isMirror: false })(folder)!
  return { metrics, warnings: said(warnings) }
}

describe('a start of a script after another', () => {
  const logs = (first: string, second: string) => ({
    'lightning_logs/version_0/metrics.csv': first,
    'lightning_logs/version_1/metrics.csv': second,
  })

  test('goes on where the first one was, whose later steps do not count', () => {
    const read = readFrom(logs('step,loss\n10,5\n20,4\n30,9\n', 'step,loss\n25,3\n35,2\n'))
    const loss = { last: 2, min: 2, max: 5, minStep: 35, maxStep: 10, count: 4 }
    expect(read).toEqual({ metrics: { loss }, warnings: [] })
  })

  test('may have other metrics', () => {
    const read = readFrom(logs('step,loss\n10,5\n20,4\n', 'step,test_loss\n0,3\n'))
    expect(read).toMatchObject({ metrics: { loss: { last: 4, count: 2 }, test_loss: 3 }, warnings: [] })
  })

  test('that begins again counts alone, and that is told', () => {
    const read = readFrom(logs('step,loss\n10,5\n20,4\n', 'step,loss\n10,6\n'))
    const warning =
      'lightning_logs/**/metrics.csv: an earlier file of this name or pattern begins at the same step with other values, and is not read'
    expect(read).toEqual({ metrics: { loss: 6 }, warnings: [warning] })
  })

  test('that has the same values, too, hides nothing', () => {
    const state = (...steps: number[]) => JSON.stringify({ log_history: steps.map(step => ({ step, loss: 9 - step })) })
    const files = { 'checkpoint-8/trainer_state.json': state(1), 'checkpoint-16/trainer_state.json': state(1, 2) }
    expect(readFrom(files)).toMatchObject({ metrics: { loss: { last: 7, count: 2 } }, warnings: [] })
  })

  test('is read where the file of the first one cannot be', () => {
    const read = readFrom(logs('{"a": 1}\n[', 'step,loss\n10,6\n20,5\n'))
    expect(read.metrics.loss).toMatchObject({ last: 5, count: 2 })
  })
})

describe('the same name in several files', () => {
  const [learn, other] = ['iter\tLogloss\n0\t0.6\n1\t0.5\n', 'iter\tLogloss\n0\t0.7\n1\t0.56\n']
  const files = { 'learn_error.tsv': learn, 'test_error.tsv': other }

  test('is two metrics with a prefix', () => {
    const prefixed = { ...file('test_error.tsv', 'iter'), prefix: 'test.' }
    const { metrics, warnings } = readFrom(files, file('learn_error.tsv', 'iter'), prefixed)
    expect([metrics, warnings]).toMatchObject([{ Logloss: { last: 0.5 }, 'test.Logloss': { last: 0.56 } }, []])
  })

  test('is two metrics with a prefix for each file that fits', () => {
    const each = (pattern: string, prefix: string) => ({ ...file(pattern, 'iter'), prefix })
    const names = (...[pattern, prefix]: Parameters<typeof each>) =>
      Object.keys(readFrom({ ...files, 'a/b/c_error.tsv': learn }, each(pattern, prefix)).metrics)
    expect(names('*_error.tsv', '*.')).toEqual(['learn.Logloss', 'test.Logloss'])
    expect(names('**/*_error.tsv', '**.*/')).toEqual(['learn/Logloss', 'test/Logloss', 'a.b.c/Logloss'])
    expect(names('a/*/c_*.tsv', '*-*-')).toEqual(['b-error-Logloss'])
    expect(readFrom(files, each('no_*.tsv', '*.')).warnings).toEqual(['no_*.tsv is missing'])
  })

  test('is told without one', () => {
    const { metrics, warnings } = readFrom(files, file('learn_error.tsv', 'iter'), file('test_error.tsv', 'iter'))
    expect(metrics).toMatchObject({ Logloss: { last: 0.5 } })
    expect(warnings).toEqual([
      "test_error.tsv: 'Logloss' ends with another value than in an earlier file, which counts; a prefix tells them apart: {file: test_error.tsv, prefix: other.}",
    ])
  })

  test('has no range in which its value is not', () => {
    const of = { 'm.json': '{"acc": 2}', 'acc.tsv': 'step\tacc\n0\t0.9\n1\t0.96\n' }
    const { metrics, warnings } = readFrom(of, file('m.json'), file('acc.tsv'))
    expect([metrics, warnings]).toEqual([{ acc: 2 }, [expect.stringContaining("'acc' ends with another value")]])
    const [sources, folder] = [[file('m.json'), file('acc.tsv')], folderWith(of)]
    expect(pointReader(sources, folder)(folder, 'acc')).toBeNull()
    expect([...seriesReader(sources, folder)(folder).points]).toEqual([])
  })

  test('is one metric if it is the best value, or a rounded one', () => {
    const of = { 'm.json': '{"acc": 0.96, "loss": 0.3333}', 'h.csv': 'epoch,acc,loss\n0,0.9601,1\n1,0.9,0.33333333\n' }
    const { metrics, warnings } = readFrom(of, file('m.json'), file('h.csv'))
    expect([metrics, warnings]).toMatchObject([
      { acc: { last: 0.96, max: 0.9601 }, loss: { last: 0.3333, max: 1 } },
      [],
    ])
  })
})

test('a file that ends within a letter has the rows before it', () => {
  const text = Buffer.from('epoch,loss,note\n0,5,a\n1,4,é')
  expect(readFrom({ 'm.csv': text.subarray(0, -1) }, file('m.csv')).metrics.loss).toMatchObject({ count: 2 })
})
