import { describe, test } from 'vitest'
import { noBox } from '../clusters/project.js'
import { weekend } from './weekend.js'

/** Some minutes. */
const short = { groups: { slurm: 48, htcondor: 16 }, rounds: 1, outages: 1, pause: 3 }

describe.skipIf(noBox)('a short weekend', () => {
  test('what Qanat says is what the executions say, at the end and all the time', () => weekend(short))
})
