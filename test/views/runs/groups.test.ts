import { expect, test } from 'vitest'
import { groupTable } from '../../../src/views/runs/groups.js'
import { plain } from '../render/columns.js'
import { endedRun, failedGroup } from '../sample-run.js'

const started = endedRun.started!
const running = { state: 'running', started, host: 'node17', jobId: null } as const

test.each([
  [
    'a failed one says why',
    failedGroup,
    /^1 +failed +exit 3 +.* 00:01:30 +1 K of 2 G +00:01:29 +node17 +77_1 +--lr 0.1 'two words' +results/,
  ],
  [
    'a running one has lasted until now',
    { ...failedGroup, status: running },
    /^1 +running +\S+ \S+ +12.0 s +node17 +--lr/,
  ],
  [
    'a held one says why',
    { ...failedGroup, status: { state: 'held', reason: 'quota' } as const },
    /^1 +held +quota +--lr/,
  ],
  [
    'a newline in a parameter is no new line',
    { ...failedGroup, parameters: { pos_0: 'a\nb' } },
    /^1 .* 'a⏎b' +results\S+$/,
  ],
  ['a later attempt is numbered', { ...failedGroup, attempt: 2 }, /^1 +failed +exit 3 +2 +/],
])('of groups, %s', (_, group, line) => {
  expect(groupTable(plain, [group], started + 12_000).split('\n')[1]).toMatch(line)
})

test.each([
  [[failedGroup], 'Group Status Cause Started Duration Memory CPU time Host Job Parameters Path'],
  [[{ ...failedGroup, status: running }], 'Group Status Cause Started Duration Host Parameters Path'],
  [
    [{ ...failedGroup, attempt: 2 }, failedGroup],
    'Group Status Cause Attempt Started Duration Memory CPU time Host Job Parameters Path',
  ],
])(
  'the list of groups has columns for attempts, jobs and what was used only if they contain something',
  (groups, headings) => {
    expect(groupTable(plain, groups, started).split('\n')[0]!.split(/ {2,}/).join(' ')).toBe(headings)
  },
)
