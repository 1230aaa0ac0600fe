import { describe, expect, test } from 'vitest'
import { awaits, groups, open, projectWith, shellProject } from '../project.js'

describe('why', () => {
  test('explains the first failed group: its cause, its last lines, and what to type', async () => {
    const folder = await shellProject()
    const talk = 'for n in 1 2 3 4 5; do echo line $n >&2; done; exit 3'
    await folder.qanat('run', 'it', ...groups('true', talk, 'exit 4'))
    const { code, stdout } = await folder.qanat('why', 'it', '1')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Group 1 of run 1 failed: exit 3 \(1 more failed\)$/m)
    expect(stdout).toMatch(/exit record +ended with code 3 on \S+ after [\d.]+ s/)
    expect(stdout).toMatch(/stderr +line 3\n +line 4\n +line 5\n/)
    expect(stdout).toContain('-> qanat run_logs 1.1 --stderr')
    expect(stdout).not.toContain('line 2')
  })

  test('explains the group that was asked for, also with --json', async () => {
    const folder = await shellProject()
    await folder.qanat('run', 'it', ...groups('true', 'kill -9 $$'))
    expect((await folder.qanat('why', 'it', '1.0')).stdout).toContain('Group 0 of run 1 is finished')
    expect(await folder.json('why', 'it', '1.1', '--json')).toMatchObject({
      ...{ run: 1, group: 1, status: 'failed', cause: 'signal', last_words: { stream: 'stdout', lines: [] } },
      witnesses: [{ name: 'supervisor' }, { name: 'exit record', text: expect.stringContaining('code 137') }],
    })
    const { stdout } = await folder.qanat('why', '1.1')
    expect(stdout).toContain('-> qanat run_retry 1 --only signal        if SIGKILL came from outside')
    await folder.qanat('run', 'it', 'kill -SEGV $$')
    expect((await folder.qanat('why', '2')).stdout).not.toContain('run_retry')
    const missing = await folder.qanat('why', 'it', '1.7')
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('its groups are 0 to 1')])
  })

  test('names the logs of a launch that failed, and how to run a cancelled group again', async () => {
    const folder = await shellProject()
    await folder.qanat('config', 'set', 'local.broken.setup', 'echo no such module >&2; exit 1')
    await folder.qanat('run', '--submit_template', 'broken', 'it', 'true')
    const launch = await folder.qanat('why', 'it', '1')
    expect(launch.stdout).toContain('failed before the script')
    expect(launch.stdout).toMatch(/stderr +no such module/)
    expect(launch.stdout).toContain('--scheduler_log')
    await folder.qanat('run', '--detach', 'it', awaits('end'))
    await folder.whenStatus(2, 'running')
    await folder.qanat('run_cancel', 'it', '2')
    expect((await folder.qanat('why', 'it', '2')).stdout).toContain('-> qanat run_retry 2 --only cancelled')
  })

  test('says how to name a program that was not found', async () => {
    const folder = await projectWith('true', 'no_such_program')
    const run = await folder.qanat('run', 'it')
    const hint = '-> qanat experiment update it        if no_such_program was not found: gives its absolute path'
    const why = await folder.qanat('why', 'it', '1')
    expect(why.stdout).toContain(hint)
    for (const { stdout } of [run, why, await folder.qanat('failures', 'it')]) {
      expect(stdout).toContain('no_such_program: not found: is it installed where the group runs?')
      expect(stdout).not.toContain('job.sh')
    }
  })

  test('says which options a script lacks that Qanat adds', async () => {
    const folder = await projectWith('import argparse\nargparse.ArgumentParser().parse_args()', 'python3')
    await folder.qanat('run', 'it')
    const { stdout } = await folder.qanat('why', '1')
    const other = await projectWith("raise ValueError('invalid dataset_path: no column')", 'python3')
    await other.qanat('run', 'it')
    expect((await other.qanat('why', '1')).stdout).not.toContain('has to accept')
    expect(stdout).toMatch(/-> \S*it\.sh has to accept --storage_path FOLDER, and --dataset_path PATH for each dataset/)
  })

  test('says how to make a script run that may not be executed', async () => {
    const folder = await projectWith('true', '')
    await folder.qanat('run', 'it')
    const { stdout } = await folder.qanat('why', 'it', '1')
    expect(stdout).toMatch(/-> chmod \+x \S*it\.sh {8}if it may not be executed yet; then commit it\n/)
    expect(stdout).toContain(
      '-> qanat experiment update it        gives its executable_command instead, such as python3\n',
    )
  })

  test('explains a pending group', async () => {
    const folder = await shellProject()
    await folder.qanat('run', '--detach', 'it', ...groups(awaits('end'), 'true'))
    const { stdout } = await folder.qanat('why', 'it', '1.1')
    expect(stdout).toContain('Group 1 of run 1 is pending')
    expect(stdout).toMatch(/supervisor +process \d+ lives/)
    open(folder, 'end')
    await folder.whenStatus(1, 'finished')
  })
})
