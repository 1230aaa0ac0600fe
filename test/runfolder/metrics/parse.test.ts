import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRows } from '../../../src/runfolder/metrics/parse.js'

const text = fc.string({ unit: fc.constantFrom(...'aé1.- ,\t\n', '\n'), maxLength: 40 })

test.each(['t.csv', 't.tsv'])('%s has the same rows, whatever ends its lines', name => {
  fc.assert(
    fc.property(text, lines => {
      const table = `step,acc\tx\n${lines}`
      expect(parseRows(name, table.replaceAll('\n', '\r\n'))).toEqual(parseRows(name, table))
    }),
  )
})
