import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { findBuilder } from '../../src/code/image/provide.js'
import { imageSources, writeFiles } from '../../src/code/image/sources.js'
import { inspectTree } from '../../src/code/tree-state.js'
import { takeWorkingPatch } from '../../src/code/working-patch.js'
import { folderWith } from '../project/temporary.js'
import { Repository } from './repository.js'

const base = { base: 'python:3.12', requirements: 'env/pip.txt' }
const copying = { dockerfile: 'image/Dockerfile' }
const plain = { dockerfile: 'Dockerfile' }
const whole = { dockerfile: 'whole.Dockerfile' }
const files = {
  'it.sh': 'true\n',
  'env/pip.txt': 'numpy\n',
  'image/Dockerfile': 'FROM a\nCOPY . /data\n',
  'image/data/x': 'é☃\n',
  Dockerfile: 'FROM a\n',
  'whole.Dockerfile': 'FROM a\nCOPY it.sh /\n',
  '.gitattributes': '* export-ignore\n',
}

afterEach(() => void vi.unstubAllEnvs())

type From = typeof base | typeof copying

/** What an image is made of, in the code of a commit, or in the tree as it is. */
async function sourcesIn(root: string, from: From, isDirty = false) {
  const state = await inspectTree(root)
  const tree = isDirty ? (await takeWorkingPatch(state)).tree : null
  const sources = await imageSources(state, { commit: state.head, tree }, { repository: 'r.org/lab/it', from })
  const folder = folderWith()
  const place = join(folder, 'files')
  mkdirSync(place)
  await writeFiles(state, sources.files, join(folder, 'index'), place)
  return { ...sources, place, names: readdirSync(place).sort() }
}

test.each(['', 'project/'])(
  'the files of an image are those of the commit, in a project in the folder "%s"',
  async prefix => {
    const inFolder = Object.fromEntries(Object.entries(files).map(([path, text]) => [`${prefix}${path}`, text]))
    const repository = new Repository({ ...inFolder, 'beside.txt': '' })
    const root = join(repository.folder, prefix)
    const of = (from: From, isDirty = false) => sourcesIn(root, from, isDirty)
    const [packages, copied, alone, all] = await Promise.all([of(base), of(copying), of(plain), of(whole)])
    expect([packages.names, copied.names, alone.names]).toEqual([['requirements.txt'], ['Dockerfile', 'data'], []])
    expect(all.names).toEqual(expect.arrayContaining(['.gitattributes', 'Dockerfile', 'env', 'image', 'it.sh']))
    expect(readFileSync(join(packages.place, 'requirements.txt'), 'utf8')).toBe('numpy\n')
    expect(readFileSync(join(copied.place, 'data/x'), 'utf8')).toBe('é☃\n')
    expect(copied.dockerfile).toBe(files['image/Dockerfile'])
    repository.write(`${prefix}env/pip.txt`, 'scipy\n')
    repository.write(`${prefix}image/data/y`, '')
    const images = async (isDirty: boolean) =>
      (await Promise.all([base, copying, plain].map(from => of(from, isDirty)))).map(({ image }) => image)
    const committed = [packages, copied, alone].map(({ image }) => image)
    expect(await images(false)).toEqual(committed)
    const dirty = await images(true)
    expect(dirty.map((image, at) => image === committed[at])).toEqual([false, false, true])
    expect((await of(copying, true)).names).toEqual(['Dockerfile', 'data'])
    repository.commit()
    expect(await images(false)).toEqual(dirty)
  },
)

test.each([
  [{ ...base, requirements: 'none.txt' }, 'none.txt is no file of commit'],
  [{ ...base, requirements: 'env' }, 'env is no file of commit'],
  [{ dockerfile: '../../Dockerfile' }, '../../Dockerfile is no file of commit'],
])('%j cannot be found', async (from, message) => {
  await expect(sourcesIn(new Repository(files).folder, from)).rejects.toThrow(message)
})

test('the builder is the first of three that is there; without any, the error names all', () => {
  const folder = folderWith()
  vi.stubEnv('PATH', folder)
  expect(() => findBuilder()).toThrow('none of buildah, podman, docker is in the PATH')
  for (const name of ['docker', 'podman', 'buildah'] as const) {
    writeFileSync(join(folder, name), '')
    chmodSync(join(folder, name), 0o755)
    expect(findBuilder()).toBe(name)
  }
})
