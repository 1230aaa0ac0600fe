import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { claimResultFolder, refuseOthersFolder, resultFolderAt } from '../../src/project/result-folder.js'
import { cases } from '../cases.js'
import { folderWith } from './temporary.js'

/** The root of a project. */
function project(): string {
  return folderWith({ '.qanat/config.yaml': '' })
}

test('a variable in it has to be set, also one whose name every object of JavaScript has', () => {
  expect(() => resultFolderAt(project(), '$constructor/results')).toThrow(
    'result_dir is $constructor/results, and the environment variable constructor is not set here',
  )
})

test.each([
  ['$HOME/iris', join(homedir(), 'iris')],
  ['${HOME}', homedir()],
  ['~/runs/', join(homedir(), 'runs')],
  ['../out', '/some/out'],
])('%s is %s', (text, path) => {
  expect(resultFolderAt('/some/project', text)).toBe(path)
})

test('of two projects that found a result folder free, one gets it, whatever comes between', () => {
  const [first, second, results] = [project(), project(), folderWith()]
  for (const root of [first, second]) refuseOthersFolder(root, results)
  claimResultFolder(first, results)
  expect(() => claimResultFolder(second, results)).toThrow(`holds the runs of another project, ${first}`)
  claimResultFolder(first, results)
  expect(readdirSync(results)).toEqual(['.qanat_project'])
  expect(readFileSync(join(results, '.qanat_project'), 'utf8')).toBe(`${first}\n`)
})

test('of two projects that claim a result folder at the same moment, one gets it', async () => {
  const [first, second, place] = [project(), project(), folderWith()]
  const outfile = join(place, 'claim.cjs')
  const entryPoints = [join(import.meta.dirname, '../../src/project/result-folder.ts')]
  await build({ entryPoints, bundle: true, platform: 'node', format: 'cjs', outfile, logLevel: 'error' })
  const folders = Array.from({ length: cases(500) }, (_, at) => join(place, String(at)))
  for (const folder of folders) mkdirSync(folder)
  // Each thread claims one folder after the other, at the same moment as the other thread.
  const claiming = `
    const { parentPort, workerData: { outfile, root, folders, arrived } } = require('node:worker_threads')
    const { claimResultFolder } = require(outfile)
    for (const [at, folder] of folders.entries()) {
      Atomics.add(arrived, at, 1)
      while (Atomics.load(arrived, at) < 2);
      try { claimResultFolder(root, folder) } catch { parentPort.postMessage(at) }
    }`
  const arrived = new Int32Array(new SharedArrayBuffer(folders.length * 4))
  const refused = async (root: string) => {
    const worker = new Worker(claiming, { eval: true, workerData: { outfile, root, folders, arrived } })
    const at: number[] = []
    worker.on('message', each => at.push(each))
    await once(worker, 'exit')
    return at
  }
  const [ofFirst, ofSecond] = await Promise.all([refused(first), refused(second)])
  expect([...ofFirst, ...ofSecond].toSorted((a, b) => a - b)).toEqual([...folders.keys()])
  for (const [at, folder] of folders.entries())
    expect(readFileSync(join(folder, '.qanat_project'), 'utf8')).toBe(`${ofFirst.includes(at) ? second : first}\n`)
})

test('a result folder of a project that is gone gets a new owner', () => {
  const [root, results] = [project(), folderWith({ '.qanat_project': '/gone\n' })]
  claimResultFolder(root, results)
  expect(readFileSync(join(results, '.qanat_project'), 'utf8')).toBe(`${root}\n`)
  expect(readdirSync(results)).toEqual(['.qanat_project'])
})
