import { randomFillSync } from 'node:crypto'
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FetchRules } from '../../src/domain/data/fetch-rules.js'
import type { Place } from '../../src/domain/runs/run-plan.js'
import { skips } from '../skips.js'
import { mega, withConnection } from './connected.js'
import { lacksSshd } from './sshd.js'

describe.skipIf(skips('another machine over SSH', lacksSshd()))('files of a run over SSH', () => {
  const { place: placeOf, connect, cutting } = withConnection()

  /** A run, and the site where it lives. */
  function run(name: string, rules: FetchRules | null = null) {
    const { project, site } = placeOf(name, rules)
    const place = { here: join(project.here, 'results/run *'), there: join(project.there, 'results/run *') }
    const write = (path: string, content: string | Buffer) => {
      mkdirSync(dirname(join(place.there, path)), { recursive: true })
      writeFileSync(join(place.there, path), content)
    }
    const fetch = async (wants: (path: string) => boolean = () => true, group = '') => {
      const wish = { folder: group, wants: ({ path }: { path: string }) => wants(path), progress: () => {} }
      const { came, stayed, outside } = await site.fetch(place, wish)
      const paths = (files: readonly { path: string }[]) => files.map(({ path }) => path).sort()
      return { came: paths(came), stayed: paths(stayed), outside: [...outside].sort() }
    }
    return { site, place, write, fetch, isHere: (path: string) => existsSync(join(place.here, path)) }
  }

  test('of any name come once, and what is not wanted stays', async () => {
    const { write, fetch, place } = run('names')
    const names = ['-n', 'a\nb', "it's $HOME", '*', 'x\\y', 'é', 'group_1/deep/er/[a]']
    for (const name of names) write(name, name)
    write('.run/secrets', 'TOKEN')
    write('.run/launch_1/secrets', 'TOKEN')
    linkSync(join(place.there, '*'), join(place.there, 'hard'))
    const isDeep = (path: string) => path.startsWith('group_1')
    expect(await fetch(path => !isDeep(path))).toEqual({
      came: [...names, 'hard'].filter(name => !isDeep(name)).sort(),
      stayed: ['group_1/deep/er/[a]'],
      outside: [],
    })
    for (const name of names.filter(name => !isDeep(name)))
      expect(readFileSync(join(place.here, name), 'utf8')).toBe(name)
    expect(await fetch(() => true, 'group_1')).toMatchObject({ came: ['group_1/deep/er/[a]'], stayed: [] })
    write('é', 'changed')
    expect(await fetch()).toEqual({ came: ['é'], stayed: [], outside: [] })
    expect(await fetch()).toEqual({ came: [], stayed: [], outside: [] })
    expect(existsSync(join(place.here, '.run/secrets'))).toBe(false)
    expect(existsSync(join(place.here, '.run/fetching'))).toBe(false)
  })

  test('are behind links that stay in the folder of the run; others are not followed', async () => {
    const { write, fetch, place, isHere } = run('links')
    write('group_0/best.ckpt', 'best')
    const links: Record<string, string> = {
      'last.ckpt': 'group_0/best.ckpt',
      'group_0/up': '../last.ckpt',
      absolute: join(place.there, 'group_0'),
      out: '../../other',
      'group_0/out': '../../x',
      passwords: '/etc/passwd',
      behind: 'group_0/../../x',
    }
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(place.there, path))
    const { came, outside } = await fetch()
    expect(outside).toEqual(['behind', 'group_0/out', 'out', 'passwords'])
    expect(came).toEqual(['absolute', 'group_0/best.ckpt', 'group_0/up', 'last.ckpt'])
    expect(readlinkSync(join(place.here, 'absolute'))).toBe('group_0')
    expect(readFileSync(join(place.here, 'group_0/up'), 'utf8')).toBe('best')
    expect(['out', 'passwords', 'behind'].filter(isHere)).toEqual([])
    expect((await fetch()).came).toEqual([])
  })

  test('a large file goes on where the connection was cut, and is compared at the end', async () => {
    const { write, fetch, place, isHere } = run('cut')
    const content = randomFillSync(Buffer.alloc(60 * mega))
    write('large', content)
    write('small', 'small')
    const tail = cutting('tail', `/usr/bin/tail "$@" | head -c ${20 * mega}`)
    for (const _ of [1, 2]) {
      await expect(fetch()).rejects.toThrow(/connection/)
      expect([isHere('small'), isHere('large')]).toEqual([true, false])
      await connect()
    }
    tail.isWhole(true)
    expect((await fetch()).came).toEqual(['large'])
    const offsets = tail.noted()
    expect(offsets).toHaveLength(3)
    // What was on its way when the connection was cut is at most a window of SSH.
    expect(offsets[1]).toBeGreaterThan(16 * mega)
    expect(offsets[2]! - offsets[1]!).toBeGreaterThan(16 * mega)
    const isSame = () => readFileSync(join(place.here, 'large')).equals(content)
    expect(isSame()).toBe(true)
    // A part that is not the beginning of the file, or is that of another version, is of no use.
    for (const spoil of [spoilPart, changeTime]) {
      rmSync(join(place.here, 'large'))
      tail.isWhole(false)
      await expect(fetch()).rejects.toThrow(/connection/)
      await connect()
      spoil(place)
      tail.isWhole(true)
      expect((await fetch()).came).toEqual(['large'])
      expect([tail.noted().at(-1), isSame()]).toEqual([1, true])
    }
    tail.end()
  })

  test('come with a visit if the rules of the context want them, and what lists read always does', async () => {
    const rules = { include: ['*.svg', 'plots/**'], exclude: ['draft*'], maxFile: mega }
    const { site, place, write, isHere } = run('rules', rules)
    const wanted = [
      'a.svg',
      'group_7/b.svg',
      'group_7/plots/x/y',
      'group_7/metrics.json',
      'stdout.txt',
      '.run/records/0',
      'n\n.svg',
    ]
    const unwanted = ['a.png', 'group_7/draft.svg', 'group_7/other/plots/z', '.run/attempts/1/z']
    for (const path of [...wanted, ...unwanted]) write(path, path)
    write('large.svg', 'x'.repeat(2 * mega))
    for (const name of ['0.svg', '1.svg', '2.svg']) write(name, Buffer.alloc(mega - 512))
    await site.visit([], [place])
    expect([...wanted, '2.svg'].filter(path => !isHere(path))).toEqual([])
    expect([...unwanted, 'large.svg'].filter(isHere)).toEqual([])
  })
})

function spoilPart({ here }: Place): void {
  const parts = join(here, '.run/fetching')
  for (const name of readdirSync(parts)) if (name !== 'archive') writeAt(join(parts, name), 0, '?')
}

function writeAt(file: string, position: number, text: string): void {
  const opened = openSync(file, 'r+')
  writeSync(opened, text, position)
  closeSync(opened)
}

function changeTime({ there }: Place): void {
  utimesSync(join(there, 'large'), 1_700_000_000, 1_700_000_000)
}
