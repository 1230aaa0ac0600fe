import { describe, test } from 'vitest'
import { noBox } from '../clusters/project.js'
import { whole } from './forms.js'
import { weekend } from './weekend.js'

describe.skipIf(noBox)('a whole weekend', () => {
  test('what Qanat says is what the executions say, at the end and all the time', () => weekend(whole), 10_800_000)
})
