import { afterAll, beforeAll, describe } from 'vitest'
import { startBox } from '../box.js'
import { lifecycle } from '../lifecycle.js'
import { noBox } from '../project.js'
import { contextProject, Laptop } from './laptop.js'

describe.skipIf(noBox)('from a laptop', () => {
  let laptop: Laptop
  beforeAll(() => {
    startBox()
    laptop = new Laptop()
  })
  afterAll(() => laptop.end())

  describe.each(['slurm', 'local'])('%s', runner => {
    lifecycle(runner, (script, templates, name) => contextProject(laptop, script, templates, name))
  })
})
