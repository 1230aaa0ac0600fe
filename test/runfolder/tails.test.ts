import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lastLines } from '../../src/runfolder/tails.js'
import { fileWith, folderWith } from '../project/temporary.js'

test('the last lines of a log are those that are not empty', () => {
  expect(lastLines(fileWith('first\n\n  second  \n \nthird'), 2)).toEqual(['second', 'third'])
})

test('a missing or empty log has no last lines', () => {
  expect(lastLines(join(folderWith(), 'stderr.txt'), 3)).toEqual([])
  expect(lastLines(fileWith('\n \n'), 3)).toEqual([])
})

test('the last lines are the last of all lines, whatever the log contains', () => {
  const file = fileWith('')
  const line = fc.stringMatching(/^[ -~é]{0,30}$/)
  fc.assert(
    fc.property(fc.array(line), fc.integer({ min: 1, max: 4 }), (lines, count) => {
      writeFileSync(file, lines.join('\n'))
      const said = lines.map(each => each.trim()).filter(each => each !== '')
      expect(lastLines(file, count)).toEqual(said.slice(-count))
    }),
  )
})

test('only the end of a log is read, whatever its size', () => {
  const file = fileWith(`${'x'.repeat(1_000_000)}\nthe end\n`)
  const [start = '', end] = lastLines(file, 2)
  expect(end).toBe('the end')
  expect(start.length).toBeLessThan(100_000)
})
