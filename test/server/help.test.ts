import { expect, test } from 'vitest'
import { helpPage } from '../../src/server/help.js'

test.each(['/', '/runs', '/experiments/help', '/helper', '/help/a/b'])('%s is no page of the documentation', path => {
  expect(helpPage(path, '')).toBe(null)
})
