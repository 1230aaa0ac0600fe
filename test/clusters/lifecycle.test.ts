import { beforeAll, describe } from 'vitest'
import { startBox } from './box.js'
import { lifecycle } from './lifecycle.js'
import { clusterProject, noBox } from './project.js'

describe.skipIf(noBox).each([
  ['with', true, ['slurm', 'local']],
  ['without', false, ['slurm', 'htcondor']],
])('%s accounting', (_, accounting, runners) => {
  beforeAll(() => startBox({ accounting }))

  // The tests of one mostly wait, for its scheduler.
  describe.concurrent.each(runners)('%s', runner => {
    describe.sequential('does with a run what every runner does:', () => lifecycle(runner, clusterProject))
  })
})
