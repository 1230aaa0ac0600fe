import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { converse, newMark } from '../../src/sites/far/converse.js'
import { fetchScript } from '../../src/sites/far/scripts.js'
import type { FetchWish } from '../../src/sites/site.js'
import { closeConnection, isConnected, openConnection, overSsh } from '../../src/sites/ssh/connection.js'
import { type SshPlace, sshSite } from '../../src/sites/ssh/site.js'
import { identify } from '../../src/system/process-identity.js'
import { until } from '../e2e/project.js'
import { lacksMounts, skips } from '../skips.js'
import { lacksSshd, Sshd } from './sshd.js'

/** A wish for all files of a run. */
const everything: FetchWish = { folder: '', wants: () => true, progress: () => {} }

describe.skipIf(skips('another machine over SSH', lacksSshd()))('a site over SSH', () => {
  let sshd: Sshd
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'qanat-site-')))
  const [here, there] = [join(folder, 'here'), join(folder, 'there')]
  const place: SshPlace = {
    name: 'box',
    host: 'box',
    shell: [],
    login: 'qanat context login box',
    project: { here, there },
    pollInterval: 1,
    rules: null,
    storage: null,
    programs: ['sh'],
  }
  const site = sshSite(place)

  beforeAll(async () => {
    sshd = new Sshd()
    Object.assign(process.env, sshd.environment)
    for (const each of [here, join(there, '.qanat')]) mkdirSync(each, { recursive: true })
    await expect(site.probe()).rejects.toThrow('there is no connection to box')
    expect(await openConnection(place, false)).toBe(true)
  })
  afterAll(async () => {
    expect(await closeConnection(place)).toBe(true)
    expect(await isConnected(place)).toBe(false)
    sshd.end()
    rmSync(folder, { recursive: true, force: true })
  })

  test('facts', async () => {
    const facts = await site.probe(['sh', 'no-such-program'])
    expect(facts.machine).toEqual((({ pid, start, ...machine }) => machine)(identify(process.pid)!))
    expect(facts.user).toBe('root')
    expect([...facts.programs].filter(name => /^(sh|no-such-program)$/.test(name))).toEqual(['sh'])
    expect(facts.variables.HOME).toBe('/root')
  })

  test('files are written there and here, secrets only there', async () => {
    const run = { here: join(here, 'run 1'), there: join(there, 'run 1') }
    const open = await site.put(run, [
      { path: 'plan', text: ["it's $HOME `a`\\n\n", 'two\n'] },
      { path: '.run/job.sh', text: ['#!/bin/sh\n'], access: 'executable' },
      { path: '.run/secrets', text: ['no newline'], access: 'secret' },
      { path: 'empty', text: [] },
    ])
    expect(open).toEqual([])
    for (const each of [run.here, run.there]) {
      expect(readFileSync(join(each, 'plan'), 'utf8')).toBe("it's $HOME `a`\\n\ntwo\n")
      expect(statSync(join(each, '.run/job.sh')).mode & 0o100).toBe(0o100)
      expect(readFileSync(join(each, 'empty'), 'utf8')).toBe('')
    }
    expect(readFileSync(join(run.there, '.run/secrets'), 'utf8')).toBe('no newline')
    expect(statSync(join(run.there, '.run/secrets')).mode & 0o777).toBe(0o600)
    expect(existsSync(join(run.here, '.run/secrets'))).toBe(false)
    await site.mutate(run, [
      { make: 'a/b' },
      { move: 'plan', to: 'a/plan' },
      { empty: '.', into: 'kept', except: ['a', 'kept'] },
      { remove: 'missing' },
      { removeEmpty: 'a' },
    ])
    for (const each of [run.here, run.there]) {
      expect(existsSync(join(each, 'a/plan'))).toBe(true)
      expect(existsSync(join(each, 'kept/empty'))).toBe(true)
      expect(existsSync(join(each, 'kept/.run/job.sh'))).toBe(true)
    }
    await expect(site.mutate(run, [{ move: 'kept', to: 'a' }])).rejects.toMatchObject({ code: 'ENOTEMPTY' })
  })

  test('programs and processes are asked in one visit', async () => {
    const me = identify(process.pid)!
    const answers = await site.visit(
      [
        {
          key: 'a',
          command: ['sh', '-c', 'printf "x\\ny\\n"; echo "$1 $V" >&2; exit 3', 'sh', "it's"],
          options: { timeout: 5_000, environment: { set: { V: 'a\nb' } } },
        },
        { key: 'b', command: ['no-such-program'], options: { timeout: 5_000 } },
        { key: 'c', command: ['sleep', '9'], options: { timeout: 1_000 } },
        { key: 'me', process: me },
        { key: 'dead', process: { ...me, start: '1' } },
        { key: 'before', process: { ...me, bootId: 'another' } },
        { key: 'other', process: { ...me, bootId: 'another', host: 'other' } },
      ],
      [],
    )
    expect(answers.get('a')).toEqual({ stdout: 'x\ny', stderr: "it's a\nb", exitCode: 3, ending: 'exit' })
    expect(answers.get('b')).toMatchObject({ exitCode: null, ending: 'missing' })
    expect(answers.get('c')).toMatchObject({ exitCode: null, ending: 'timeout' })
    expect(['me', 'dead', 'before', 'other'].map(key => answers.get(key))).toEqual(['lives', 'dead', 'dead', 'unknown'])
  })

  test('what is new of a run comes here, also after an answer that was lost, and no secret ever does', async () => {
    const name = 'results [a]/run *'
    const run = { here: join(here, name), there: join(there, name) }
    await site.put(run, [
      { path: '.run/plan', text: ['plan\n'] },
      { path: '.run/secrets', text: ['TOKEN=1\n'], access: 'secret' },
      { path: '.run/launch_2/secrets', text: ['TOKEN=2\n'], access: 'secret' },
    ])
    const write = (path: string, text: string) => {
      mkdirSync(join(run.there, path, '..'), { recursive: true })
      writeFileSync(join(run.there, path), text)
    }
    const isHere = (...paths: string[]) => paths.map(path => existsSync(join(run.here, path)))
    write('secrets', 'of the script\n')
    write('large', 'x'.repeat(1_500_000))
    write('.run/attempts/1/large', 'x'.repeat(1_500_000))
    write('.run/records/slot_0', 'x'.repeat(1_500_000))
    await site.visit([], [run])
    expect(isHere('secrets', '.run/records/slot_0')).toEqual([true, true])
    expect(isHere('large', '.run/attempts/1/large', '.run/secrets', '.run/launch_2/secrets')).toEqual(
      Array(4).fill(false),
    )
    // Marks are a minute older than they would be, so that files count as new for a minute more: not here.
    const setNow = (mark: string) => {
      const time = (Date.now() + 20) / 1000
      utimesSync(join(run.there, `.run/fetched.${mark}`), time, time)
    }
    const last = readFileSync(join(run.here, '.run/fetched'), 'utf8')
    setNow(last)
    await until(() => Date.now() > statSync(join(run.there, `.run/fetched.${last}`)).mtimeMs + 20)
    write('late', 'late\n')
    writeFileSync(join(there, 'moved'), 'moved\n')
    utimesSync(join(there, 'moved'), 1, 1)
    renameSync(join(there, 'moved'), join(run.there, 'moved'))
    // As if the link broke before the answer came.
    const lost = newMark()
    await converse(overSsh(place), [fetchScript(there, [{ folder: name, mark: last }], lost, null)], 60_000)
    setNow(lost)
    await site.visit([], [run])
    expect(isHere('late', 'moved')).toEqual([true, true])
    // Now there is nothing new.
    setNow(readFileSync(join(run.here, '.run/fetched'), 'utf8'))
    await site.visit([], [run])
    await site.fetch(run, everything)
    expect(isHere('large', '.run/attempts/1/large', '.run/secrets', '.run/launch_2/secrets')).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  test.skipIf(skips('a full disk', lacksMounts()))('what has ended where the disk is full comes here', async () => {
    const project = { here: join(here, 'full'), there: join(folder, 'full') }
    mkdirSync(project.there)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', project.there])
    onTestFinished(() => void execFileSync('umount', [project.there]))
    for (const each of Object.values(project)) mkdirSync(join(each, '.qanat'), { recursive: true })
    const run = { here: join(project.here, 'run'), there: join(project.there, 'run') }
    const journal = '.run/records/slot_0'
    const full = sshSite({ ...place, project })
    await full.put(run, [{ path: journal, text: ['begun\n'] }])
    await full.visit([], [run])
    appendFileSync(join(run.there, journal), 'ended\n')
    execFileSync('sh', ['-c', 'cat /dev/zero >"$0" 2>/dev/null || true', join(project.there, 'fill')])
    await full.visit([], [run])
    expect(readFileSync(join(run.here, journal), 'utf8')).toBe('begun\nended\n')
    await expect(full.put(run, [{ path: 'x', text: ['x'.repeat(9000)] }])).rejects.toMatchObject({
      message: expect.stringContaining('No space left'),
      hint: expect.stringContaining('make room there'),
    })
  })

  test('a program is started in a session of its own, told, and left', async () => {
    writeFileSync(
      join(there, 'keeper.sh'),
      'IFS= read -r order; echo "ready $order"; sleep 0.2; echo went >"$1"; sleep 30\n',
    )
    const started = await site.start(['sh', join(there, 'keeper.sh'), join(there, 'said')])
    started.tell('go on\n')
    expect(await started.answer).toEqual({ text: 'ready go on\n' })
    started.leave()
    await started.end
    await expect.poll(() => existsSync(join(there, 'said'))).toBe(true)
    expect(identify(started.identity!.pid)).toEqual(started.identity)
    process.kill(started.identity!.pid)
  })
})
