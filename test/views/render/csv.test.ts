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
    [
      'numbers that are none in words that others read',
      { ...sample('a'), seconds: Number.NaN },
      'a,NaN,,true,true,true',
    ],
    ['infinity likewise', { ...sample('a'), seconds: -1 / 0 }, 'a,-inf,,true,true,true'],
    ['wide characters as they are', sample('日本 🏁'), '日本 🏁,1.5,,true,true,true'],
  ])('has %s', (_, row, line) => {
    expect(csvTable({ columns, rows: [row] })).toBe(`${head}\n${line}\n`)
  })

  test('has its headings without rows, too', () => {
    expect(csvTable({ columns, rows: [] })).toBe(`${head}\n`)
  })

  test('of one column has no empty lines, which readers skip', () => {
    const rows = ['', 'a', ''].map(text => [text])
    expect(csvTable({ columns: textColumns(1), rows })).toBe('c0\n""\na\n""\n')
    expect([csvLine([null]), csvLine([''])]).toEqual(['""\n', '""\n'])
  })

  test('of data tells a text without characters from what is not known', () => {
    expect(csvLine(['', null, undefined])).toBe('"",,\n')
  })

  testAny([fc.constantFrom(1, 3).chain(hostileRows)])('is read back as the same values, whatever they are', rows => {
    const names = rows[0]!.map((_, at) => `c${at}`)
    const text = csvTable({ columns: textColumns(names.length), rows })
    expect(parse(text, { recordDelimiter: '\n' })).toEqual([names, ...rows])
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
