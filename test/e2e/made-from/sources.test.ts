import { expect, test } from 'vitest'
import { breaches, type Entity } from '../../domain/crate/profile.js'
import { shellProject, until } from '../project.js'

test('a crate has the files of the data and all facts of the environment', async () => {
  const folder = await shellProject()
  folder.write('data/a.csv', 'a\n')
  folder.write('.gitignore', `${folder.read('.gitignore')}data/\n`)
  folder.write('points.yaml', 'name: points\npath: data\n')
  folder.write('it.yaml', `${folder.read('it.yaml')}datasets: [points]\n`)
  folder.commit()
  for (const words of ['dataset new -f points.yaml', 'experiment update it -f it.yaml', 'run it true'])
    expect(await folder.qanat(...words.split(' '))).toMatchObject({ code: 0 })
  await until(async () => (await folder.qanat('env', 'show', '1')).code === 0)
  expect(await folder.qanat('export', '--crate', '1', '-o', 'crate')).toMatchObject({ code: 0, stderr: '' })
  const metadata = folder.read('crate/ro-crate-metadata.json')
  const graph = JSON.parse(metadata)['@graph'] as Entity[]
  const files = graph.filter(each => each['@type'] === 'File').map(each => decodeURIComponent(each['@id']))
  expect(breaches(metadata, files)).toEqual([])
  expect(folder.read('crate/data/points.jsonl')).toContain('["a.csv",2,')
  const [environment] = files.filter(name => name.startsWith('environments/'))
  expect(folder.read(`crate/${environment}`)).toMatch(/^system\t/m)
  expect(graph.find(each => each['@id'] === '#dataset-points')).toMatchObject({
    identifier: expect.stringMatching(/^stat:[0-9a-f]{64}$/),
  })
})
