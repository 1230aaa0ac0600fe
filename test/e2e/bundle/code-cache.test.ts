import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lacks, skips } from '../../skips.js'
import { Folder, program, projectWith, shellProject } from '../project.js'

/** `qanat COMMAND` in a process of its own, which starts from the cache. */
const start = (folder: Folder, words = 'config --help') => folder.shell(`qanat ${words}`)
const works = { code: 0, stderr: '', stdout: expect.stringContaining('config') }

/** A folder whose cache holds the compiled program. @returns also the file of the cache */
async function cached(): Promise<{ folder: Folder; file: string }> {
  const folder = new Folder()
  const cache = join(folder.path, 'cache')
  folder.environment.XDG_CACHE_HOME = cache
  expect(await start(folder)).toMatchObject(works)
  const [name = ''] = readdirSync(`${cache}/qanat`)
  return { folder, file: `${cache}/qanat/${name}` }
}

describe('the compiled program in the cache', () => {
  test('is used if it is intact', async () => {
    const { folder, file } = await cached()
    const before = readFileSync(file)
    chmodSync(file, 0o444)
    expect(await start(folder)).toMatchObject(works)
    expect(readFileSync(file)).toEqual(before)
    expect(folder.list('cache/qanat')).toHaveLength(1)
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
  test.each(Object.entries(damages))('%s is not used, and made again', async (_, damage) => {
    const { folder, file } = await cached()
    damage(file, readFileSync(file).length)
    const damaged = readFileSync(file)
    expect(await start(folder, '--version')).toMatchObject({ code: 0, stderr: '' })
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
  const [name = '', ...others] = folder.list('.cache/qanat')
  expect([name, ...others]).toEqual([expect.stringMatching(/^plots-/), expect.stringMatching(/^qanat-/)])
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
  bytes.fill(0xff, at, at + 4)
  writeFileSync(file, bytes)
}
