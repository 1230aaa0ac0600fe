import { expect, test } from 'vitest'
import type { ParameterGrid } from '../../src/domain/parameters/grid.js'
import type { GroupResult } from '../../src/domain/results/compare.js'
import { placeGroups } from '../../src/operations/results/compare/compare-grid.js'
import { endedRun } from '../views/sample-run.js'

test('a command runs what is missing of a grid of very many groups', () => {
  const parameters: ParameterGrid = {
    ...{ fixed: { args: [] }, groups: [] },
    axes: [{ option: '--seed', start: '0', step: '1', count: 200_000 }],
  }
  const groups = Array.from({ length: 199_999 }, (_, index): GroupResult => {
    const ended = { state: 'finished', cause: null, started: 1, seconds: 1, metrics: {} } as const
    return { run: 4, index, parameters: { '--seed': `${index}` }, ...ended }
  })
  const { notRun, command } = placeGroups(
    'iris',
    { file: 'grid.yaml', parameters },
    { runs: [{ ...endedRun, id: 4 }], groups },
  )
  expect([notRun, command]).toEqual([1, expect.stringContaining("-g '--seed 199999' iris")])
})
