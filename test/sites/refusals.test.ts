import { join } from 'node:path'
import { expect, test } from 'vitest'
import { forgetRefused, noteRefused, refuseSoon } from '../../src/sites/ssh/refusals.js'
import { folderWith } from '../project/temporary.js'

test('after a refused login none is tried for a minute, then for twice as long each time, at most a quarter of an hour', () => {
  const file = join(folderWith(), 'refused')
  const pauseAfter = (at: number) => {
    for (let seconds = 0; ; seconds++) {
      try {
        refuseSoon(file, 'hpc', at + 1000 * seconds)
        return seconds
      } catch (error) {
        expect((error as Error).message).toContain('the last login to hpc was refused')
      }
    }
  }
  expect(pauseAfter(0)).toBe(0)
  const pauses = [1, 2, 3, 4, 5, 6].map(times => {
    noteRefused(file, times * 1e7)
    return pauseAfter(times * 1e7)
  })
  expect(pauses).toEqual([60, 120, 240, 480, 900, 900])
  noteRefused(file, 7e7)
  forgetRefused(file)
  expect(pauseAfter(7e7)).toBe(0)
})
