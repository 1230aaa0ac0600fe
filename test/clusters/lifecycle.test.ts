import { beforeAll, describe } from 'vitest'
import { startBox } from './box.js'
import { lifecycle } from './lifecycle.js'
import { clusterProject, noBox } from './project.js'

/** A runner, and what its template says. */
type Case = readonly [runner: string, settings: string]

const each: Case[] = [
  ['slurm', ''],
  ['slurm', 'pack: 3'],
]
const here: Case = ['local', '']
const condor: Case[] = [
  ['htcondor', ''],
  ['htcondor', 'pack: 3'],
]

describe.skipIf(noBox).each([
  ['with', true, [...each, here]],
  ['without', false, [...each, ...condor]],
])('%s accounting', (_, accounting, runners) => {
  beforeAll(() => startBox({ accounting }))

  // The tests of one mostly wait, for its scheduler.
  describe.concurrent.each(runners)('%s %s', (runner, settings) => {
    describe.sequential('does with a run what every runner does:', () => lifecycle(runner, clusterProject, settings))
  })
})
