import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changedDefinitions } from '../../../src/operations/registry/changed-definitions.js'
import { followDefinitions } from '../../../src/operations/registry/follow-definitions.js'
import { projectAt } from '../../../src/project/find-project.js'
import { folderWith } from '../../project/temporary.js'
import { addRun, newStore } from '../../store/stores.js'

/** A project with that many experiments, each in a file of its own that another one names, and its index. */
async function projectWithExperiments(count: number) {
  const names = Array.from({ length: count }, (_, at) => `e${at}`)
  const root = folderWith(
    Object.fromEntries(
      names.flatMap(name => [
        [`.qanat/definitions/experiment/${name}.yaml`, `file: code/${name}.yaml\n`],
        [`code/${name}.yaml`, `name: ${name}\nexecutable: it.sh\n`],
      ]),
    ),
  )
  const before = new Date(Date.now() - 60_000)
  for (const name of names) utimesSync(join(root, `code/${name}.yaml`), before, before)
  const registry = { project: projectAt(root, []), store: newStore().store, warn: () => {} }
  return { root, registry, names }
}

test('of 2,000 experiments none is read again until its file changes', async () => {
  const { root, registry, names } = await projectWithExperiments(2000)
  await followDefinitions(registry)
  expect(registry.store.experiments.names()).toEqual(names.toSorted())
  // What was written just before it was read is read once more.
  await new Promise(resolve => setTimeout(resolve, 200))
  await followDefinitions(registry)
  expect(changedDefinitions(registry)).toEqual([])
  writeFileSync(join(root, 'code/e7.yaml'), 'name: e7\nexecutable: it.py\n')
  expect(changedDefinitions(registry)).toEqual([{ kind: 'experiment', name: 'e7', isGone: false }])
  await followDefinitions(registry)
  expect(registry.store.experiments.find('e7')?.executable).toBe('it.py')
})

test('a file that changes twice within a tick of the clock, to the same size, is read again', async () => {
  const { root, registry } = await projectWithExperiments(1)
  for (const executable of ['one.sh', 'two.sh']) {
    writeFileSync(join(root, 'code/e0.yaml'), `name: e0\nexecutable: ${executable}\n`)
    await followDefinitions(registry)
    expect(registry.store.experiments.find('e0')?.executable).toBe(executable)
  }
  expect(changedDefinitions(registry)).toHaveLength(1)
})

test('runs follow a name whose new file is read while the former one is still there, as git may leave them for a moment', async () => {
  const { root, registry } = await projectWithExperiments(1)
  await followDefinitions(registry)
  const { store } = registry
  addRun(store, 1, { experiment: 'e0' })
  const [former, later] = ['e0', 'later'].map(name => join(root, `.qanat/definitions/experiment/${name}.yaml`))
  writeFileSync(join(root, 'code/e0.yaml'), 'name: later\nexecutable: it.sh\nwas: [e0]\n')
  writeFileSync(later!, 'file: code/e0.yaml\n')
  await followDefinitions(registry)
  expect(store.runs.find(1)?.experiment).toBe('e0')
  rmSync(former!)
  await followDefinitions(registry)
  expect([store.experiments.names(), store.runs.find(1)?.experiment]).toEqual([['later'], 'later'])
})

test('a former name can be added to what is known already', async () => {
  const root = folderWith({
    '.qanat/definitions/dataset/one.yaml': 'name: one\npath: data\n',
    '.qanat/definitions/dataset/two.yaml': 'name: two\npath: data\n',
  })
  const registry = { project: projectAt(root, []), store: newStore().store, warn: () => {} }
  await followDefinitions(registry)
  rmSync(join(root, '.qanat/definitions/dataset/one.yaml'))
  writeFileSync(join(root, '.qanat/definitions/dataset/two.yaml'), 'name: two\npath: data\nwas: [one]\n')
  await followDefinitions(registry)
  expect(registry.store.datasets.names()).toEqual(['two'])
  expect(registry.store.datasets.find('two')?.was).toEqual(['one'])
})
