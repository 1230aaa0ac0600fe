import { expect, test } from 'vitest'
import { type Level, levelFor, type Setting } from '../../../src/domain/data/fingerprint.js'

const MiB = 1024 * 1024

test.each<[Setting, readonly number[] | null, Level]>([
  ['auto', [], 'content'],
  ['auto', [64 * MiB], 'content'],
  ['auto', [64 * MiB, 1], 'stat'],
  ['auto', Array(1000).fill(1), 'content'],
  ['auto', Array(1001).fill(0), 'stat'],
  ['auto', null, 'stat'],
  ['stat', [1], 'stat'],
  ['sample', null, 'sample'],
  ['content', [65 * MiB], 'content'],
  ['off', [1], 'off'],
])('the setting %s looks at files of sizes %j at level %s', (setting, sizes, level) => {
  expect(levelFor(setting, sizes)).toBe(level)
})
