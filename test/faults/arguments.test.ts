import { expect, test } from 'vitest'
import { cases } from '../cases.js'
import { outcomeOf } from '../e2e/program.js'
import { type Folder, projectWith } from '../e2e/project.js'
import { argumentVectors, type Place, prints, runAlone, runGroups } from './arguments.js'
import { tell } from './seed.js'

const alone = cases(50)
const groupsOfARun = 195

test('argument vectors reach a local script byte for byte, and are recorded so', async () => {
  const vectors = argumentVectors(cases(2000))
  const folder = await projectWith(prints)
  const place = placeOf(folder)
  for (const vector of vectors.slice(0, alone)) await runAlone(place, [], vector)
  for (let start = alone; start < vectors.length; start += groupsOfARun) {
    await runGroups(place, ['--n_threads', '2'], vectors.slice(start, start + groupsOfARun))
  }
  expect(folder.has('pwned')).toBe(false)
  tell(vectors.length, 'argument vectors through local: all byte for byte')
})

function placeOf(folder: Folder): Place {
  return {
    root: folder.path,
    // Each in a process of its own, which gets its words as from a shell.
    qanat: (...args) => outcomeOf(folder.start(args)),
    write: (path, text) => folder.write(path, text),
  }
}
