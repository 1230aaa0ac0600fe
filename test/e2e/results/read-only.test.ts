import { execFileSync } from 'node:child_process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { lacksMounts, skips } from '../../skips.js'
import { expectError } from '../expectations.js'
import { type Folder, projectWith } from '../project.js'

/** From now on, nothing can be written in a project. */
function freeze({ path }: Folder): void {
  execFileSync('mount', ['--bind', path, path])
  onTestFinished(() => void execFileSync('umount', ['--lazy', path]))
  execFileSync('mount', ['-o', 'remount,ro,bind', path, path])
}

const script = 'echo \'{"acc": 0.5}\' >"$QANAT_STORAGE_PATH/metrics.json"'

describe.skipIf(skips('a project that cannot be written', lacksMounts()))('in a project that cannot be written', () => {
  test('what has been taken in can be asked for', async () => {
    const folder = await projectWith(script)
    await folder.qanat('run', 'it')
    const compared = await folder.qanat('compare', 'it')
    freeze(folder)
    expect(await folder.qanat('compare', 'it')).toEqual(compared)
    expect(await folder.qanat('sql', 'select acc from it')).toEqual({ stdout: 'acc\n0.5\n', stderr: '', code: 0 })
    expect(await folder.qanat('failures', 'it')).toMatchObject({ stderr: '', code: 0 })
    for (const end of ['csv', 'sqlite']) {
      expectError(
        await folder.qanat('collect', 'it', '-o', `t.${end}`),
        1,
        `t.${end} cannot be used: EROFS`,
        'check its permissions',
      )
    }
  })

  test('what is new is left out, with a word', async () => {
    const folder = await projectWith(script)
    await folder.qanat('run', 'it')
    await folder.qanat('compare', 'it')
    await folder.qanat('run', 'it', '--seed', '1')
    freeze(folder)
    const warning = expect.stringMatching(/^Warning: .*database\.db cannot be written: what is new .* is left out\n$/)
    const sql = await folder.qanat('sql', 'select run, acc from it', '--csv')
    expect(sql).toEqual({ stdout: 'run,acc\n1,0.5\n2,\n', stderr: warning, code: 0 })
    expect(await folder.qanat('compare', 'it')).toMatchObject({ stderr: warning, code: 0 })
  })

  test('lists show the runs, without the best metric that could not be stored', async () => {
    const folder = await projectWith(script)
    folder.write('it.yaml', 'name: it\nexecutable: it.sh\nexecutable_command: sh\nbest: {acc: max}\n')
    folder.commit()
    await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
    await folder.qanat('run', 'it')
    freeze(folder)
    for (const words of [['runs'], ['experiment', 'status', 'it'], ['run_show', '1']]) {
      const { stdout, stderr, code } = await folder.qanat(...words)
      expect([words, code, stderr]).toEqual([words, 0, expect.stringContaining('is left out')])
      expect(stdout).toContain('finished')
    }
  })
})
