import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdsRun, type RunRecord, readRecord, recordText, renewRecord } from '../../src/runfolder/record.js'
import { anyExperiment, anyText } from '../project/any-description.js'
import { folderWith } from '../project/temporary.js'
import { anyStatus } from '../store/stores.js'
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
    const container = { image: 'python:3.12-slim', kind: 'docker' }
    const attempts = [
      { attempt: 1, groups: null },
      { attempt: 2, groups: [2, 5] },
    ]
    const groups = [
      { index: 1, status: { cause: 'exit', exitCode: 3 } },
      { index: 2, attempt: 2 },
      { index: 4 },
      { index: 5 },
    ]
    const launch = { token, experiment: { executableCommand: 'sh' }, attempts }
    const counts = { pending: 0, finished: 2, failed: 4 }
    expect(record).toMatchObject({ id: 1, counts, runnerParameters: { container }, launch, groups })
    expect(again(record!)).toBe(written)
  })

  test('is read back as it was written, whatever it contains', () => {
    const folder = folderSaying('')
    const record = readRecord(folderSaying(written))!
    const texts = fc.array(anyText, { maxLength: 3 })
    const group = fc.record({ index: fc.nat(), status: anyStatus, attempt: fc.integer({ min: 1 }) })
    const facts = fc.record({ description: anyText, tags: texts, host: fc.option(anyText), groups: fc.array(group) })
    fc.assert(
      fc.property(facts, anyExperiment(), texts, (facts, experiment, args) => {
        const launch = { ...record.launch, experiment, grid: { ...record.launch.grid, groups: [{ args }] } }
        const other: RunRecord = { ...record, ...facts, experiment: experiment.name, launch }
        writeFileSync(join(folder, '.run/run.yaml'), again(other))
        expect(readRecord(folder)).toEqual(other)
      }),
    )
  })

  test('is read even for an unknown runner', () => {
    expect(readRecord(folderSaying(recordOf({ runner: 'kubernetes' })))?.runner).toBe('kubernetes')
  })

  test.each<[string, (record: any) => void]>([
    ['of another format', record => (record.format = 2)],
    ['of no site', record => (record.site = '')],
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
    const { launch, groups, data, ...run } = stored()
    renewRecord(folder, run, launch, groups, data)
  }

  test.each([
    ['updated', { '.run/run.yaml': written.replace('the first', 'another description') }],
    ['written if a launch has only made its folder', { '.run/plan': '' }],
    ['still recognised in its folder if it was damaged', { '.run/run.yaml': written.slice(0, 100) }],
  ])('is %s', (_, files) => {
    const folder = folderWith(files)
    expect(holdsRun(folder, token)).toBe(true)
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
})
