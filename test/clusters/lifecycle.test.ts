import { beforeAll, describe } from 'vitest'
import { startBox } from './box.js'
import { lifecycle } from './lifecycle.js'
import { clusterProject, noBox } from './project.js'

const packed = 'pack: 3'

describe.skipIf(noBox).each([
  [
    'with',
    true,
    [
      ['slurm', ''],
      ['slurm', packed],
      ['local', ''],
    ],
  ],
  [
    'without',
    false,
    [
      ['slurm', ''],
      ['slurm', packed],
      ['htcondor', ''],
      ['htcondor', packed],
    ],
  ],
] as const)('%s accounting', (_, accounting, runners) => {
  beforeAll(() => startBox({ accounting }))

  // The tests of one mostly wait, for its scheduler.
  describe.concurrent.each(runners)('%s %s', (runner, settings) => {
    describe.sequential('does with a run what every runner does:', () => lifecycle(runner, clusterProject, settings))
  })
})
