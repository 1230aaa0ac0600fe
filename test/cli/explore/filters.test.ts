import { expect, test } from 'vitest'
import { type FilterName, filterOf } from '../../../src/cli/explore/filters.js'
import type { ParameterGrid } from '../../../src/domain/parameters/grid.js'
import type { ListedRun } from '../../../src/domain/results/best.js'

const run = {
  tags: ['beta', 'a,b'],
  status: 'failed',
  runner: 'slurm',
  commit: 'c0ffee',
  description: 'seeds, first try',
} as unknown as ListedRun
const grid: ParameterGrid = { fixed: { args: ['--lr', '0.1', '--layers', '1,2'] }, groups: [], axes: [] }

test.each<[FilterName, string, boolean]>([
  ['tag', 'alpha,beta', true],
  ['tag', 'alpha , beta', true],
  ['tag', 'alpha,gamma', false],
  ['tag', 'a,b', true],
  ['status', 'lost, failed', true],
  ['runner', 'local,slurm', true],
  ['runner', 'local,htcondor', false],
  ['commit', 'abc,c0f', true],
  ['parameters', '--lr:0.2,--lr:0.1', true],
  ['parameters', '0.2,0.3', false],
  ['parameters', '--layers:1,2', true],
  ['description', 'seeds, first', true],
  ['description', 'seeds,last', false],
  ['tag', ',', false],
])('the filter %s %s: %s', (name, text, keeps) => {
  expect(filterOf(name, text).keeps(run, () => grid)).toBe(keeps)
})
