import { describe, test } from 'vitest'
import { noBox } from '../clusters/project.js'
import { short } from './forms.js'
import { weekend } from './weekend.js'

describe.skipIf(noBox)('a short weekend', () => {
  test('what Qanat says is what the executions say, at the end and all the time', () => weekend(short))
})
