import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { levels } from '../../src/domain/data/fingerprint.js'
import { manifests, passable } from '../../src/domain/experiment.js'
import { nothingExpected } from '../../src/domain/results/metrics.js'
import { totalOf } from '../../src/domain/runs/aggregate.js'
import { type GroupCounts, groupStates } from '../../src/domain/runs/run.js'
import { holdsRun, type RunRecord, readRecord, recordText, renewRecord } from '../../src/runfolder/record.js'
import { folderWith } from '../project/temporary.js'
import { recordOf } from './records.js'

/** Of a run of six groups of which four failed, two of them in their second launch. */
const written = readFileSync('test/fixtures/run-yaml/format-1.yaml', 'utf8')
const token = 'fbcfc63f-da1e-4b73-84cf-063de81e14ad'

/** The folder of a run that says this of itself. */
function folderSaying(text: string): string {
  return folderWith({ '.run/run.yaml': text })
}

const again = (record: RunRecord) => recordText(record, record.launch, record.groups, record.data)

describe('the run.yaml of a run', () => {
  test('of a released format is read, and written again as it was', () => {
    const record = readRecord(folderSaying(written))
    expect(record).toMatchObject({
      id: 1,
      counts: { pending: 0, finished: 2, failed: 4 },
      runnerParameters: { container: { image: 'python:3.12-slim', kind: 'docker' } },
      launch: {
        token,
        experiment: { executableCommand: 'sh' },
        attempts: [
          { attempt: 1, groups: null },
          { attempt: 2, groups: [2, 5] },
        ],
      },
      groups: [
        { index: 1, status: { cause: 'exit', exitCode: 3 } },
        { index: 2, attempt: 2 },
        { index: 4 },
        { index: 5 },
      ],
    })
    expect(again(record!)).toBe(written)
  })

  test('is read back as it was written, whatever it contains', () => {
    const folder = folderSaying('')
    fc.assert(
      fc.property(records(), record => {
        writeFileSync(join(folder, '.run/run.yaml'), again(record))
        expect(readRecord(folder)).toStrictEqual(record)
      }),
    )
  })

  test('is read even for an unknown runner', () => {
    expect(readRecord(folderSaying(recordOf({ runner: 'kubernetes' })))?.runner).toBe('kubernetes')
  })

  test.each<[string, (record: any) => void]>([
    ['of another format', record => (record.format = 2)],
    ['of no runner', record => (record.runner = '')],
    ['of a name that is none', record => (record.experiment = '../it')],
    ['of a commit that is none', record => (record.commit = 'HEAD')],
    ['of frozen code outside of the cache', record => (record.frozen = '.qanat/cache/../..')],
    ['of a token that is none', record => (record.launch.token = 'refs')],
    ['without a grid', record => delete record.launch.grid],
    ['without attempts', record => delete record.launch.attempts],
    ['without what it read', record => delete record.data],
    ['of a group in a state that there is not', record => (record.groups = [{ index: 0, status: { state: 'gone' } }])],
  ])('is not read from a file %s', (_, change) => {
    const record = JSON.parse(written)
    change(record)
    expect(readRecord(folderSaying(JSON.stringify(record)))).toBeNull()
  })

  test.each(['', '{', 'null', '[]', 'format: 1\n'])('is not taken from the text %j', text => {
    expect(readRecord(folderSaying(text))).toBeNull()
  })
})

describe('the record of a run', () => {
  const stored = () => readRecord(folderSaying(written))!
  const renew = (folder: string) => {
    const record = stored()
    renewRecord(folder, record, record.launch, record.groups, record.data)
  }

  test('is updated', () => {
    const folder = folderSaying(written.replace('the first', 'another description'))
    renew(folder)
    expect(readRecord(folder)).toEqual(stored())
  })

  test('is written if a launch has only made its folder', () => {
    const folder = folderWith()
    mkdirSync(join(folder, '.run'))
    renew(folder)
    expect(readRecord(folder)).toEqual(stored())
  })

  test('is not written if the folder was deleted', () => {
    const folder = folderWith()
    renew(folder)
    expect(holdsRun(folder, token)).toBe(false)
  })

  test('is not written over that of another run', () => {
    const other = recordOf()
    const folder = folderSaying(other)
    renew(folder)
    expect(readFileSync(join(folder, '.run/run.yaml'), 'utf8')).toBe(other)
  })

  test('is not written through a link', () => {
    const elsewhere = folderWith({ 'run.yaml': 'something' })
    const folder = folderWith()
    symlinkSync(elsewhere, join(folder, '.run'))
    renew(folder)
    expect(readFileSync(join(elsewhere, 'run.yaml'), 'utf8')).toBe('something')
    expect(holdsRun(folder, token)).toBe(false)
    rmSync(join(elsewhere, 'run.yaml'))
    expect(holdsRun(folder, token)).toBe(false)
  })

  test('is still recognised in its folder if it was damaged', () => {
    const folder = folderSaying(written.slice(0, 100))
    expect(holdsRun(folder, token)).toBe(true)
    renew(folder)
    expect(readRecord(folder)).toEqual(stored())
  })
})

/** Records of all kinds: what is only kept is any JSON of its shape. */
function records(): fc.Arbitrary<RunRecord> {
  const text = fc.string({ unit: 'grapheme', maxLength: 8 })
  const nullable = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
  const list = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { maxLength: 2 })
  const number = fc.nat()
  const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/)
  const mapping = fc.record({ one: nullable(text), '--other': number }, { requiredKeys: [] })
  const part = fc.record({ args: list(text), positional: mapping })
  const counts = fc
    .tuple(...groupStates.map(() => fc.nat({ max: 1000 })))
    .filter(numbers => numbers.some(count => count > 0))
    .map(numbers => Object.fromEntries(groupStates.map((state, index) => [state, numbers[index]!])))
  const hexadecimal = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 40, maxLength: 40 })
  const group = fc.record(
    {
      index: number,
      status: fc.record({ state: fc.constantFrom(...groupStates), cause: fc.constant('exit'), exitCode: number }),
      attempt: number,
      restarts: number,
      awaiting: number,
    },
    { requiredKeys: ['index', 'status'] },
  )
  const launch = fc.record({
    token: fc.uuid({ version: 4 }),
    grid: fc.record({ fixed: part, groups: list(part), axes: list(mapping) }),
    experiment: fc.record({
      ...{ name, executable: text, executableCommand: text, datasets: list(name) },
      results: fc.constant(nothingExpected),
      passes: list(fc.constantFrom(...passable)),
      uses: list(text),
      ignores: nullable(list(text)),
      manifest: fc.constantFrom(...manifests),
    }),
    datasetPaths: list(text),
    tree: nullable(hexadecimal),
    uncountedFiles: list(text),
    attempts: list(
      fc.record({
        attempt: fc.integer({ min: 1 }),
        groups: nullable(list(number)),
        submitTemplate: nullable(text),
        resolved: mapping,
        launched: number,
        launcher: nullable(mapping),
        complete: fc.boolean(),
        cancelled: nullable(number),
        submissions: list(fc.record({ first: number, count: number, id: text, data: mapping })),
      }),
    ),
  })
  const record = fc.record({
    format: fc.constant(1 as const),
    id: fc.integer({ min: 1 }),
    experiment: name,
    status: fc.constantFrom(...groupStates),
    counts,
    awaiting: number,
    runner: fc.string({ minLength: 1 }),
    runnerParameters: fc.record({
      submitTemplate: nullable(text),
      resolved: mapping,
      slots: nullable(number),
      container: nullable(
        fc.record({ image: text, kind: fc.constant('docker'), gpu: fc.boolean(), digest: nullable(text) }),
      ),
    }),
    commit: hexadecimal,
    dirty: fc.boolean(),
    codeUsed: nullable(fc.stringMatching(/^[0-9a-f]{64}$/)),
    codeChanged: nullable(fc.boolean()),
    frozen: nullable(name.map(each => `.qanat/cache/${each.replaceAll('.', '-')}`)),
    storagePath: text,
    description: text,
    tags: list(text),
    rerunOf: fc.option(fc.integer({ min: 1 })),
    launched: number,
    started: nullable(number),
    finished: nullable(number),
    progress: nullable(fc.nat({ max: 100 })),
    asOf: number,
    host: nullable(text),
    launch,
    groups: list(group),
    data: list(
      fc.record({
        ...{
          name: text,
          level: fc.constantFrom(...levels),
          taken: number,
          files: number,
          tracked: number,
          bytes: number,
        },
        ...{ partial: nullable(text), digest: nullable(hexadecimal), listing: nullable(hexadecimal) },
      }),
    ),
  })
  // As JSON has it: there is one zero, and no prototype.
  return record.map(each => JSON.parse(JSON.stringify({ ...each, groupCount: totalOf(each.counts as GroupCounts) })))
}
