import { describe, expect, test } from 'vitest'
import { rowColumns } from '../../../src/domain/results/collected.js'
import type { CollectedValue } from '../../../src/domain/results/column-kinds.js'
import type { GroupResult } from '../../../src/domain/results/compare.js'

const group: GroupResult = {
  ...{ run: 1, index: 0, parameters: {}, state: 'finished', cause: null, seconds: null, started: null, metrics: {} },
}

/** The column `x` of rows that have these cells there. */
function columnOf(...cells: (CollectedValue | undefined)[]) {
  const rows = cells.map(x => ({ group, cells: { ...(x !== undefined && { x }), y: 1 } }))
  const columns = rowColumns([rows], [])
  const column = columns.find(({ name }) => name === 'x')!
  return { type: column.type, cells: rows.map(column.value), notFinite: column.notFinite, columns }
}

describe('the cells of tables that groups have left', () => {
  test.each<[string, CollectedValue[], string, CollectedValue[], string[]]>([
    ['whole numbers', [1, null, 2], 'integer', [1, null, 2], []],
    ['numbers', [1, 0.5], 'number', [1, 0.5], []],
    ['numbers and NaN', [1, Number.NaN], 'number', [1, Number.NaN], ['NaN']],
    [
      'numbers and words for others',
      ['NaN', 0.5, '-Infinity'],
      'number',
      [Number.NaN, 0.5, -1 / 0],
      ['NaN', 'infinity'],
    ],
    ['texts and such words', ['NaN', 'a'], 'mixed', ['NaN', 'a'], []],
    ['long whole numbers', [2n ** 53n + 1n, 1, 2 ** 53], 'integer', [2n ** 53n + 1n, 1, 2 ** 53], []],
    ['long whole numbers and others', [2n ** 53n + 1n, 0.5], 'mixed', [2n ** 53n + 1n, 0.5], []],
    [
      'whole numbers of more than 64 bits',
      ['18446744073709551615', 1],
      'mixed_integer',
      ['18446744073709551615', 1],
      [],
    ],
    ['large numbers', [1e300, 1], 'number', [1e300, 1], []],
    ['truth values', [true, null], 'boolean', [true, null], []],
    ['texts', ['a', ''], 'text', ['a', ''], []],
  ])('are %s', (_, cells, type, values, notFinite) => {
    expect(columnOf(...cells)).toMatchObject({ type, cells: values, notFinite })
  })

  test('are in columns in the order in which they come, also if all or the first ones are empty', () => {
    const names = (...cells: (CollectedValue | undefined)[]) =>
      columnOf(...cells)
        .columns.map(({ name }) => name)
        .slice(-2)
    expect(names(null, 1)).toEqual(['x', 'y'])
    expect(names(null, null)).toEqual(['x', 'y'])
    expect(names(undefined, 1)).toEqual(['y', 'x'])
  })
})
