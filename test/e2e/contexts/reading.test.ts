import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacksSshd, Sshd } from '../../sites/sshd.js'
import { skips } from '../../skips.js'
import { type Folder, open, projectWith, until } from '../project.js'

const large = 2_000_000

describe.skipIf(skips('reading files of contexts', lacksSshd()))('a file that is only in a context', () => {
  let sshd: Sshd
  beforeAll(() => {
    sshd = new Sshd()
  })
  afterAll(() => sshd.end())

  /** A project with the experiment `it`, logged in to the context `box`. */
  async function project(script: string, keys = '') {
    const folder = await projectWith(script)
    const home = mkdtempSync(join(sshd.folder, 'home-'))
    Object.assign(folder.environment, sshd.environment, { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home })
    mkdirSync(join(home, 'qanat'))
    writeContext(folder, keys)
    expect(await folder.qanat('context', 'login', 'box')).toMatchObject({ code: 0 })
    return folder
  }

  function writeContext({ environment: { XDG_CONFIG_HOME: home } }: Folder, keys = ''): void {
    writeFileSync(`${home}/qanat/contexts.yaml`, `box: {host: box, root: ${home}/root, poll_interval: 1${keys}}\n`)
  }

  const launch = (folder: Folder, ...words: string[]) =>
    folder.qanat('run', '--context', 'box', '--wait', ...words, 'it')

  test('is fetched for the logs and for the reason of a failure, and else they name it', async () => {
    const folder = await project(`yes | head -c ${large}; yes | head -c ${large} >&2; echo why >&2; exit 3\n`)
    await launch(folder, '-V', '--seed 0 1')
    const log = 'results/it/run_1/group_1/stdout.txt'
    await folder.qanat('context', 'logout', 'box')
    const absent = await folder.qanat('run_logs', '1.1')
    expect([absent.stdout, folder.has(log)]).toEqual(['', false])
    expect(absent.stderr).toMatch(
      /only what is here of run 1 is read: there is no connection to box\n.*qanat context login box\n[\s\S]*not fetched: .*group_1\/stdout\.txt/,
    )
    expect((await folder.qanat('why', '1.1')).stdout).toMatch(/\(not fetched\)\n.*qanat run_logs 1\.1 --stderr/)
    await folder.qanat('context', 'login', 'box')
    const fetched = await folder.qanat('run_logs', '1.1')
    expect([fetched.stdout.length, fetched.stderr]).toEqual([large, 'fetched 1 file of run 1 from box\n'])
    expect(await folder.qanat('run_logs', '1.1')).toMatchObject({ stdout: fetched.stdout, stderr: '' })
    const why = await folder.qanat('why', '1.1')
    expect([why.stdout, why.stderr]).toEqual([
      expect.stringMatching(/ stderr .*\n.*\n +why\n/),
      'fetched 1 file of run 1 from box\n',
    ])
    expect(folder.has('results/it/run_1/group_0/stdout.txt')).toBe(false)
  })

  test('is fetched again and again for logs that are followed, also if it is large', async () => {
    const folder = await project(
      `head -c ${large} /dev/zero; while [ -d "$2" ] && [ ! -e "$2/.qanat/gate_it" ]; do sleep 0.05; done; echo end\n`,
    )
    await folder.qanat('run', '--context', 'box', '--detach', 'it', '--project', folder.path)
    const child = folder.start(['run_logs', '1', '--follow'])
    let length = 0
    child.stdout!.on('data', (piece: Buffer) => (length += piece.length))
    await until(
      () => length,
      now => now === large,
    )
    open(folder, 'it')
    const code = await new Promise(resolve => child.on('close', resolve))
    expect([code, length]).toEqual([0, large + 'end\n'.length])
  })

  test('is fetched for an action, as run_fetch would, and for a document that needs it', async () => {
    const folder = await project(
      `for last; do :; done; cd "$last"; for each in a.bin b.txt; do head -c ${large} /dev/zero >$each; done\n`,
      ", fetch: {include: ['*.txt'], exclude: ['b.*']}",
    )
    folder.write('size.sh', 'cd "$2"; wc -c *.*\n')
    folder.write(
      'it.yaml',
      `${folder.read('it.yaml')}actions:\n  - size: {executable: size.sh, executable_command: sh}\n`,
    )
    folder.write('paper/compile.sh', 'cat exports/*/b.txt | wc -c >size\n')
    folder.write('paper/.gitignore', 'exports/\nsize\n')
    folder.write(
      'paper.yaml',
      `name: paper
path: paper
compile_script: paper/compile.sh
compile_script_command: sh
experiment_dependencies:
  - {experiment_name: it, files: b.txt}
`,
    )
    folder.commit()
    expect(await folder.qanat('document', 'new', 'paper.yaml')).toMatchObject({ code: 0 })
    folder.commit()
    expect(await launch(folder)).toMatchObject({ code: 0 })
    const acted = await folder.qanat('action', 'size', '1')
    expect(acted.stdout).not.toContain('b.txt')
    expect(acted.stderr).toContain('2 files of run 1 are not fetched\nqanat run_fetch 1 --all')
    expect((await folder.qanat('document', 'status', 'paper')).stdout).toContain(
      'b.txt of run 1 is not fetched from box',
    )
    const compiled = await folder.qanat('document', 'compile', 'paper')
    expect([compiled.code, compiled.stderr]).toEqual([0, expect.stringContaining('fetched 1 file of run 1 from box')])
    expect(folder.read('paper/size').trim()).toBe(`${large}`)
    writeContext(folder)
    const whole = await folder.qanat('action', 'size', '1')
    expect([whole.stdout, whole.stderr]).toEqual([
      expect.stringContaining(`${large} a.bin`),
      expect.stringContaining('fetched 1 file of run 1 from box'),
    ])
  })
})
