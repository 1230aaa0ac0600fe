import { expect, test } from 'vitest'
import { editMapping } from '../../../src/project/yaml/edit-mapping.js'

const changes = new Map<string, unknown>([
  ['tags', ['b']],
  ['gone', undefined],
])

test.each([
  ['comments and order', '# a\nz: 1 # z\n\ntags: [a] # t\n\n# end\n', '# a\nz: 1 # z\n\ntags: [b] # t\n\n# end\n'],
  ['numbers as they are written', 'x: 0010\ny: 1e3\ntags: a\n', 'x: 0010\ny: 1e3\ntags:\n  - b\n'],
  ['blanks inside of brackets', 'x: { a: 1 }\ntags: [ a ]\n', 'x: { a: 1 }\ntags: [ b ]\n'],
  ['brackets without blanks', 'x: {a: 1}\ntags: [a]\ngone: 1\n', 'x: {a: 1}\ntags: [b]\n'],
  ['the ends of lines', 'x: 1\r\ntags: [a] # t\r\n', 'x: 1\r\ntags: [b] # t\r\n'],
])('%s stay where a key is changed', (_, text, edited) => {
  expect(editMapping(text, 'it.yaml', changes)).toBe(edited)
})
