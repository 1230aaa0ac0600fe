import { execFileSync } from 'node:child_process'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Folder, projectWith } from '../e2e/project.js'
import { lacksMounts, skips } from '../skips.js'
import { goesOn, projectIn, settled } from './killed/crash.js'

/** Puts a folder of the project on a disk of its own. */
function mount(folder: Folder, name: string, kilobytes: number): void {
  const path = join(folder.path, name)
  const content = join(folder.path, '.git/content')
  if (folder.has(name)) cpSync(path, content, { recursive: true, verbatimSymlinks: true })
  else folder.write(`${name}/x`, '')
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', path])
  onTestFinished(() => void execFileSync('umount', ['--lazy', path]))
  if (folder.has('.git/content')) cpSync(content, path, { recursive: true, verbatimSymlinks: true })
}

/** Writes until so many pages are left. */
function leave(folder: Folder, name: string, pages: number): void {
  const path = join(folder.path, name)
  const free = Number(execFileSync('stat', ['-f', '-c', '%f', path], { encoding: 'utf8' }))
  writeFileSync(join(path, 'fill'), Buffer.alloc((free - pages) * 4096))
}

describe.skipIf(skips('a full disk', lacksMounts()))('where the disk is full', () => {
  test.each([0, 1, 2, 4, 8, 16])('of the database, with %s pages left, nothing half-made stays', async pages => {
    const folder = await projectIn('works')
    mount(folder, '.qanat', 1000)
    leave(folder, '.qanat', pages)
    const outcome = await folder.qanat('run', 'it')
    if (outcome.code !== 0) expect(outcome.stderr).toMatch(/^Error: (no space is left for|.*(disk|full))/m)
    rmSync(join(folder.path, '.qanat/fill'))
    await goesOn(folder)
  })

  test.each([0, 2, 8])('of the results, with %s pages left for a group, it can be retried', async pages => {
    const folder = await projectWith('head -c 160K "$QANAT_PROJECT/.qanat/input" >"$QANAT_STORAGE_PATH/big"\n')
    folder.write('.qanat/input', ' '.repeat(200_000))
    mount(folder, 'results', 256)
    leave(folder, 'results', 32 + pages)
    const { code, stdout, stderr } = await folder.qanat('run', 'it')
    expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(/failed|lost/)])
    expect(['failed', 'lost']).toContain((await settled(folder))[0]!.status)
    rmSync(join(folder.path, 'results/fill'))
    rmSync(join(folder.path, 'results/it/run_1/big'))
    folder.write('.qanat/input', 'less')
    expect((await folder.qanat('run_retry', 'it', '1')).code).toBe(0)
  })
})
