import { randomFillSync } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeConnection, openConnection } from '../../src/sites/ssh/connection.js'
import { sshSite } from '../../src/sites/ssh/site.js'
import { skips } from '../skips.js'
import { lacksSshd, Sshd } from './sshd.js'

const mega = 1024 * 1024

describe.skipIf(skips('another machine over SSH', lacksSshd()))('files that are sent over SSH', () => {
  let sshd: Sshd
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'qanat-push-')))
  const host = { host: 'box', shell: [], login: 'qanat context login box' }

  beforeAll(async () => {
    sshd = new Sshd()
    Object.assign(process.env, sshd.environment)
    expect(await openConnection(host, false)).toBe(true)
  })
  afterAll(async () => {
    await closeConnection(host)
    sshd.end()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A folder of this machine, and what sends files of it. */
  function source(name: string) {
    const project = { here: join(folder, name, 'here'), there: join(folder, name, 'there') }
    for (const each of [project.here, project.there]) mkdirSync(each, { recursive: true })
    const site = sshSite({
      name: 'box',
      pollInterval: 1,
      programs: ['sh'],
      rules: null,
      storage: null,
      ...host,
      project,
    })
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
    expect(readdirSync(dirname(there))).toEqual(['data [1]'])
  })

  test('a large one goes on where the connection was cut, and is compared at the end', async () => {
    const { write, push, there, isSame } = source('cut')
    write('large', randomFillSync(Buffer.alloc(60 * mega)))
    write('small', 'small')
    // `head` takes 20 MB, and then its connection is gone.
    const tools = join(folder, 'tools')
    mkdirSync(tools)
    writeFileSync(
      join(tools, 'head'),
      `#!/bin/sh
echo "$2" >>'${folder}/asked'
[ -e '${folder}/whole' ] && exec /usr/bin/head "$@"
/usr/bin/head -c ${20 * mega}
pid=$$
until case $(cat "/proc/$pid/comm") in sshd*) ;; *) false ;; esac; do pid=$(cut -d ' ' -f 4 "/proc/$pid/stat"); done
kill -KILL "$pid"
`,
    )
    chmodSync(join(tools, 'head'), 0o755)
    sshd.says(`PATH=${tools}:$PATH`)
    const asked = () => readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n').map(Number)
    for (const _ of [1, 2]) {
      await expect(push('small', 'large')).rejects.toThrow(/connection/)
      expect(await openConnection(host, false)).toBe(true)
    }
    writeFileSync(join(folder, 'whole'), '')
    expect(await push('small', 'large')).toEqual(['large'])
    expect(asked()).toEqual([60 * mega, 40 * mega, 20 * mega])
    expect(['small', 'large'].filter(name => !isSame(name))).toEqual([])
    // A part that is not the beginning of the file is sent again, and its part is not left there.
    write('large', randomFillSync(Buffer.alloc(60 * mega)))
    rmSync(join(folder, 'whole'))
    await expect(push('small', 'large')).rejects.toThrow(/connection/)
    expect(await openConnection(host, false)).toBe(true)
    const parts = join(`${there}.part`, '.parts')
    for (const part of readdirSync(parts)) writeFileSync(join(parts, part), Buffer.alloc(20 * mega))
    writeFileSync(join(folder, 'whole'), '')
    expect(await push('small', 'large')).toEqual(['large'])
    expect(asked().slice(3)).toEqual([60 * mega, 40 * mega, 60 * mega])
    expect([isSame('large'), readdirSync(there).sort()]).toEqual([true, ['large', 'small']])
    sshd.says('')
  })
})
