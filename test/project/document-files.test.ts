import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTypedFiles, typedFiles } from '../../src/project/document-files.js'
import { testAny } from '../cases.js'

const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter(word => word.trim() !== '' && !/\p{C}/u.test(word))
const product = fc.oneof(
  fc.record({
    kind: fc.constant('plot' as const),
    file: fc.constant('a.svg'),
    options: fc.record({ x: text, y: text }),
    filters: fc.constant({ where: ['acc > 0.5'] }),
  }),
  fc.record({
    ...{ kind: fc.constant('compare' as const), file: fc.constant('b.md'), options: fc.record({ over: text }) },
    filters: fc.record({ param: fc.array(text, { minLength: 1, maxLength: 3 }) }),
  }),
)

testAny([product])('what a document needs can be typed, whatever its options contain', one => {
  const wanted = { files: ['group_0/a.png'], products: [one] }
  expect(readTypedFiles(typedFiles(wanted))).toEqual(wanted)
})

test.each([
  ['{plot: a.svg', 'a.svg:1:13'],
  ['{plot: a.svg, z: 1}', 'z: unknown key'],
  ['{plot: a.svg, where: acc}', '--where acc'],
  ['{plot: a.svg, status: well}', 'well'],
  ['{}', 'expected one of compare, plot, report'],
  ['../a.svg', 'not inside the folder of the run'],
])('%s is refused', (word, message) => {
  expect(() => readTypedFiles([word])).toThrow(message)
})
