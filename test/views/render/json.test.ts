import { expect, test } from 'vitest'
import { jsonRow } from '../../../src/views/render/json.js'
import { columns, sample } from './columns.js'

test('rows have columns under their names, in order, and those of an object together at the first of them', () => {
  const rows = [{ ...sample('iris', 'a', 'b'), seconds: null }, sample('')].map(row => jsonRow(columns, row))
  expect(rows.map(row => JSON.stringify(row))).toEqual([
    '{"name":"iris","duration_s":null,"tags":["a","b"],"flags":{"done":true,"named":true},"state":true}',
    '{"name":"","duration_s":1.5,"tags":[],"flags":{"done":true,"named":false},"state":true}',
  ])
})
