import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvTable } from '../../../src/views/render/csv.js'
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

  test('is read back as the same values, whatever they are', () => {
    fc.assert(
      fc.property(hostileRows(3), rows => {
        const text = csvTable({ columns: textColumns(3), rows })
        expect(parsed(text)).toEqual([['c0', 'c1', 'c2'], ...rows])
      }),
    )
  })
})

/** The records of a CSV text, by the grammar of RFC 4180 with a newline alone between them. */
function parsed(text: string): string[][] {
  const records: string[][] = [[]]
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\n|$)/y
  while (field.lastIndex < text.length) {
    const at = field.lastIndex
    const found = field.exec(text)
    if (!found) throw new Error(`no field at ${at} of ${JSON.stringify(text)}`)
    records.at(-1)!.push(found[1]?.replaceAll('""', '"') ?? found[2]!)
    if (found[3] === '\n') records.push([])
  }
  return records.slice(0, -1)
}
