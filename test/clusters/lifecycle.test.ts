import { beforeAll, describe } from 'vitest'
import { startBox } from './box.js'
import { lifecycle } from './lifecycle.js'
import { clusterProject, noBox } from './project.js'

describe.skipIf(noBox).each(['local', 'htcondor'])('%s', runner => {
  beforeAll(() => startBox({}))
  lifecycle(runner, clusterProject)
})
