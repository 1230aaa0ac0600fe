import { expect, test } from 'vitest'
import { actionEntries } from '../../../src/cli/explore/run-entries.js'
import { reduce } from '../../../src/views/explore/reduce.js'
import { groupPage, runPage, runsPage, stateWith } from '../../views/explore/sample-state.js'

const entries = actionEntries(Array.from({ length: 30 }, (_, number) => ({ name: `action_${number}` })))

test.each(entries)('the key $key of $name means nothing else on any page', ({ key }) => {
  const ofRun = { ...runPage, entries: runPage.entries.filter(entry => entry.action === null) }
  for (const page of [runsPage, ofRun, groupPage]) {
    const state = stateWith(page)
    expect(reduce(state, key, { columns: 80, rows: 24 })).toEqual({ state, command: null })
  }
})

test('the first action has the key h, and each of seven another letter', () => {
  const letters = entries.map(({ key }) => key).filter(key => /[a-z]/.test(key))
  expect(letters[0]).toBe('h')
  expect(new Set(letters).size).toBe(7)
})
