import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EndRecord } from '../../../src/domain/runs/group-record.js'
import { type OpenStart, SlotJournals } from '../../../src/runfolder/evidence/slot-journals.js'
import { recordsFolder } from '../../../src/runfolder/layout.js'
import type { ProcessIdentity } from '../../../src/system/process-identity.js'
import { cases, testAny } from '../../cases.js'
import { folderWith } from '../../project/temporary.js'
import { workerLine } from './worker-line.js'

const machine = { host: 'n1', machineId: 'm', bootId: 'b', namespace: 'pid:[1]' }
const worker = (pid: number): ProcessIdentity => ({ ...machine, pid, start: String(pid) })
const start = (index: number, pid = 100 + index) => `1 start ${index} 1 ${pid} 10.5 n1 - 0\n`
const end = (index: number, code = 0) => `1 end ${index} 1 ${code} exit 10.5 12.25 - - - n1 - 0\n`

/** The folder of a run whose slots have these journals. */
function runWith(...journals: string[]): string {
  return folderWith(Object.fromEntries(journals.map((text, slot) => [join(recordsFolder, `slot_${slot}`), text])))
}

/** What the journals of a run say, by group. */
function readRecords(folder: string) {
  const journals = new SlotJournals(folder, null).readOn()
  const starts = new Map<number, OpenStart[]>()
  for (const start of journals.starts) starts.set(start.index, [...(starts.get(start.index) ?? []), start])
  return { workers: journals.workers(1), ends: journals.ends as ReadonlyMap<number, EndRecord>, starts }
}

describe('the journals of a local run', () => {
  test('are none before anything has started', () => {
    const nothing = { workers: [], ends: new Map(), starts: new Map() }
    expect(readRecords(folderWith())).toEqual(nothing)
    expect(readRecords(runWith('', ''))).toEqual(nothing)
  })

  test('show which groups have ended, which are running, and which shells run them', () => {
    const journals = [workerLine(worker(1)) + start(0) + end(0, 3) + start(2), workerLine(worker(2)) + start(1)]
    const records = readRecords(runWith(...journals))
    expect(records.workers).toEqual([worker(1), worker(2)])
    expect([...records.ends]).toMatchObject([[0, { code: 3, outcome: 'exit', started: 10_500, ended: 12_250 }]])
    expect([...records.starts].sort()).toMatchObject([
      [1, [{ pid: 101, worker: worker(2) }]],
      [2, [{ pid: 102, worker: worker(1) }]],
    ])
  })

  test('keep every process of a group that runs, and let a later start and end override the earlier ones', () => {
    const { ends, starts } = readRecords(
      runWith(start(0) + end(0, 1) + start(0, 6) + end(0, 2) + start(0, 7) + start(0, 8)),
    )
    expect(ends.get(0)).toMatchObject({ code: 2 })
    expect(starts.get(0)!.map(({ pid }) => pid)).toEqual([7, 8])
  })

  test('have the shells of each attempt apart', () => {
    const journals = { slot_0: worker(1), slot_1: worker(2), slot_2_0: worker(3) }
    const texts = Object.entries(journals).map(([name, each]) => [join(recordsFolder, name), workerLine(each)])
    const read = new SlotJournals(folderWith(Object.fromEntries(texts)), null).readOn()
    expect(read.workers(1)).toEqual([worker(1), worker(2)])
    expect(read.workers(2)).toEqual([worker(3)])
  })

  test('have the shell of each start, even if a slot had several', () => {
    const text = workerLine(worker(1)) + start(0) + workerLine(worker(2)) + start(1)
    const { starts, workers } = readRecords(runWith(text))
    expect(workers).toEqual([worker(2)])
    expect([0, 1].map(index => starts.get(index)![0]!.worker)).toEqual([worker(1), worker(2)])
  })

  test('may come from a later version of the program, whose unknown lines are ignored', () => {
    const records = readRecords(runWith(`2 end 0 1 0 exit 10 12 n1 - more\n1 note 0 hello\n${start(1)}`))
    expect([records.ends.size, [...records.starts.keys()]]).toEqual([0, [1]])
  })
})

const lines = [
  ...[workerLine(worker(1)), start(0), end(0), start(1), end(1), workerLine(worker(2)), start(2), end(2, 3), start(3)],
]

const anyLine = fc.nat({ max: lines.length - 1 })
const next = workerLine(worker(9)) + start(5) + end(5) + start(6)
testAny([anyLine, fc.nat()], { numRuns: cases(200) })(
  'a line that a crash has cut does not count, and hinders no later one',
  (whole, anywhere) => {
    const [complete, line] = [lines.slice(0, whole).join(''), lines[whole]!]
    const cut = complete + line.slice(0, anywhere % line.length)
    expect(readRecords(runWith(cut))).toEqual(readRecords(runWith(complete)))
    // Only its newline may be missing: then it says all that it has to say.
    const expected = [complete + next, complete + line + next].map(text => readRecords(runWith(text)))
    expect(expected).toContainEqual(readRecords(runWith(cut + next)))
  },
)

const text = lines.join('')
const anyCut = fc.nat({ max: text.length })
testAny([anyCut], { numRuns: cases(200) })('journals are read on from where an earlier refresh ended', cut => {
  const folder = runWith(text.slice(0, cut))
  const first = new SlotJournals(folder, null).readOn()
  writeFileSync(join(folder, recordsFolder, 'slot_0'), text)
  const cursor = JSON.parse(JSON.stringify(first.cursor))
  const second = new SlotJournals(folder, cursor).readOn()
  const whole = new SlotJournals(folder, null).readOn()
  expect([second.starts, second.workers]).toEqual([whole.starts, whole.workers])
  expect(new Map([...first.ends, ...second.ends])).toEqual(whole.ends)
  expect(second.cursor).toEqual(whole.cursor)
})
