import { execFileSync } from 'node:child_process'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvLine, csvTable } from '../../../src/views/render/csv.js'
import { testAny } from '../../cases.js'
import { columns, hostileRows, sample, textColumns } from './columns.js'

const head = 'name,duration_s,tags,flags_done,state,flags_named'

describe('a CSV table', () => {
  test.each([
    ['texts, numbers and lists', sample('iris', 'a', 'b'), 'iris,1.5,a b,true,true,true'],
    ['what is not known as nothing', { ...sample('iris'), seconds: null }, 'iris,,,true,true,true'],
    ['false as a word', { ...sample('iris'), isDone: false }, 'iris,1.5,,false,false,true'],
    ['commas in quotes', sample('a, b'), '"a, b",1.5,,true,true,true'],
    ['quotes twice', sample('a "b"'), '"a ""b""",1.5,,true,true,true'],
    ['newlines in quotes', sample('a\nb\r'), '"a\nb\r",1.5,,true,true,true'],
    ['wide characters as they are', sample('日本 🏁'), '日本 🏁,1.5,,true,true,true'],
  ])('has %s', (_, row, line) => {
    expect(csvTable({ columns, rows: [row] })).toBe(`${head}\n${line}\n`)
  })

  test('is empty without rows', () => {
    expect(csvTable({ columns, rows: [] })).toBe('')
  })

  testAny([hostileRows(3)])('is read back as the same values, whatever they are', rows => {
    const text = csvTable({ columns: textColumns(3), rows })
    expect(parse(text, { recordDelimiter: '\n' })).toEqual([['c0', 'c1', 'c2'], ...rows])
  })

  test('is read back by the csv module of Python', () => {
    // Before 3.11, it reads no NUL.
    const texts = fc
      .sample(hostileRows(3), 200)
      .flat()
      .map(row => row.map(text => text.replaceAll('\0', '')))
    const script = `import csv, io, json, sys
print(json.dumps(list(csv.reader(io.TextIOWrapper(sys.stdin.buffer, 'utf-8', newline='')))))`
    const read = execFileSync('python3', ['-c', script], { input: texts.map(csvLine).join(''), encoding: 'utf8' })
    expect(JSON.parse(read)).toEqual(texts)
  })

  test('has every digit of a number', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(fc.array(number, { minLength: 1 }), numbers => {
        const fields = csvLine(numbers).slice(0, -1).split(',')
        expect(fields.map(Number)).toEqual(numbers.map(each => each + 0))
      }),
    )
  })
})
