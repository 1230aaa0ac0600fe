import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lacks, skips } from '../../skips.js'
import { Folder, program, shellProject } from '../project.js'

/** A command in a process of its own, which starts from the cache. */
const start = (folder: Folder) => folder.shell('qanat config --help')
const works = { code: 0, stderr: '', stdout: expect.stringContaining('config') }

/** A folder whose cache holds the compiled program. @returns also the folder of the cache */
async function cached(): Promise<{ folder: Folder; cache: string }> {
  const folder = new Folder()
  const cache = join(folder.path, 'cache')
  folder.environment.XDG_CACHE_HOME = cache
  expect(await start(folder)).toMatchObject(works)
  return { folder, cache: `${cache}/qanat` }
}

describe('the compiled program in the cache', () => {
  test('is used if it is intact', async () => {
    const { folder, cache } = await cached()
    const files = readdirSync(cache)
    expect(files.map(name => name.replace(/-.*/, ''))).toEqual(['commands', 'lists', 'qanat'])
    const before = files.map(name => statSync(join(cache, name)).ino)
    expect(await start(folder)).toMatchObject(works)
    expect(readdirSync(cache).map(name => statSync(join(cache, name)).ino)).toEqual(before)
  })

  const damages: [name: string, damage: (file: string, size: number) => void][] = [
    ['with four bytes changed in the middle', (file, size) => overwrite(file, size >> 1)],
    ['that is cut short', (file, size) => truncateSync(file, size >> 1)],
    ['that is some bytes', file => writeFileSync(file, 'some bytes')],
  ]
  test.each(damages)('%s is not used, and made again', async (_, damage) => {
    const { folder, cache } = await cached()
    for (const name of readdirSync(cache)) {
      const file = join(cache, name)
      damage(file, readFileSync(file).length)
      const damaged = readFileSync(file)
      expect(await start(folder)).toMatchObject(works)
      expect(readFileSync(file).equals(damaged)).toBe(false)
    }
    expect(await start(folder)).toMatchObject(works)
  })
})

const noOtherUser = process.getuid!() === 0 ? lacks('setpriv') : 'only root can become a user that nobody knows'
test.skipIf(skips('a user without a home', noOtherUser))('an unknown user without a home can work', async () => {
  const folder = await shellProject()
  execFileSync('chown', ['-R', '54321', folder.path])
  const git = 'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0="*"'
  const as = `env -u HOME ${git} setpriv --reuid=54321 --regid=54321 --clear-groups "${process.execPath}" "${program}"`
  for (const cache of ['unset XDG_CACHE_HOME', 'export XDG_CACHE_HOME=/dev/null']) {
    const outcome = await folder.shell(`${cache}; ${as} run it 'echo $HOME'; ${as} runs`)
    expect(outcome).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\/$.*1 finished/ms) })
  }
})

function overwrite(file: string, at: number): void {
  const bytes = readFileSync(file)
  // Each byte is turned into another one, whatever it was.
  for (let place = at; place < at + 4; place++) bytes[place] = bytes[place]! ^ 0xff
  writeFileSync(file, bytes)
}
