import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { lacksMounts, skips } from '../../skips.js'
import { expectError, paths } from '../expectations.js'
import { kill } from '../processes.js'
import { type Folder, projectWith } from '../project.js'

/** Puts the results on a disk of 64 kB. */
function mountResults(folder: Folder): void {
  const results = join(folder.path, 'results')
  mkdirSync(results)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', results])
  onTestFinished(() => {
    for (const pid of supervisorsIn(folder)) kill(pid)
    execFileSync('umount', ['--lazy', results])
  })
}

/** Those that a failing test may leave. */
function supervisorsIn(folder: Folder): number[] {
  const files = paths(folder).filter(path => path.endsWith('.run/supervisor.json'))
  return files.map(path => Number(JSON.parse(folder.read(path)).pid))
}

/** Fills a disk of 64 kB up to so many pages. */
function leave(folder: Folder, pages: number): void {
  writeFileSync(join(folder.path, 'results/fill'), Buffer.alloc((16 - pages) * 4096))
}

/** Runs `qanat ARGS`, which has to come to an end by itself. */
async function ends(folder: Folder, ...args: string[]) {
  const child = folder.start(args)
  const limit = setTimeout(() => child.kill('SIGKILL'), 60_000)
  let stdout = ''
  let stderr = ''
  child.stdout!.on('data', chunk => (stdout += chunk))
  child.stderr!.on('data', chunk => (stderr += chunk))
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  clearTimeout(limit)
  return { stdout, stderr, code }
}

describe.skipIf(skips('a launch onto a full disk', lacksMounts()))('a launch onto a full disk', () => {
  test.each([0, 3, 4])('with %s pages left is one error, and leaves nothing', async pages => {
    const folder = await projectWith('true')
    mountResults(folder)
    leave(folder, pages)
    expectError(await ends(folder, 'run', 'it'), 1, 'no space is left', `${folder.path}/results/it/run_1`)
    expect(folder.list('results/it')).toEqual([])
    expect(folder.git('for-each-ref', 'refs/qanat')).toBe('')
    expect(await folder.json('status', '--json')).toMatchObject({ runs: {} })
  })

  test.each([5, 6, 8])('with %s pages left ends by itself and tells the truth', async pages => {
    const folder = await projectWith('echo done')
    mountResults(folder)
    leave(folder, pages)
    const { stdout, stderr, code } = await ends(folder, 'run', 'it')
    if (code === 0) {
      expect([stdout, folder.read('results/it/run_1/stdout.txt')]).toEqual([
        expect.stringContaining('finished'),
        'done\n',
      ])
    } else expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(/no space is left|failed|lost/)])
    for (const args of [['status'], ['experiment', 'status', 'it']]) {
      expect([args, (await ends(folder, ...args)).code]).toEqual([args, 0])
    }
  })

  test('whose space is used up in the meantime can be repeated once there is space', async () => {
    const folder = await projectWith('echo "$QANAT_RUN_ID" >"$QANAT_PROJECT/results/$QANAT_RUN_ID"')
    mountResults(folder)
    leave(folder, 0)
    expect((await ends(folder, 'run', 'it')).code).toBe(1)
    leave(folder, 16)
    const { id, status } = await folder.json('run', '--json', 'it')
    expect([status, folder.read(`results/${id}`)]).toEqual(['finished', `${id}\n`])
  })
})
