import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lacks, skips } from '../../skips.js'
import { Folder, program, projectWith, shellProject } from '../project.js'

/** `qanat COMMAND` in a process of its own, which starts from the cache. */
const start = (folder: Folder, words = 'config --help') => folder.shell(`qanat ${words}`)
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

  test('is what a command has called, whatever its experiments are called, and not what led to its failure', async () => {
    const folder = await shellProject()
    folder.environment.XDG_CACHE_HOME = new Folder().path
    const cache = `${folder.environment.XDG_CACHE_HOME}/qanat`
    const kept = (words: string) => {
      const before = readdirSync(cache)
      return start(folder, words).then(() => readdirSync(cache).filter(name => !before.includes(name)))
    }
    mkdirSync(cache)
    expect(await kept('experiment status other')).toEqual([])
    expect(await kept('-q experiment status it')).toEqual([
      expect.stringMatching(/^lists-experiment-status-/),
      expect.stringMatching(/^qanat-experiment-status-/),
    ])
    expect(await kept('run it true')).toEqual([
      expect.stringMatching(/^commands-run-/),
      expect.stringMatching(/^lists-run-/),
      expect.stringMatching(/^qanat-run-/),
    ])
    expect(await kept('run it false')).toEqual([])
    expect(await kept('status')).toHaveLength(2)
    expect(await kept('--version')).toEqual([expect.stringMatching(/^qanat-version-/)])
    expect(await kept('completion complete -- run i')).toEqual([expect.stringMatching(/^qanat-completion-complete-/)])
  })

  test('loses what no start has read for a month, and nothing else', async () => {
    const { folder, cache } = await cached()
    const kept = readdirSync(cache)
    const monthAgo = Date.now() / 1000 - 31 * 24 * 3600
    const made = (name: string, time: number) => {
      writeFileSync(join(cache, name), '')
      utimesSync(join(cache, name), time, time)
    }
    made('qanat-run-0123456789abcdef-v20.0.0-x64.bin', monthAgo)
    made('qanat-run-0123456789abcdef-v20.0.0-x64.bin.4711', monthAgo)
    made('qanat-run-0123456789abcdef-v20.0.1-x64.bin', Date.now() / 1000)
    made('notes.txt', monthAgo)
    expect(await start(folder)).toMatchObject(works)
    expect(readdirSync(cache)).toHaveLength(kept.length + 4)
    expect((await start(folder, '--version')).code).toBe(0)
    const others = readdirSync(cache).filter(name => !kept.includes(name))
    expect(others).toEqual([
      'notes.txt',
      'qanat-run-0123456789abcdef-v20.0.1-x64.bin',
      expect.stringMatching(/^qanat-version-/),
    ])
  })

  const damages: Record<string, (file: string, size: number) => void> = {
    'with four bytes changed in the middle': (file, size) => overwrite(file, size >> 1),
    'with four bytes changed at the end': (file, size) => overwrite(file, size - 4),
    'with four bytes changed at the beginning': file => overwrite(file, 0),
    'that is cut short': (file, size) => truncateSync(file, size >> 1),
    'that ends in zeros': (file, size) => {
      truncateSync(file, size >> 1)
      truncateSync(file, size)
    },
    'that is empty': file => truncateSync(file, 0),
    'that is some bytes': file => writeFileSync(file, 'some bytes'),
  }
  const parts = ['qanat', 'lists', 'commands']
  const cases = Object.entries(damages).flatMap(([name, damage]) => parts.map(part => ({ part, name, damage })))
  test.each(cases)('$name is not used, and made again: $part', async ({ part, damage }) => {
    const { folder, cache } = await cached()
    const file = join(cache, readdirSync(cache).find(name => name.startsWith(part))!)
    damage(file, readFileSync(file).length)
    const damaged = readFileSync(file)
    expect(await start(folder)).toMatchObject(works)
    expect(readFileSync(file).equals(damaged)).toBe(false)
    expect(await start(folder)).toMatchObject(works)
  })
})

test('what draws plots is in the cache after the first plot, and is made again if it is damaged', async () => {
  const script = `while [ "$1" != --storage_path ]; do shift; done; echo '{"acc": 1}' >"$2/metrics.json"`
  const folder = await projectWith(script, 'sh')
  folder.environment.XDG_CACHE_HOME = join(folder.path, '.cache')
  await folder.qanat('run', 'it', '-R', '--lr 0 2 1')
  const plot = () => folder.shell('qanat plot it -o acc.svg')
  const draws = { code: 0, stderr: '', stdout: expect.stringContaining('acc.svg') }
  expect(await plot()).toMatchObject(draws)
  const name = folder.list('.cache/qanat').find(each => each.startsWith('plots-'))!
  const file = join(folder.path, '.cache/qanat', name)
  overwrite(file, readFileSync(file).length >> 1)
  const damaged = readFileSync(file)
  expect(await plot()).toMatchObject(draws)
  const again = readFileSync(file)
  expect(again.equals(damaged)).toBe(false)
  expect(await plot()).toMatchObject(draws)
  expect(readFileSync(file).equals(again)).toBe(true)
})

describe('commands work without a cache', () => {
  test('if there is a file, a folder or a relative path in its place, and leave nothing there', async () => {
    const folder = new Folder()
    folder.write('file', '')
    for (const place of ['file', '/proc', '/dev/null', 'relative']) {
      folder.environment.XDG_CACHE_HOME = place === 'file' ? join(folder.path, place) : place
      expect(await start(folder)).toMatchObject(works)
    }
    mkdirSync(join(folder.path, 'cache'))
    folder.environment.XDG_CACHE_HOME = join(folder.path, 'cache')
    folder.write('cache/qanat', '')
    expect(await start(folder)).toMatchObject(works)
    expect(folder.list('.')).toEqual(['cache', 'file'])
  })

  test.each(['unset HOME', 'HOME=', 'HOME=relative', 'HOME=/dev/null'])('with %s', async home => {
    const folder = new Folder()
    delete folder.environment.XDG_CACHE_HOME
    expect(await folder.shell(`${home}; export HOME; qanat config --help`)).toMatchObject(works)
    expect(folder.list('.')).toEqual([])
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
