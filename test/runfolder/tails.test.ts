import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lastLines } from '../../src/runfolder/tails.js'
import { testAny } from '../cases.js'
import { fileWith, folderWith } from '../project/temporary.js'

test('a missing or empty log has no last lines', () => {
  expect(lastLines(join(folderWith(), 'stderr.txt'), 3)).toEqual([])
  expect(lastLines(fileWith('\n \n'), 3)).toEqual([])
})

const line = fc.stringMatching(/^[ -~é]{0,30}$/)
testAny([fc.array(line), fc.integer({ min: 1, max: 4 })])(
  'the last lines are the last of all lines, whatever the log contains',
  (lines, count) => {
    const file = fileWith(lines.join('\n'))
    const said = lines.map(each => each.trim()).filter(each => each !== '')
    expect(lastLines(file, count)).toEqual(said.slice(-count))
  },
)

test.each([
  ['a progress bar', 'start\n\r  0%|    | 0/2\r 50%|██  | 1/2', ['start', '50%|██  | 1/2']],
  ['one that was finished', '\r 50%|██  | 1/2\r100%|████| 2/2\nIt broke\r\n', ['100%|████| 2/2', 'It broke']],
  ['one that was cleared', 'It broke\n\r 50%|██  | 1/2\r              \r', ['It broke']],
  ['a message over one', '\r 50%|██  | 1/2\rIt broke', ['It broke']],
  ['colours', '\x1b[31mIt\x1b[0m broke', ['It broke']],
])('the last lines are what a terminal would show in the end: %s', (_, text, lines) => {
  expect(lastLines(fileWith(text), 2)).toEqual(lines)
})

test('a last line that is long is cut between two characters', () => {
  expect(lastLines(fileWith('😀'.repeat(1001)), 1)).toEqual([`${'😀'.repeat(1000)}…`])
  expect(lastLines(fileWith('😀'.repeat(1000)), 1)).toEqual(['😀'.repeat(1000)])
})

test('only the end of a log is read, whatever its size', () => {
  const file = fileWith(`${'x'.repeat(1_000_000)}\nthe end\n`)
  const [start = '', end] = lastLines(file, 2)
  expect(end).toBe('the end')
  expect(start).toBe(`${'x'.repeat(1000)}…`)
})
