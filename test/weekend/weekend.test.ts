import { describe, test } from 'vitest'
import { noBox } from '../clusters/project.js'
import { weekend } from './weekend.js'

/** About an hour. */
const whole = { groups: { slurm: 2000, htcondor: 500 }, rounds: 25, outages: 3, pause: 8 }

describe.skipIf(noBox)('a whole weekend', () => {
  test('what Qanat says is what the executions say, at the end and all the time', () => weekend(whole), 10_800_000)
})
