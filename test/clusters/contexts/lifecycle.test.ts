import { describe } from 'vitest'
import { lifecycle } from '../lifecycle.js'
import { noBox } from '../project.js'
import { contextProject, withLaptop } from './laptop.js'

describe.skipIf(noBox)('from a laptop', () => {
  const laptop = withLaptop()

  describe.each(['slurm', 'local'])('%s', runner => {
    lifecycle(runner, (script, templates, name) => contextProject(laptop(), script, templates, name))
  })
})
