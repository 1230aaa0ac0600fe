import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { begunSubmissions, spansText } from '../../../src/runfolder/evidence/submissions.js'
import { spansFile, submissionOutput } from '../../../src/runfolder/layout.js'
import { folderWith } from '../../project/temporary.js'

const [output] = submissionOutput(1, 0)

/** When the only submission of a run began, if its command last wrote at this time. */
function begunOf(written: number): number {
  const folder = folderWith({ [spansFile(1)]: spansText([{ first: 0, count: 1 }]), [output]: '' })
  utimesSync(join(folder, output), written / 1000, written / 1000)
  return begunSubmissions(folder, 1)[0]!.begun
}

test('a submission began when its output was opened, also if its command wrote later or comes from a backup', () => {
  // The times of files have parts of milliseconds.
  expect(begunOf(Date.now() + 60_000)).toBeLessThan(Date.now() + 1)
  expect(begunOf(1_000_000)).toBe(1_000_000)
})
