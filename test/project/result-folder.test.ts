import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claimResultFolder, refuseOthersFolder } from '../../src/project/result-folder.js'
import { folderWith } from './temporary.js'

/** The root of a project. */
function project(): string {
  return folderWith({ '.qanat/config.yaml': '' })
}

test('of two projects that found a result folder free, one gets it, whatever comes between', () => {
  const [first, second, results] = [project(), project(), folderWith()]
  for (const root of [first, second]) refuseOthersFolder(root, results)
  claimResultFolder(first, results)
  expect(() => claimResultFolder(second, results)).toThrow(`holds the runs of another project, ${first}`)
  claimResultFolder(first, results)
  expect(readdirSync(results)).toEqual(['.qanat_project'])
  expect(readFileSync(join(results, '.qanat_project'), 'utf8')).toBe(`${first}\n`)
})

test('a result folder of a project that is gone gets a new owner', () => {
  const [root, results] = [project(), folderWith({ '.qanat_project': '/gone\n' })]
  claimResultFolder(root, results)
  expect(readFileSync(join(results, '.qanat_project'), 'utf8')).toBe(`${root}\n`)
  expect(readdirSync(results)).toEqual(['.qanat_project'])
})
