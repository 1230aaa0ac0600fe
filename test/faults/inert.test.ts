import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { faultPoints } from '../../src/system/fault-point.js'
import { projectIn, runMortal, settled, tellsTheTruth } from './killed/crash.js'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Every match in the files of a folder. */
function found(folder: string, pattern: RegExp): string[] {
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter(name => name.endsWith('.ts'))
  return files.flatMap(name => [...readFileSync(join(folder, name), 'utf8').matchAll(pattern)].map(match => match[1]!))
}

test('every fault point is at one place of the program, and a test kills there', () => {
  expect(found(here('../../src'), /faultPoint\('([\w-]+)'\)/g).sort()).toEqual([...faultPoints].sort())
  const tried = new Set(found(here('.'), /['`/\s]([\w-]+)(?::\d+)?(?=['`\s])/g))
  expect(faultPoints.filter(name => !tried.has(name))).toEqual([])
})

test('the program with fault points dies at none without the variable, or with another name in it', async () => {
  const folder = await projectIn('works')
  for (const value of [undefined, '', '/nowhere/of-no-moment', '/nowhere/run-stored:99']) {
    expect((await runMortal(folder, value, 'run', 'it', '-R', '--n 0 2 1')).code).toBe(0)
  }
  tellsTheTruth(folder, await settled(folder))
  expect(existsSync('/nowhere')).toBe(false)
})
