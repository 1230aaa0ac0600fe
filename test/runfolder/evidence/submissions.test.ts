import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { begunSubmissions, submissionEntry } from '../../../src/runfolder/evidence/submissions.js'
import { submissionOutput } from '../../../src/runfolder/layout.js'
import { writeEntries } from '../../../src/system/folders/entries.js'
import { folderWith } from '../../project/temporary.js'

test('a submission began when its launch says, whenever its files were written or copied', () => {
  const [output, errors] = submissionOutput(2, 0)
  const folder = folderWith({ [output]: '36\n', [errors]: 'busy\n' })
  const spans = [
    { first: 0, count: 3 },
    { first: 3, count: 1 },
  ] as const
  writeEntries(folder, [submissionEntry(2, 0, spans[0], 1_000_000), submissionEntry(2, 1, spans[1], 2_000_000)])
  utimesSync(join(folder, output), 9_000, 9_000)
  expect(begunSubmissions(folder, 2)).toEqual([
    { begun: 1_000_000, span: spans[0], stdout: '36\n', stderr: 'busy\n' },
    // Its command has not printed anything, or was never run.
    { begun: 2_000_000, span: spans[1], stdout: '', stderr: '' },
  ])
  expect(begunSubmissions(folder, 1)).toEqual([])
})
