import fc from 'fast-check'
import { expect, test } from 'vitest'
import { figureFormat } from '../../../src/views/plots/figure.js'
import { pngWithText } from '../../../src/views/plots/png.js'
import { sealedIn } from '../../../src/views/plots/record.js'
import { sealedFile } from '../../../src/views/plots/seal.js'
import { testAny } from '../../cases.js'

const run = { id: 1, token: 't', commit: 'c', dirty: false, code_used: null, environments: [], data: [] }
const recorded = { mark: 'bar', usermeta: { qanat: { command: ['it', '-y', 'ä'], version: '0', runs: [run] } } }
const chunk = '\0\0\0\x01IDAT\x07\x01\x02\x03\x04'
const header = `\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR${'\0'.repeat(17)}`
const contents = {
  svg: '<svg>é</svg>',
  html: '<svg/>',
  pdf: '%PDF startxref\n9\n%%EOF\n',
  'vl.json': '',
  png: header + chunk,
}

const formats = Object.keys(contents) as (keyof typeof contents)[]

testAny([
  fc.constantFrom(...formats),
  fc.constantFrom('change', 'remove', 'add'),
  fc.nat(),
  fc.integer({ min: 1, max: 255 }),
])('a plot of any format tells that any of its bytes was changed, removed or added', (format, how, place, other) => {
  const picture = Buffer.from(contents[format], format === 'png' ? 'latin1' : 'utf8')
  const whole = Buffer.from(figureFormat(`x.${format}`).finish(picture, recorded))
  expect(sealedIn(whole)).toMatchObject({ kind: 'plot', command: ['it', '-y', 'ä'], isWhole: true })
  const at = place % whole.length
  const between = how === 'remove' ? [] : how === 'add' ? [other, whole[at]!] : [whole[at]! ^ other]
  const edited = Buffer.concat([whole.subarray(0, at), Buffer.from(between), whole.subarray(at + 1)])
  // What damages the record itself is no plot any more.
  expect(sealedIn(edited)?.isWhole ?? false).toBe(false)
})

test('a file without a seal is not as it was written', () => {
  const line = (seal: string) =>
    `qanat-plot:${JSON.stringify({ usermeta: { qanat: { ...recorded.usermeta.qanat, seal } } })}\n`
  expect(sealedIn(Buffer.from(line('')))?.isWhole).toBe(false)
  expect(sealedIn(pngWithText(Buffer.from(header, 'latin1'), 'qanat', line('qanat-seal:')))?.isWhole).toBe(false)
  expect(sealedFile('no record').toString()).toBe('no record')
})
