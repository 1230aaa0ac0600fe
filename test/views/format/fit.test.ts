import { Chalk } from 'chalk'
import { expect, test } from 'vitest'
import { fitted } from '../../../src/views/format/fit.js'

const { red } = new Chalk({ level: 1 })

test.each([
  ['short', 10, 'short'],
  ['just right', 10, 'just right'],
  ['a bit too long', 10, 'a bit too…'],
  ['two\nlines', 10, 'two lines'],
  ['has … itself', 8, 'has … i…'],
  ['日本語の説明', 7, '日本語…'],
  [red('finished'), 8, red('finished')],
  [`${red('finished')} and more`, 11, `${red('finished')} a…`],
  [`12345 ${red('finished')}`, 9, `12345 ${red('fi…')}`],
])('%j in %i columns', (text, width, shown) => {
  expect(fitted(text, width)).toBe(shown)
})
