import { beforeAll, describe, expect, test } from 'vitest'
import { cases } from '../cases.js'
import { argumentVectors, prints, runGroups } from '../faults/arguments.js'
import { tell } from '../faults/seed.js'
import { startBox } from './box.js'
import { clusterProject, noBox } from './project.js'

const groupsOfARun = 250

describe.skipIf(noBox).each(['slurm', 'htcondor'])('%s', runner => {
  beforeAll(() => startBox({ condorCpus: 16 }))

  test('argument vectors reach a script byte for byte, and are recorded so', async () => {
    const vectors = argumentVectors(cases(500))
    const project = await clusterProject(prints, `${runner}:\n  default: {}\n`)
    const place = {
      root: project.folder,
      qanat: (...args: string[]) => project.qanat(...args),
      write: (path: string, text: string) => project.write(path, text),
    }
    for (let start = 0; start < vectors.length; start += groupsOfARun) {
      await runGroups(place, ['--runner', runner, '--wait'], vectors.slice(start, start + groupsOfARun))
    }
    expect(project.read('pwned')).toBe('')
    tell(vectors.length, `argument vectors through ${runner}: all byte for byte`)
  })
})
