import { expect, test } from 'vitest'
import { intervalMethod, mayBeInterval } from '../../../src/cli/parse/interval-method.js'

test.each([
  [undefined, null],
  ['', { method: 't' }],
  ['t', { method: 't' }],
  ['bootstrap', { method: 'bootstrap', seed: 0 }],
  ['bootstrap:7', { method: 'bootstrap', seed: 7 }],
  ['bootstrap:999999999', { method: 'bootstrap', seed: 999999999 }],
])('--ci %s', (text, method) => {
  expect(intervalMethod(text)).toEqual(method)
})

test.each(['normal', 'bootstrap:', 'bootstrap:-1', 'bootstrap:1000000000', 'bootstrap:x', 't:1'])(
  '--ci %s is refused',
  text => {
    expect(() => intervalMethod(text)).toThrow(`--ci: '${text}' is none of t, bootstrap, bootstrap:SEED`)
  },
)

test('a word after --ci is its value if it may have been meant as a method', () => {
  const words = ['t', 'bootstrap:3', 'bootsrap', 'digits', '4', '4-7']
  expect(words.filter(mayBeInterval)).toEqual(['t', 'bootstrap:3', 'bootsrap'])
})
