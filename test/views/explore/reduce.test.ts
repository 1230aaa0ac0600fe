import { expect, test } from 'vitest'
import { reduce, type Step } from '../../../src/views/explore/reduce.js'
import { pageOf, type RunPage, type RunsPage, type State } from '../../../src/views/explore/state.js'
import { groupPage, runPage, runsPage, stateWith } from './sample-state.js'

const size = { columns: 80, rows: 24 }

/** The state after some keys, and what the last one asks for. */
function after(state: State, ...keys: string[]): Step {
  return keys.reduce<Step>((step, key) => reduce(step.state, key, size), { state, command: null })
}

function placeOf(state: State): number {
  return (pageOf(state) as RunsPage | RunPage).list.at
}

test.each<[string[], number]>([
  [['down', 'j', 'up'], 1],
  [['k'], 0],
  [['end'], 49],
  [['end', 'down', 'home', 'down'], 1],
  [['pagedown'], 12],
  [['pagedown', ' ', 'pageup'], 12],
  [['x'], 0],
])('after %j the list is at %i', (keys, place) => {
  expect(placeOf(after(stateWith(runsPage), ...keys).state)).toBe(place)
})

const oneGroup = { ...runPage, list: { ...runPage.list, ids: [0], total: 1 } }
const plot = (words: string, group: string) => ({ do: 'action', run: 4, action: 'plot', words, group })

test.each<[string, State, string[], unknown]>([
  ['Enter opens the run that is chosen', stateWith(runsPage), ['down', 'enter'], { do: 'open run', run: 1 }],
  ['or the group', stateWith(runPage), ['down', 'enter'], { do: 'open group', run: 4, index: 1 }],
  ['q leaves the first screen', stateWith(runsPage), ['q'], { do: 'leave', code: 0 }],
  ['Escape does not', stateWith(runsPage), ['escape'], null],
  ['Ctrl-C leaves any screen', stateWith(runsPage, runPage), ['g', 'ctrl-c'], { do: 'leave', code: 130 }],
  ['Ctrl-Z stops', stateWith(runsPage), ['ctrl-z'], { do: 'stop' }],
  ['a letter does what its entry says', stateWith(runPage), ['a'], { do: 'entry', run: 4, key: 'a' }],
  ['a letter that does not apply does nothing', stateWith(runPage), ['x'], null],
  ['what destroys asks first', stateWith(runPage), ['g'], null],
  ['and does it after a yes', stateWith(runPage), ['g', 'y'], { do: 'entry', run: 4, key: 'g' }],
  ['but after nothing else', stateWith(runPage), ['g', 'enter'], null],
  [
    'an action asks for its arguments and a group',
    stateWith(runPage),
    [...'hx y', 'enter', '7', 'enter'],
    plot('x y', '7'),
  ],
  ['of a run of one group only for arguments', stateWith(oneGroup), ['h', 'enter'], plot('', '')],
  ['Escape takes that back', stateWith(runPage), ['h', 'x', 'escape'], null],
  ['/ asks for a filter', stateWith(runsPage), ['/'], { do: 'ask for filter', text: '' }],
  ['s asks for an order', stateWith(runPage), ['s'], { do: 'ask for filter', text: 'sort:' }],
  ['z resets no filter', stateWith(runsPage), ['z'], null],
  ['a letter opens a part of the group', stateWith(groupPage), ['m'], { do: 'open tab', tab: 'm' }],
  ['Tab opens the next one', stateWith(groupPage), ['tab'], { do: 'open tab', tab: 'b' }],
  ['Shift-Tab the one before', stateWith(groupPage), ['backtab'], { do: 'open tab', tab: 'w' }],
  ['v opens the pager', stateWith(groupPage), ['v'], { do: 'page tab' }],
])('%s', (_, state, keys, command) => {
  expect(after(state, ...keys).command).toEqual(command)
})

const filtered = { ...runsPage, list: { ...runsPage.list, line: 'status:failed sort:id' } }

test('a filter is changed, sorted otherwise, and reset', () => {
  expect(after(stateWith(filtered), '/').command).toEqual({ do: 'ask for filter', text: 'status:failed sort:id ' })
  expect(after(stateWith(filtered), 's').command).toEqual({ do: 'ask for filter', text: 'status:failed sort:' })
  expect(after(stateWith(filtered), 'z').command).toEqual({ do: 'filter', text: '' })
})

const known = {
  values: { status: ['failed', 'finished', 'lost'], tag: ['two words'] },
  parameters: ['--lr'],
  metrics: ['acc'],
  sortings: ['id'],
}

test.each<[string[], string]>([
  [[...'st', 'tab', 'tab'], 'status:failed'],
  [[...'status:fi', 'tab', ',', 'tab'], 'status:finished,failed'],
  [['down', 'down', 'tab'], '--lr:'],
  [['up', 'tab'], 'status:'],
  [[...'acc', 'tab', ...'0.9'], 'acc>0.9'],
  [[...'sort:-', 'tab'], 'sort:-id'],
  [[...'tag:', 'tab'], "tag:'two words'"],
  [[...'nothing', 'tab'], 'nothing'],
  [[...'a b', 'ctrl-w', 'backspace', 'é'], 'aé'],
  [[...'abc', 'ctrl-u', 'd', 'left', 'delete'], 'd'],
])('typing %j into the filter makes %s', (keys, text) => {
  const asked: State = { ...stateWith(runsPage), question: { kind: 'filter', text: '', known, at: 0 } }
  expect(after(asked, ...keys, 'enter').command).toEqual({ do: 'filter', text })
})

test('back leads to the page below, and ? shows keys until the next one', () => {
  const state = stateWith(runsPage, runPage, groupPage)
  expect(after(state, 'escape').state.pages).toEqual([runsPage, runPage])
  expect(after(state, 'left', 'q').state.pages).toEqual([runsPage])
  expect(after(state, '?').state.question).toEqual({ kind: 'keys' })
  expect(after(state, '?', 'q').state).toEqual(state)
})

test('a log is followed at its end, and stays where it is scrolled to', () => {
  const topOf = (...keys: string[]) => pageOf(after(stateWith(groupPage), ...keys).state)
  expect(topOf('home')).toMatchObject({ top: 0 })
  expect(topOf('home', 'down')).toMatchObject({ top: 1 })
  expect(topOf('home', 'end')).toMatchObject({ top: null })
  expect(topOf('up')).toMatchObject({ top: expect.any(Number) })
})

test('a notice goes with the next key', () => {
  expect(after({ ...stateWith(runsPage), notice: 'done' }, 'down').state.notice).toBe('')
})
