import { expect, test } from 'vitest'
import { endsInMessage, pouredWord, readPoured } from '../../../src/domain/pods/poured.js'

const word = pouredWord('token')
const start = '1 start 0 1 1 10 node pod 0'
const end = '1 end 0 1 0 exit 10 20 - - - node pod 0'
const log = (...lines: string[]) => lines.map(line => line.replace('W', word)).join('\n')
const read = (...lines: string[]) => readPoured(log(...lines), word)

test('a log tells records, and the files of each group that has ended', () => {
  expect(read('W begin', `W start ${start}`, 'W data', 'QUJD', 'REVG', `W end c0ffee ${end}`)).toEqual({
    records: [
      { line: start, archive: null },
      { line: end, archive: { base64: 'QUJDREVG', sha256: 'c0ffee' } },
    ],
    rest: null,
  })
  expect(read('W begin', `W end - ${end}`)).toEqual({ records: [{ line: end, archive: null }], rest: null })
})

test('what the pod has noted comes last, and belongs to no group', () => {
  const rest = { base64: 'QUJD', sha256: 'c0ffee' }
  expect(read('W begin', 'W data', 'QUJD', 'W end c0ffee ')).toEqual({ records: [], rest })
})

test('a log that ends anywhere has what came until then', () => {
  expect(read('W begin')).toEqual({ records: [], rest: null })
  expect(read('W begin', `W start ${start}`, 'W data', 'QUJD')).toEqual({
    records: [{ line: start, archive: null }],
    rest: null,
  })
})

test.each([
  ['what the server says instead', 'unable to retrieve container logs for containerd://1234'],
  ['a log whose beginning was cut', log('REVG', `W end c0ffee ${end}`)],
  ['the log of another launch', log('W begin').replace('token', 'other')],
  ['nothing', ''],
])('%s is no data', (_, text) => {
  expect(readPoured(text, word)).toBe(null)
})

test('the message of a pod tells ends, also if it is cut', () => {
  expect(endsInMessage(`0 exit 1 2\n${end}\n`)).toEqual([end])
  expect(endsInMessage('')).toEqual([])
})
