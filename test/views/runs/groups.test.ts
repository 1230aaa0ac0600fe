import { expect, test } from 'vitest'
import { groupTable } from '../../../src/views/runs/groups.js'
import { plain } from '../render/columns.js'
import { endedRun, failedGroup } from '../sample-run.js'

const started = endedRun.started!
const running = { state: 'running', started, host: 'node17', jobId: null } as const

const held = { state: 'held', reason: 'quota' } as const

test.each([
  [
    'says why it failed',
    {},
    /^1 +failed +exit 3 +.* 00:01:30 +1 K of 2 G +00:01:29 +node17 +77_1 +--lr 0.1 'two words' +r/,
  ],
  ['that runs has lasted until now', { status: running }, /^1 +running +\S+ \S+ +12.0 s +node17 +--lr/],
  ['that is held says why', { status: held }, /^1 +held +quota +--lr/],
  ['has one line, whatever is in a parameter', { parameters: { pos_0: 'a\nb' } }, /^1 .* 'a⏎b' +results\S+$/],
  ['of a later attempt has its number', { attempt: 2 }, /^1 +failed +exit 3 +2 +/],
])('a group %s', (_, facts, line) => {
  expect(groupTable(plain, [{ ...failedGroup, ...facts }], started + 12_000).split('\n')[1]).toMatch(line)
})

test.each([
  ['', 'Started Duration Memory CPU time Host Job', [failedGroup]],
  ['', 'Started Duration Host', [{ ...failedGroup, status: running }]],
  ['Attempt ', 'Started Duration Memory CPU time Host Job', [{ ...failedGroup, attempt: 2 }, failedGroup]],
])(
  'columns for attempts, jobs and what was used are there if they contain something: %s%s',
  (attempt, others, groups) => {
    const headings = groupTable(plain, groups, started).split('\n')[0]!.split(/ {2,}/).join(' ')
    expect(headings).toBe(`Group Status Cause ${attempt}${others} Parameters Path`)
  },
)
