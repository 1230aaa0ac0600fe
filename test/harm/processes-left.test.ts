import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tellsMemory } from '../../src/system/processes/memory.js'
import { FakeSlurm } from '../e2e/launch/fake-slurm.js'
import { kill, lives, processCalled, tells } from '../e2e/processes.js'
import { awaits, type Folder, groups, open, program, quote, shellProject } from '../e2e/project.js'
import { lacks, skips } from '../skips.js'

const isHidden = skips(
  'processes that have left their groups',
  existsSync('/proc/self/environ') ? lacks('setsid') : 'the system does not tell them',
)

/** Starts shell code in a session of its own, from a process that lives on or from one that ends at once. */
const away = (name: string, code = 'sleep 60') =>
  `setsid sh -c '${tells(name)}; ${code}' & (setsid sh -c '${tells(`${name}2`)}; ${code}' &)`
const told = (...names: string[]) =>
  `until ${names.map(name => `[ -s "$QANAT_PROJECT/.qanat/pid_${name}" ]`).join(' && ')}; do sleep 0.05; done`

/** Both processes that {@link away} has started. */
async function both(folder: Folder, name: string): Promise<number[]> {
  return [await processCalled(folder, name), await processCalled(folder, `${name}2`)]
}

/** A process of the user's, with these variables. */
function innocent(folder: Folder, variables: NodeJS.ProcessEnv): number {
  const env = { ...process.env, QANAT_STORAGE_PATH: `${folder.path}/results/it/run_1`, QANAT_RUN_ID: '1', ...variables }
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore', env })
  onTestFinished(() => kill(child.pid!))
  return child.pid!
}

describe.skipIf(isHidden)('what a group has started in a session of its own', () => {
  test('ends when the run is cancelled, even if it ignores SIGTERM; nothing else of the user does', async () => {
    const folder = await shellProject()
    const others = [
      innocent(folder, {}),
      innocent(folder, { QANAT_MARK: `1.0.1 ${folder.path}/copy/results/it/run_1` }),
      innocent(folder, { QANAT_MARK: `2.0.1 ${folder.path}/results/it/run_1` }),
      innocent(folder, { QANAT_MARK: '' }),
    ]
    await folder.qanat(
      'run',
      '--detach',
      'it',
      `${away('a')}; ${away('b', 'trap "" TERM; while sleep 1; do :; done')}; sleep 60`,
    )
    const pids = [...(await both(folder, 'a')), ...(await both(folder, 'b'))]
    expect((await folder.qanat('run_cancel', '1')).code).toBe(0)
    expect([pids.filter(lives), others.filter(lives)]).toEqual([[], others])
  })

  test('ends before a retry, so that no two attempts write into one folder, and is named until then', async () => {
    const folder = await shellProject()
    const { stderr } = await folder.qanat(
      'run',
      'it',
      ...groups(
        `${away('a')}; ${told('a', 'a2')}; [ -e "$QANAT_PROJECT/.qanat/gate_mended" ]`,
        `${away('b')}; ${told('b', 'b2')}`,
      ),
    )
    const [first, second] = await both(folder, 'a')
    const kept = await both(folder, 'b')
    expect(stderr).toMatch(
      /^Warning: run 1 has left running: process \d+ \(\w+\) of group [01], .* \(to end it: kill .*\)$/m,
    )
    expect((await folder.qanat('run_show', '1')).stdout).toMatch(
      new RegExp(`^Still runs: .*\\b${first}\\b.*\\b${kept[0]}\\b`, 'm'),
    )
    expect((await folder.qanat('why', '1.0')).stdout).toMatch(
      new RegExp(`still runs +process ${first} .*process ${second} `),
    )
    open(folder, 'mended')
    const retry = await folder.qanat('run_retry', '1')
    expect(retry.stderr).toContain(`Warning: process ${first}`)
    expect(retry.stderr).toContain('still ran, and had to end before the retry')
    expect([retry.code, [first!, second!].filter(lives), kept.filter(lives)]).toEqual([0, [], kept])
  })

  test.each([
    ['time', 'resources: { time: "0:02" }', ''],
    ['time, after shell lines', 'setup: ":"\nresources: { time: "0:02" }', ''],
    ...(tellsMemory()
      ? [
          [
            'memory, which it has',
            'resources: { memory: 100M }',
            `python3 -c 'x = bytearray(300 * 1024 ** 2); import time; time.sleep(60)'`,
          ],
        ]
      : []),
  ])('ends with a group at the limit of %s', async (_, template, code) => {
    const folder = await shellProject()
    folder.write('limits.yaml', template!)
    await folder.qanat(
      'run',
      '--submit_template',
      'limits.yaml',
      'it',
      `${away('a')}; (setsid ${code || 'true'} &); sleep 60`,
    )
    expect((await both(folder, 'a')).filter(lives)).toEqual([])
    expect((await folder.show()).group_list[0].cause).toBe(code ? 'oom' : 'timeout')
  })

  test('is not a run that its script has launched', async () => {
    const folder = await shellProject()
    const inner = `${tells('inner')}; ${awaits('end')}`
    await folder.qanat(
      'run',
      '--detach',
      'it',
      `qanat() { ${process.execPath} ${quote(program)} "$@"; }; qanat run --detach it '${inner}'; sleep 60`,
    )
    const pid = await processCalled(folder, 'inner')
    await folder.qanat('run_cancel', '1')
    expect(lives(pid)).toBe(true)
    open(folder, 'end')
    await folder.whenStatus(2, 'finished')
  })

  test('ends with a job that is told to end, and is named at the end of any other', async () => {
    const slurm = await FakeSlurm.launched(
      `${away('a')}; ${told('a', 'a2')}; kill -TERM "$PPID"; sleep 60`,
      `${away('b')}; ${told('b', 'b2')}`,
    )
    await slurm.runJob()
    expect((await both(slurm.folder, 'a')).filter(lives)).toEqual([])
    await slurm.runJob({ task: 1 })
    const [pid] = await both(slurm.folder, 'b')
    expect((await slurm.folder.qanat('run_show', '1')).stdout).toContain(
      `group 1: its process ${pid} (sh) goes on, on `,
    )
  })
})
