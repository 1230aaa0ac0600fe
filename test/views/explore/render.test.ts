import { Chalk } from 'chalk'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { frameOf } from '../../../src/views/explore/frame.js'
import { reduce } from '../../../src/views/explore/reduce.js'
import { linesOf, visibleIds } from '../../../src/views/explore/render.js'
import type { Page, Question, State } from '../../../src/views/explore/state.js'
import { plainStyle, type Style } from '../../../src/views/format/style.js'
import { testAny } from '../../cases.js'
import { endedRun } from '../sample-run.js'
import { groupPage, runPage, runsPage, stateWith } from './sample-state.js'

const fancyStyle: Style = { colour: new Chalk({ level: 1 }), symbol: symbol => `${symbol} `, columns: 80 }
const large = { columns: 80, rows: 20 }
const small = { columns: 40, rows: 10 }
const keysOfRun: State = { ...stateWith(runPage), question: { kind: 'keys' } }

test.each([
  ['the page of runs', stateWith(runsPage), large],
  ['the page of a run', stateWith(runPage), large],
  ['the page of a run on a small screen', stateWith(runPage), small],
  ['the page of a group on a small screen', stateWith(groupPage), small],
  ['the keys of a run', keysOfRun, { columns: 80, rows: 16 }],
])('a screen shows %s as far as there is room', (_, state, size) => {
  expect(`\n${linesOf(state, size, plainStyle).join('\n')}\n`).toMatchSnapshot()
})

const known = { values: { tag: ['紙'.repeat(60)] }, parameters: ['--lr'], metrics: [], sortings: ['id'] }
const questions: readonly (Question | null)[] = [
  ...[null, { kind: 'keys' } as const],
  { kind: 'sure', text: 'Delete 日本?'.repeat(9), yes: { do: 'stop' } },
  { kind: 'filter', text: 'tag:', known, at: 3 },
  { kind: 'action', text: '日本'.repeat(40), run: 4, action: 'plot', groups: 3, words: null },
]
const keys = fc.oneof(
  fc.constantFrom(...['up', 'down', 'pageup', 'pagedown', 'home', 'end', 'enter', 'escape', 'left', 'tab', 'backtab']),
  fc.constantFrom(...['q', '?', '/', 's', 'z', 'g', 'h', 'y', 'v', 'a', 'm', 'backspace', 'ctrl-u', 'ctrl-w', '日']),
)
const anySize = fc.record({ columns: fc.integer({ min: 1, max: 220 }), rows: fc.integer({ min: 1, max: 70 }) })

test('whatever is typed in a terminal of any size, every line fits', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<Page[]>(runsPage, runPage, groupPage),
      fc.constantFrom(...questions),
      fc.array(keys, { maxLength: 15 }),
      anySize,
      fc.constantFrom(plainStyle, fancyStyle),
      fc.constantFrom('', 'Error: 日本 went wrong\n  type something else'.repeat(3)),
      (page, question, typed, size, style, problem) => {
        let state: State = { ...stateWith(runsPage, page), question, problem }
        for (const key of typed) {
          state = reduce(state, key, size).state
          const lines = linesOf(state, size, style)
          expect(lines).toHaveLength(size.rows)
          for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(size.columns)
        }
      },
    ),
  )
})

testAny([fc.nat(49), fc.integer({ min: 2, max: 60 })])(
  'the row that is chosen can be seen wherever it is',
  (at, height) => {
    expect(visibleIds({ ...runsPage.list, at }, height)).toContain(at)
  },
)

test('texts of others cannot act on the terminal', () => {
  const lines = linesOf(stateWith(runsPage), { columns: 80, rows: 24 }, fancyStyle)
  expect(lines.join('\n')).toContain('\\x1b[31mred')
  expect(lines.join('\n')).not.toContain('\x1b[31mred')
})

test('colours do not change what is where', () => {
  const plain = linesOf(stateWith(runPage), large, { ...plainStyle, symbol: fancyStyle.symbol })
  const fancy = linesOf(stateWith(runPage), large, fancyStyle)
  const bare = fancy.map(line => line.replace(/\x1b\[\d+m/g, '').trimEnd())
  expect(bare).toEqual(plain.map(line => line.replace(/^> /, '❯ ').trimEnd()))
})

test('on a small screen groups have room before facts and names', () => {
  const { height, head } = frameOf(stateWith(runPage), small)
  expect(height).toBeGreaterThan(2)
  expect(head).toContain('[a]  [b]  [c]  [d]  [e]  [g]  [h]  [w]')
})

test('runs are listed with their parameters, and with the names of the columns that have no room', () => {
  const parameters = [{ name: '--seed', values: ['0', '1'], count: 2, isEverywhere: true }]
  const rows = new Map([0, 1].map(id => [id, { ...endedRun, id, parameters }]))
  const page = { ...runsPage, list: { ...runsPage.list, ids: [0, 1], rows } }
  const at = (columns: number, rows: number) => linesOf(stateWith(page), { columns, rows }, plainStyle)
  expect(at(220, 24).join('\n')).toMatch(
    /Progress +Parameters +Commit +Runner.*\n> 0 .* --seed 0,1 +0123456\+c0de +slurm/,
  )
  expect(at(220, 24).join('\n')).not.toContain('Not shown')
  expect(at(80, 24)[5]).toBe('  Not shown: Runner, Launched, Description')
  const full = at(80, 5)
  expect(full[2]).toContain('> 0')
  expect(full[3]).toContain('  1')
  expect(full[4]).toContain('q: leave')
})
