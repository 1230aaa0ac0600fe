import { beforeAll, describe } from 'vitest'
import { startBox } from './box.js'
import { lifecycle } from './lifecycle.js'
import { clusterProject, noBox } from './project.js'

describe.skipIf(noBox).each([
  ['local', false],
  ['htcondor', false],
  ['slurm', false],
  ['slurm', true],
])('%s, with accounting: %s', (runner, accounting) => {
  beforeAll(() => startBox({ accounting }))
  lifecycle(runner, clusterProject)
})
