import { beforeAll, describe } from 'vitest'
import { startBox } from './box.js'
import { lifecycle } from './lifecycle.js'
import { clusterProject, noBox } from './project.js'

describe.skipIf(noBox).each([
  { name: 'with accounting', accounting: true },
  { name: 'without accounting', accounting: false },
])('slurm $name', ({ accounting }) => {
  beforeAll(() => startBox({ accounting }))
  lifecycle('slurm', clusterProject)
})
