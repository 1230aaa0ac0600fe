import { beforeAll, describe, test } from 'vitest'
import { sharedFolder, startBox } from './box.js'
import { worksAsInTheTree } from './like-tree.js'
import { ClusterProject, noBox } from './project.js'

describe.skipIf(noBox)('what works in the tree works in frozen copies', () => {
  beforeAll(() => startBox())

  test.concurrent.each([
    ['slurm', '.'],
    ['htcondor', 'sub'],
  ])('on %s, the project being %s in its repository', async (runner, path) => {
    const make = (place: string) => new ClusterProject(sharedFolder(place))
    await worksAsInTheTree(make, path, ['--runner', runner])
  })
})
