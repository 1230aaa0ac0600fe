import { expect, test } from 'vitest'
import { jsonRow } from '../../../src/views/render/json.js'
import { columns, sample } from './columns.js'

test('a row has its columns under their names, in their order, those of an object where the first of it stands', () => {
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
