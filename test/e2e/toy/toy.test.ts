import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lifecycle } from '../../clusters/lifecycle.js'
import { awaits, groups } from '../project.js'
import { programs, ToyCluster } from './cluster.js'
import { toyKind } from './toy.js'

const runner = toyKind.name
const shell = 'eval "$1"\n'

describe('a runner that is one file and one line of the registry', () => {
  let cluster: ToyCluster
  beforeAll(() => {
    cluster = new ToyCluster(4)
  })
  afterAll(() => cluster.end())

  lifecycle(runner, (...facts) => cluster.project(...facts))

  test('is offered, and its templates are read and completed', async () => {
    const project = await cluster.project(shell, 'toy:\n  default: {}\n  quick: {setup: "true"}\n')
    const unknown = await project.qanat('run', '--runner', 'ty', 'it')
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('toy')])
    const words = ['run', '--runner', runner, '--submit_template', '']
    expect((await project.qanat('completion', 'complete', '--', ...words)).stdout).toMatch(/^quick\b/m)
    const own = await project.qanat('doctor', '--json')
    const checks = JSON.parse(own.stdout).checks
    expect(checks).toContainEqual(expect.objectContaining({ name: 'config', state: 'ok' }))
    expect(checks).toContainEqual(expect.objectContaining({ name: runner, state: 'ok' }))
  })

  test('is polled for pending and running groups, and for groups that somebody else has ended', async () => {
    const project = await cluster.project(shell)
    const codes = groups(awaits('end'), 'true')
    await project.launch(runner, '--n_threads', '1', 'it', ...codes)
    const { group_list } = await project.when(1, run => run.status === 'running')
    expect(group_list.map(({ status }) => status)).toEqual(['running', 'pending'])
    await project.command('toy', 'cancel', group_list[0]!.job_id!.split('.')[0]!)
    const ended = await project.when(1, ({ groups: { running, pending } }) => running === 0 && pending === 0)
    expect(ended.group_list).toMatchObject([
      { status: 'failed', cause: 'signal', signal: 'SIGTERM' },
      { status: 'cancelled', started: null },
    ])
  })

  test('whose launch was killed before the scheduler answered: its jobs are found, and every group runs once', async () => {
    const project = await cluster.project(shell)
    const submits = `PATH=${programs}:$PATH toy "$@"`
    project.write('.qanat/bin/toy', `#!/bin/sh\n${submits} >/dev/null; [ "$1" != submit ] || kill -KILL $PPID\n`)
    const deadly = project.with({ PATH: `${project.path('.qanat/bin')}:${process.env.PATH}` })
    const says = 'echo "$QANAT_GROUP_INDEX" >>"$QANAT_PROJECT/.qanat/log"'
    const killed = await deadly.qanat('run', '--runner', runner, 'it', ...groups(says, says, says))
    expect(killed.code).toBe(null)
    await project.whenStatus(1, 'finished')
    expect(project.read('.qanat/log').split('\n').sort().join('')).toBe('012')
  })
})
