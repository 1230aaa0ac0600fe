import { expect, test } from 'vitest'
import { jsonRow } from '../../../src/views/render/json.js'
import { columns, sample } from './columns.js'

test('a row has its columns under their names, in order; the columns of an object are together at the first of them', () => {
  const row = { ...sample('iris', 'a', 'b'), seconds: null }
  expect(JSON.stringify(jsonRow(columns, row))).toBe(
    '{"name":"iris","duration_s":null,"tags":["a","b"],"flags":{"done":true,"named":true},"state":true}',
  )
})

test('rows share nothing', () => {
  const [one, other] = [sample('iris'), sample('')].map(row => jsonRow(columns, row))
  expect([one!.flags, other!.flags]).toEqual([
    { done: true, named: true },
    { done: true, named: false },
  ])
})
