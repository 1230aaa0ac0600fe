import { expect, test } from 'vitest'
import { folderWords } from '../../../src/operations/actions/targets.js'

const action = { name: 'plot', description: '', executable: 'plot.sh', executableCommand: 'sh' }

test('folders that do not fit into a command line are an error that names the manifest, which has no such limit', () => {
  const folders = Array.from(
    { length: 3000 },
    (_, at) => `/scratch/ada/projects/iris/results/summary/run_${at}/group_0`,
  )
  const few = folderWords({ ...action, runs: 'several' }, folders.slice(0, 1000), '')
  expect(few).toHaveLength(2000)
  expect(() => folderWords({ ...action, runs: 'several' }, folders, '')).toThrow(/3000 runs or groups do not fit/)
  expect(folderWords({ ...action, runs: 'manifest' }, folders, '/tmp/m.json')).toEqual(['--manifest', '/tmp/m.json'])
})
