import { describe, expect, test } from 'vitest'
import { tellsMemory } from '../../../src/system/processes/memory.js'
import { skips } from '../../skips.js'
import { expectError } from '../expectations.js'
import { groups, projectWith, shellProject } from '../project.js'

const notTold = skips('the limit of memory', tellsMemory() ? null : 'the system does not tell it')

// Long enough for scripts that end at once to do so on a busy machine.
const limit = 'resources: { time: "0:05" }'

describe('a limit of time', () => {
  test('ends the groups that exceed it, and no other', async () => {
    const project = await shellProject()
    project.write('limits.yaml', limit)
    const words = ['--submit_template', 'limits.yaml', 'it', ...groups('sleep 600 & wait', 'exit 0', 'exit 3')]
    expect((await project.qanat('run', ...words)).code).toBe(1)
    const { group_list: list } = await project.show()
    expect(list.map(({ status, cause }: any) => cause ?? status)).toEqual(['timeout', 'finished', 'exit'])
    const { stdout } = await project.qanat('why', '1.0')
    expect(stdout).toMatch(/^Group 0 of run 1 failed: reached its time limit/)
    expect(stdout).toMatch(/^ {2}used .*time \d+\.\d s of 5\.0 s/m)
    expect(stdout).toContain('qanat run_retry 1 --only timeout --resume')
  })

  test('kills a script that ignores SIGTERM, also in a run in the background', async () => {
    const project = await shellProject()
    project.write('limits.yaml', limit)
    const code = "trap '' TERM; while :; do sleep 0.1; done"
    await project.qanat('run', '--detach', '--submit_template', 'limits.yaml', 'it', code)
    expect((await project.qanat('run_wait', '1')).code).toBe(1)
    expect((await project.show()).group_list).toMatchObject([{ cause: 'timeout', exit_code: 137 }])
  })

  test('of months does not end a group at once', async () => {
    const project = await shellProject()
    project.write('limits.yaml', 'resources: { time: 60-00:00:00 }')
    expect((await project.qanat('run', '--submit_template', 'limits.yaml', 'it', 'sleep 1.5')).code).toBe(0)
  })

  test('is shown before a launch, with that of memory', async () => {
    const project = await shellProject()
    project.write('limits.yaml', 'resources: { time: "0:01", memory: 2G, cpus: 3 }')
    const { stdout } = await project.qanat('run', '--dry_run', '--submit_template', 'limits.yaml', 'it', 'true')
    expect(stdout).toContain('\nLimits of each group: time 1.0 s, memory 2 G\n')
    const { stdout: without } = await project.qanat('run', '--dry_run', 'it', 'true')
    expect(without).not.toContain('Limits')
  })
})

const script = `
import sys, time
words = bytearray(int(sys.argv[1]) * 1024 ** 2)
while sys.argv[1] != '1' and not __import__('os').environ.get('ENOUGH'):
    time.sleep(0.1)
`

test.skipIf(notTold)('a limit of memory ends the groups that exceed it, which can be retried with more', async () => {
  const project = await projectWith(script, 'python3')
  project.write('limits.yaml', 'resources: { memory: 100M }')
  const words = ['--submit_template', 'limits.yaml', 'it', ...groups('300', '1')]
  expect((await project.qanat('run', ...words)).code).toBe(1)
  const { group_list: list } = await project.show()
  expect(list).toMatchObject([{ cause: 'oom', exit_code: 137 }, { status: 'finished' }])
  expect(list[0].peak_memory_bytes).toBeGreaterThan(100 * 1024 ** 2)
  expect((await project.qanat('why', '1')).stdout).toMatch(/^ {2}used +memory \d+ M of 100 M, /m)
  project.write('more.yaml', 'resources: { memory: 1G }\nenv: { ENOUGH: 1 }')
  expect((await project.qanat('run_retry', '1', '--only', 'oom', '--submit_template', 'more.yaml')).code).toBe(0)
})

test('what the groups used is compared with what the template asked for, with what would be enough', async () => {
  const project = await projectWith('sleep 1.2', 'sh')
  project.write('limits.yaml', 'resources: { time: "1:00" }')
  expect((await project.qanat('why', '--efficiency', '1')).code).toBe(2)
  await project.qanat('run', '--submit_template', 'limits.yaml', 'it', ...groups('a', 'b'), '--n_threads', '2')
  const { stdout } = await project.qanat('why', '--efficiency', '1')
  expect(stdout).toMatch(
    /^What the finished groups of run 1 used, and what the template asked for:\nResource +Asked for +Groups/,
  )
  expect(stdout).toMatch(/^time +(60\.0 s|00:01:00) +2 +\d\.\d s \(\d+%\)/m)
  expect(stdout).toMatch(/^ {2}-> time: \d\.\d s would be enough$/m)
  const { run, resources } = await project.json('why', '--efficiency', '1', '--json')
  expect([run, resources.find(({ resource }: { resource: string }) => resource === 'time')]).toMatchObject([
    1,
    { asked: 60, groups: 2, enough: expect.any(Number) },
  ])
  expectError(await project.qanat('why', '--efficiency', '1.0'), 2, 'qanat why --efficiency 1')
})
