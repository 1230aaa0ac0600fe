import { expect, test } from 'vitest'
import type { Run } from '../../src/domain/runs/run.js'
import type { ExperimentComparison } from '../../src/operations/results/compare/compare-experiment.js'
import { headline } from '../../src/views/results/comparison-remarks.js'
import { endedRun } from './sample-run.js'

const [one, other] = ['1'.repeat(40), '2'.repeat(40)]
const clean = { commit: one, dirty: false }
const changed = { commit: one, dirty: true }
const unknown = { codeUsed: null }
const moving = { ...clean, id: 7, codeChanged: true, frozen: null }

test.each<[string, Partial<Run>[], string | undefined]>([
  ['one commit', [clean, clean], 'commit 1111111'],
  ['one commit with the same changes', [changed, changed], 'commit 1111111 with uncommitted changes'],
  ['one commit, in one run with changes that do not count,', [changed, clean], 'commit 1111111'],
  ['two commits with the same code', [clean, { commit: other }], 'commits 1111111 and 2222222 with the same code'],
  ['two commits with other code', [clean, { commit: other, codeUsed: 'a'.repeat(64) }], undefined],
  [
    'runs whose hash nobody knows',
    [
      { ...clean, ...unknown },
      { commit: other, ...unknown },
    ],
    undefined,
  ],
  ['a run whose code changed while it ran', [moving], 'commit 1111111, but the code changed while run 7 ran'],
])('the headline of a comparison of %s says so', (_, runs, expected) => {
  const compared = { runs: runs.map(facts => ({ ...endedRun, ...facts })), groups: 2, varying: [] }
  const shown = {
    cells: [],
    columns: new Set<string>(),
    constants: {},
    unmeasured: 0,
    groups: 0,
    runs: new Set<number>(),
  }
  expect(headline(compared as unknown as ExperimentComparison, shown)[1]).toBe(expected)
})
