import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { lacksMounts, skips } from '../../skips.js'
import { expectError } from '../expectations.js'
import { Folder, projectWith, until } from '../project.js'
import { endProcessesIn } from '../working-processes.js'

/** Puts the results on a disk of 64 kB with so much space left. */
function mountResults(folder: Folder, pages: number): void {
  const results = join(folder.path, 'results')
  mkdirSync(results)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', results])
  onTestFinished(() => {
    endProcessesIn(results)
    execFileSync('umount', ['--lazy', results])
  })
  writeFileSync(join(results, 'fill'), Buffer.alloc((16 - pages) * 4096))
}

/** A copy of a project with two runs, of which the metrics of the second are not known yet, on a disk without space. */
async function fullProject(): Promise<Folder> {
  const source = await projectWith('echo \'{"acc": 0.5}\' >"$QANAT_STORAGE_PATH/metrics.json"')
  source.write('plot.sh', 'true\n')
  const actions = 'actions: [{name: plot, executable: plot.sh, executable_command: sh}]'
  source.write('it.yaml', `name: it\nexecutable: it.sh\nexecutable_command: sh\nbest: {acc: max}\n${actions}\n`)
  source.write('.gitignore', 'fill\nresults\n')
  source.commit()
  await source.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
  await source.qanat('run', 'it')
  await source.qanat('compare', 'it')
  await source.qanat('run', 'it', '--seed', '1')
  await source.qanat('run', '--detach', 'it', '--seed', '2')
  await until(() => source.has('results/it/run_3/metrics.json'))
  const folder = new Folder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder.path])
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder.path]))
  cpSync(source.path, folder.path, { recursive: true })
  execFileSync('sh', ['-c', 'cat /dev/zero >fill 2>/dev/null || true'], { cwd: folder.path })
  return folder
}

describe.skipIf(skips('a project on a full disk', lacksMounts()))('a project on a full disk', () => {
  test('shows what is known, with one warning', async () => {
    const folder = await fullProject()
    const warning = expect.stringMatching(
      /^Warning: no space is left for .*database\.db: new metrics are read .*left out\n$/,
    )
    for (const line of ['runs', 'experiment status it', 'compare it', 'groups it', 'run_show 3', 'status']) {
      const { stdout, stderr, code } = await folder.qanat(...line.split(' '))
      expect([line, code, stderr]).toEqual([line, 0, warning])
      if (!['run_show 3', 'status'].includes(line)) expect(stdout.match(/\b0\.5\b/g)).toHaveLength(2)
    }
    const checked = await folder.qanat('doctor')
    expect(checked.stdout).toContain(`no space is left for ${folder.path}/results`)
    expect(checked.stdout).not.toContain('can be written')
  })

  test('is named, with the file, by whatever writes', async () => {
    const folder = await fullProject()
    const { path } = folder
    for (const [line, file] of [
      ['run_comment 1 -m x', '.qanat/locks/comments'],
      ['export --crate 1 -o crate.zip', 'crate.zip'],
      ['export --crate 1 -o crate', 'crate'],
      ['collect it -o t.csv', 't.csv'],
      ['action plot 1', '.qanat/database.db'],
    ] as const) {
      const { code, stderr } = await folder.qanat(...line.split(' '))
      const error = expect.stringContaining(`Error: no space is left for ${path}/${file}\n`)
      expect([line, code, stderr]).toEqual([line, 1, error])
      expect(stderr).not.toContain('which is in the database')
    }
    expect(folder.list('.')).not.toContain('crate')
    expect(folder.has('results/it/run_1/comment.md')).toBe(false)
  })

  test('is named if the script of an action fills it, with the run that cannot keep its record', async () => {
    const folder = await fullProject()
    rmSync(join(folder.path, 'fill'))
    folder.write('plot.sh', 'cat /dev/zero >fill; true\n')
    const { code, stderr } = await folder.qanat('action', 'plot', '1')
    expect(code).toBe(1)
    expect(stderr).toContain(`no space is left for ${folder.path}/.qanat/database.db`)
    expect(stderr).toContain('the folder of run 1 cannot keep the record of the action: no space is left')
  })
})

describe.skipIf(skips('a launch onto a full disk', lacksMounts()))('a launch onto a full disk', () => {
  test.each([0, 4])('with %s pages left is one error, leaves nothing, and works once there is space', async pages => {
    const folder = await projectWith('true')
    mountResults(folder, pages)
    expectError(await folder.qanat('run', 'it'), 1, 'no space is left', `${folder.path}/results/it/run_1`)
    expect([folder.list('results/it'), folder.git('for-each-ref', 'refs/qanat')]).toEqual([[], ''])
    expect(await folder.json('status', '--json')).toMatchObject({ runs: {} })
    // A run takes about 16 pages, so that an empty disk of this size could hold it or not.
    execFileSync('mount', ['-o', 'remount,size=1m', join(folder.path, 'results')])
    expect(await folder.json('run', '--json', 'it')).toMatchObject({ status: 'finished' })
  })

  test.each([5, 8])('with %s pages left ends by itself and tells the truth', async pages => {
    const folder = await projectWith('echo done')
    mountResults(folder, pages)
    const { stdout, stderr, code } = await folder.qanat('run', 'it')
    if (code === 0) expect(folder.read('results/it/run_1/stdout.txt')).toBe('done\n')
    else expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(/no space is left|failed|lost/)])
    for (const line of ['status', 'experiment status it'])
      expect([line, (await folder.qanat(...line.split(' '))).code]).toEqual([line, 0])
  })
})
