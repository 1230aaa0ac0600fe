import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exactRows } from '../../../src/runfolder/metrics/exact-rows.js'
import { parseRows } from '../../../src/runfolder/metrics/parse.js'
import { testAny } from '../../cases.js'

const big = 9_007_199_254_740_993n

describe('a whole number that a double does not hold', () => {
  test.each([
    ['of 64 bits is exact', String(big), big],
    ['is so with a sign', `-${big}`, -big],
    ['is so as the largest one', '9223372036854775807', 2n ** 63n - 1n],
    ['is a text if it is longer', '18446744073709551615', '18446744073709551615'],
  ])('%s', (_, text, value) => {
    expect(exactRows('t.csv', `id,x\n${text},0.5\n"${text}",1\n`).rows).toEqual([
      { id: value, x: 0.5 },
      { id: value, x: 1 },
    ])
    expect(exactRows('t.tsv', `x\tid\r\n1\t${text}\r\n`).rows).toEqual([{ x: 1, id: value }])
    expect(exactRows('t.jsonl', `{"id": ${text}, "a": "b"}`).rows).toEqual([{ id: value, a: 'b' }])
  })

  test('is so in what is nested in JSON Lines', () => {
    const line = `{"a": {"id": ${big}, "t": "is ${big} \\" #"}, "b": [${big}, "#"], "c": {"d": 1}}`
    expect(exactRows('t.jsonl', line).rows).toEqual([
      { a: `{"id":${big},"t":"is ${big} \\" #"}`, b: `[${big},"#"]`, c: { d: 1 } },
    ])
  })

  test('is so below a comment with the names, and in a table with semicolons', () => {
    expect(exactRows('t.csv', `# id x\n${big} 0.5\n1 1\n`).rows).toEqual([
      { id: big, x: 0.5 },
      { id: 1, x: 1 },
    ])
    expect(exactRows('t.csv', `id;x\n${big};0,5\n`).rows).toEqual([{ id: big, x: 0.5 }])
  })

  test('is nothing in a text, and one that a double holds stays a number', () => {
    const texts = [`run ${big}`, `${big}.5e3`, `x${big}`, `#${big}`, `2026-${big}`]
    const csv = `a\n${texts.join('\n')}\n10000000000000000\n`
    const numbers = [Number(texts[1]), 1e16]
    expect(exactRows('t.csv', csv).rows.map(({ a }) => a)).toEqual([
      ...[texts[0], numbers[0], ...texts.slice(2), numbers[1]],
    ])
    const line = JSON.stringify({ [String(big)]: String(big), marks: '###' })
    expect(exactRows('t.jsonl', `${line}\n{"x": ${big}}`).rows[0]).toEqual(JSON.parse(line))
  })
})

test('a name such as 007 keeps its zeros in a table', () => {
  expect(exactRows('t.csv', 'who,x,at\n007,0.5,00:00\n"012",0,0\n').rows).toEqual([
    { who: '007', x: 0.5, at: '00:00' },
    { who: '012', x: 0, at: 0 },
  ])
})

const cell = fc.oneof(
  fc.constantFrom('#', '##', 'nan', '-', '0.5', `${big}x`, `a ${big}`, '"', '', '1e400', '-0', '007'),
  fc.integer().map(String),
  fc.stringMatching(/^[a-z#"\\{}[\]:\d ]{0,30}$/),
)
testAny([fc.array(fc.dictionary(cell, cell), { maxLength: 4 })])('all else is as the parser reads it', records => {
  const lines = [...records, { long: 'y'.repeat(3) }].map(each => JSON.stringify(each))
  const text = `${lines.join('\n')}\n{"long": ${big}}`
  expect(exactRows('t.jsonl', text).rows.slice(0, -1)).toEqual(parseRows('t.jsonl', text).rows.slice(0, -1))
})
