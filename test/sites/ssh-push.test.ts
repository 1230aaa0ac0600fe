import { randomFillSync } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { skips } from '../skips.js'
import { mega, withConnection } from './connected.js'
import { lacksSshd } from './sshd.js'

describe.skipIf(skips('another machine over SSH', lacksSshd()))('files that are sent over SSH', () => {
  const { folder, place, connect, cutting } = withConnection()

  /** A folder of this machine, and what sends files of it. */
  function source(name: string) {
    const { project, site } = place(name)
    const top = join(folder, name, 'source')
    const write = (path: string, content: string | Buffer) => {
      mkdirSync(dirname(join(top, path)), { recursive: true })
      writeFileSync(join(top, path), content)
    }
    const push = async (...paths: string[]) => {
      const files = paths.map(path => {
        const { size, mtimeMs } = statSync(join(top, path))
        return { path, size, time: Math.floor(mtimeMs / 1000) }
      })
      const { sent } = await site.push(join(project.here, 'data [1]'), { top, files, progress: () => {} })
      return sent.map(({ path }) => path).sort()
    }
    const there = join(project.there, 'data [1]')
    const isSame = (path: string) => readFileSync(join(there, path)).equals(readFileSync(join(top, path)))
    return { top, write, push, there, isSame }
  }

  test('are there alone, of any name, and only what has changed is sent again', async () => {
    const { top, write, push, there, isSame } = source('names')
    const names = ['d/-n', 'd/a\nb', "d/it's $HOME", 'd/*', 'd/x\\y', 'd/é', '@d', 'd/deep/er/[a]', 'd/.run/secrets']
    for (const name of names) write(name, name)
    symlinkSync('/etc/hostname', join(top, 'd/link'))
    expect(await push(...names, 'd/link')).toEqual([...names, 'd/link'].sort())
    expect([...names, 'd/link'].filter(name => !isSame(name))).toEqual([])
    expect(await push(...names, 'd/link')).toEqual([])
    const opened = readFileSync(join(there, 'd/é'), 'utf8')
    write('d/é', 'changed')
    rmSync(join(top, 'd/deep'), { recursive: true })
    write('d/deep', 'a file now')
    const left = [...names.filter(name => !/deep|link|-n/.test(name)), 'd/deep']
    expect(await push(...left)).toEqual(['d/deep', 'd/é'])
    expect([left.filter(name => !isSame(name)), opened]).toEqual([[], 'd/é'])
    expect(readdirSync(join(there, 'd')).sort()).toEqual(['*', '.run', 'a\nb', 'deep', "it's $HOME", 'x\\y', 'é'])
    expect(readdirSync(dirname(there))).toEqual(['.qanat', 'data [1]'])
  })

  test('a large one goes on where the connection was cut, and is compared at the end', async () => {
    const { write, push, there, isSame } = source('cut')
    write('large', randomFillSync(Buffer.alloc(60 * mega)))
    write('small', 'small')
    const head = cutting('head', `/usr/bin/head -c ${20 * mega}`)
    for (const _ of [1, 2]) {
      await expect(push('small', 'large')).rejects.toThrow(/connection/)
      await connect()
    }
    head.isWhole(true)
    expect(await push('small', 'large')).toEqual(['large'])
    expect(head.noted()).toEqual([60 * mega, 40 * mega, 20 * mega])
    expect(['small', 'large'].filter(name => !isSame(name))).toEqual([])
    // A part that is not the beginning of the file is sent again, and its part is not left there.
    write('large', randomFillSync(Buffer.alloc(60 * mega)))
    head.isWhole(false)
    await expect(push('small', 'large')).rejects.toThrow(/connection/)
    await connect()
    const parts = join(`${there}.part`, '.parts')
    for (const part of readdirSync(parts)) writeFileSync(join(parts, part), Buffer.alloc(20 * mega))
    head.isWhole(true)
    expect(await push('small', 'large')).toEqual(['large'])
    expect(head.noted().slice(3)).toEqual([60 * mega, 40 * mega, 60 * mega])
    expect([isSame('large'), readdirSync(there).sort()]).toEqual([true, ['large', 'small']])
    head.end()
  })
})
