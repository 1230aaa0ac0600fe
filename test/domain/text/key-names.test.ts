import fc from 'fast-check'
import { expect, test } from 'vitest'
import { namedInCode, writtenKey } from '../../../src/domain/text/key-names.js'
import { testAny } from '../../cases.js'

test.each([
  ['setup', 'setup'],
  ['max_parallel', 'maxParallel'],
  ['tasks_per_node', 'tasksPerNode'],
])('the key %s is %s in code', (key, name) => {
  expect(namedInCode({ [key]: 1 })).toEqual({ [name]: 1 })
  expect(writtenKey(name)).toBe(key)
})

testAny([fc.stringMatching(/^[a-z]+(_[a-z]+)*$/)])('every key can be derived from its name in code', key => {
  expect(Object.keys(namedInCode({ [key]: 1 })).map(writtenKey)).toEqual([key])
})
