import { describe } from 'vitest'
import { lifecycle } from '../lifecycle.js'
import { image, noCluster, podProject, withDesk } from './project.js'

describe.skipIf(noCluster)('on Kubernetes', () => {
  const desk = withDesk()

  lifecycle('kubernetes', (script, templates, name) => podProject(desk(), script, templates, name), image)
})
