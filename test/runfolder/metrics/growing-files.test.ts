import { appendFileSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { MetricSource } from '../../../src/domain/results/metrics.js'
import { metricReader, seriesReader } from '../../../src/runfolder/metrics/group-metrics.js'
import { GrowingFiles } from '../../../src/runfolder/metrics/growing-files.js'
import { folderWith } from '../../project/temporary.js'

const fixtures = 'test/fixtures/metrics'
const written = (readdirSync(fixtures, { recursive: true }) as string[]).filter(
  path => /\.(csv|tsv|jsonl|json|txt)$/.test(path) && statSync(join(fixtures, path)).isFile(),
)

/** A folder of a group in which a file grows, and what both ways of reading find there. */
function growing(source: MetricSource) {
  const folder = folderWith({})
  const path = join(folder, 'file' in source ? source.file : 'stdout.txt')
  const place = { path: folder, isMirror: false }
  const read = metricReader([source], place, new GrowingFiles())
  return {
    path,
    add: (text: string | Buffer) => appendFileSync(path, text),
    grown: () => read(folder)!.metrics,
    whole: () => metricReader([source], place)(folder)!.metrics,
  }
}

/** Numbers below 1 that are the same in every test. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

describe('a file that grows', () => {
  test.each(written)('%s, is in the end what it is when it is read at once', name => {
    const bytes = readFileSync(join(fixtures, name))
    const { add, grown, whole } = growing(
      basename(name) === 'stdout.txt' ? { stdout: 'loss[ =:]+(?<loss>\\S+)' } : { file: basename(name), step: null },
    )
    const next = random(bytes.length)
    for (let at = 0; at < bytes.length; ) {
      const end = Math.min(bytes.length, at + 1 + Math.floor(next() * 40))
      add(bytes.subarray(at, end))
      at = end
      grown()
    }
    // A last line without an end may become longer.
    if (!bytes.toString().endsWith('\n') && !name.endsWith('.json')) add('\n')
    expect(grown()).toEqual(whole())
  })

  const csv: MetricSource = { file: 'metrics.csv', step: null }

  test('counts its whole lines', () => {
    const { add, grown } = growing(csv)
    expect(grown()).toEqual({})
    add('step,loss\n')
    expect(grown()).toEqual({})
    add('1,0.')
    expect(grown()).toEqual({})
    add('5\n2,0.25')
    expect(grown()).toMatchObject({ loss: 0.5 })
    add('\n')
    expect(grown()).toMatchObject({ loss: { last: 0.25, count: 2, max: 0.5 } })
  })

  test('may have lines within quotes, and a second header', () => {
    const { add, grown, whole } = growing(csv)
    add('step,note,loss\n1,"a\n')
    grown()
    add('b",0.5\n2,c,0.25\n')
    expect(grown()).toEqual(whole())
    add('step,loss,note\n3,0.125,d\n')
    expect(grown()).toEqual(whole())
    expect(grown()).toMatchObject({ loss: { last: 0.125, count: 3 } })
  })

  test('is read from its start if it was written anew', () => {
    const { path, add, grown, whole } = growing(csv)
    add(`step,loss\n${Array.from({ length: 50 }, (_, at) => `${at},${at}\n`).join('')}`)
    grown()
    for (const column of ['acc,loss', 'loss']) {
      const rows = Array.from({ length: 60 }, (_, at) => `${at},${column === 'loss' ? at : '7,8'}\n`).join('')
      writeFileSync(path, `step,${column}\n${rows}`)
      expect(grown()).toEqual(whole())
    }
    writeFileSync(`${path}.new`, 'step,loss\n1,2\n2,3\n')
    renameSync(`${path}.new`, path)
    expect(grown()).toEqual({ loss: expect.objectContaining({ count: 2, last: 3 }) })
  })

  test('keeps its metrics while a document is being written', () => {
    const { path, grown } = growing({ file: 'state.json', step: null })
    writeFileSync(path, '{"acc": 0.5}')
    expect(grown()).toEqual({ acc: 0.5 })
    writeFileSync(path, '{"acc": 0.7, "lo')
    expect(grown()).toEqual({ acc: 0.5 })
    writeFileSync(path, '{"acc": 0.7, "loss": 1}')
    expect(grown()).toEqual({ acc: 0.7, loss: 1 })
  })

  test('has the same series as if it were read at once', () => {
    const folder = folderWith({ 'metrics.csv': 'epoch,a\n' })
    const files = new GrowingFiles()
    for (let epoch = 0; epoch < 5; epoch++) {
      appendFileSync(join(folder, 'metrics.csv'), `${epoch},${epoch / 2}\n`)
      const [grown, whole] = [files, undefined].map(each => seriesReader([], folder, each)(folder).points.get('a'))
      expect(grown).toEqual(whole)
    }
  })
})
