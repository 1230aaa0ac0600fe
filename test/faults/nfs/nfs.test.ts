import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, statfsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectError } from '../../e2e/expectations.js'
import { awaits, type Folder, groups, open, shellProject, until } from '../../e2e/project.js'
import { programsIn } from '../../runners/run-folder.js'
import { Worker } from '../../runners/worker.js'
import { skips } from '../../skips.js'

/** What statfs(2) of Linux calls NFS. */
const isNfs = process.platform === 'linux' && statfsSync(tmpdir()).type === 0x69_69
const noNfs = skips('projects on NFS', isNfs ? null : `${tmpdir()} is none; 'npm run test:nfs' makes one, where it can`)

/** Files of the database, which needs no others than these on NFS. */
function databaseFiles(project: Folder): string[] {
  return project.list('.qanat').filter(name => name.startsWith('database'))
}

async function runIds(project: Folder): Promise<number[]> {
  const { runs } = await project.json('experiment', 'status', 'it', '--json')
  return runs.map(({ id }: { id: number }) => id).sort()
}

/** A process that keeps the database to itself, as a program in the middle of a transaction does. */
async function holder(project: Folder): Promise<ChildProcess> {
  const driver = createRequire(import.meta.url).resolve('better-sqlite3')
  const code = `
    const database = new (require(process.argv[1]))(process.argv[2])
    database.exec("BEGIN EXCLUSIVE; UPDATE experiments SET name = 'other'")
    console.log('held')
    process.stdin.resume()`
  const child = spawn(process.execPath, ['-e', code, driver, `${project.path}/.qanat/database.db`])
  await once(child.stdout, 'data')
  return child
}

describe.skipIf(noNfs)('a project on NFS', () => {
  test('runs several groups, and shows their state while they run', async () => {
    const project = await shellProject()
    const code = (name: string) => `echo ${name}; ${awaits('end')}`
    await project.qanat('run', '--detach', '--n_threads', '2', 'it', ...groups(code('a'), code('b'), 'echo c'))
    await project.when(1, ({ groups }) => groups.running === 2)
    expect(await project.show()).toMatchObject({ status: 'running', groups: { running: 2, pending: 1 } })
    open(project, 'end')
    expect((await project.qanat('run_wait', 'it', '1')).code).toBe(0)
    expect(await project.show()).toMatchObject({ status: 'finished', groups: { finished: 3 } })
    const outputs = [0, 1, 2].map(index => project.read(`results/it/run_1/group_${index}/stdout.txt`))
    expect(outputs).toEqual(['a\n', 'b\n', 'c\n'])
    expect(databaseFiles(project)).toEqual(['database.db'])
  })

  test('says that the server has not kept the output of a command, which is known when the file is closed', async () => {
    const project = await shellProject()
    expect((await project.shell('qanat --help >whole')).code).toBe(0)
    // on-nfs runs the server in the same Linux as the client.
    const served = '/run/export'
    const { blocks, bfree, bsize } = statfsSync(served)
    execFileSync('mount', ['-o', `remount,size=${(blocks - bfree) * bsize}`, served])
    const full = await project.shell('qanat --help >part')
    execFileSync('mount', ['-o', 'remount,size=50%', served])
    expect(full).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Error: the output could not be written: ENOSPC.*\n$/),
    })
    expect(project.read('part').length).toBeLessThan(project.read('whole').length)
    expect((await project.shell('qanat --help >again')).code).toBe(0)
    expect(project.read('again')).toBe(project.read('whole'))
  })

  test('gives four programs that launch at once a run each, and loses none', async () => {
    const project = await shellProject()
    const launched = await Promise.all(
      ['a', 'b', 'c', 'd'].map(name => project.json('run', '--json', 'it', ...groups(`echo ${name}`, 'true'))),
    )
    expect(launched.map(({ id, status }) => [id, status]).sort()).toEqual([1, 2, 3, 4].map(id => [id, 'finished']))
    expect(await runIds(project)).toEqual([1, 2, 3, 4])
    const outputs = launched.map(({ storage_path: path }) => project.read(`${path}/group_0/stdout.txt`))
    expect(outputs).toEqual(['a\n', 'b\n', 'c\n', 'd\n'])
    expect(databaseFiles(project)).toEqual(['database.db'])
  })

  const made = ['.qanat/cache', ...['', '/.run/plan', '/group_0'].map(path => `results/it/run_1${path}`)]

  test.each(made)('continues after kill -9 of a launch that has made %s', async path => {
    const project = await shellProject()
    const command = project.start(['run', 'it', ...groups('true', 'true')])
    await until(() => project.has(path) || command.exitCode !== null)
    command.kill('SIGKILL')
    await until(() => command.signalCode !== null || command.exitCode !== null)
    const left = await runIds(project)
    const { id, status } = await project.json('run', '--json', 'it', ...groups('true', 'true'))
    expect([status, await runIds(project)]).toEqual(['finished', [...left, id]])
    expect(databaseFiles(project)).toEqual(['database.db'])
  })

  test('makes other programs wait while one writes, and rolls back what a killed one has not finished', async () => {
    const project = await shellProject()
    const other = await holder(project)
    expectError(await project.qanat('experiment', 'list'), 1, 'is in use by another command')
    other.kill('SIGKILL')
    await until(() => other.signalCode)
    expect((await project.qanat('experiment', 'list')).stdout).toMatch(/^1 +it\b/m)
  })
})

/**
 * A shell of another machine, as far as NFS knows: it has a mount of its own, in the same place. That is one of version 3, since one
 * Linux is one client of version 4, to which the server tells nothing of what itself has changed.
 */
function shellElsewhere(): string {
  const mount = 'mount -t nfs -o vers=3,nosharecache 127.0.0.1:/run/export /run/nfs && exec sh "$@"'
  return join(programsIn({ sh: `exec unshare --mount sh -c '${mount}' sh "$@"` }), 'sh')
}

describe.skipIf(noNfs)('two machines with the same folder', () => {
  test('run no group twice in two pools of one run', async () => {
    // Each group is noted on the disk of both, which is no NFS.
    const folder = mkdtempSync('/run/ran-')
    const script = `mkdir "${folder}/$1" || exit 9; sleep 0.0$(($1 % 4))`
    const one = new Worker('sh', {
      script,
      groups: Array.from({ length: 24 }, (_, index) => [String(index)]),
      slots: 2,
    })
    const other = new Worker(shellElsewhere(), one.plan)
    expect(await Promise.all([one.runAll(), other.runAll()])).toEqual([0, 0])
    expect(one.ends().map(end => end?.code)).toEqual(Array(24).fill(0))
    expect(one.workers()).toHaveLength(4)
  })
})
