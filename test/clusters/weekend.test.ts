import { describe, test } from 'vitest'
import { short } from '../weekend/forms.js'
import { weekend } from '../weekend/weekend.js'
import { noBox } from './project.js'

describe.skipIf(noBox)('a short weekend', () => {
  test('what Qanat says is what the executions say, at the end and all the time', () => weekend(short))
})
