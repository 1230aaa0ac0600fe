import { expect, test } from 'vitest'
import { groups, shellProject } from '../project.js'

const described = `name: it
executable: it.sh
executable_command: sh
outputs: ['model*.pt']
`

test('a group without the outputs of its experiment has failed, says why, and can be retried', async () => {
  const project = await shellProject()
  project.write('it.yaml', described)
  project.commit()
  expect((await project.qanat('experiment', 'update', 'it', '-f', 'it.yaml')).code).toBe(0)
  expect((await project.qanat('experiment', 'export', 'it')).stdout).toContain('outputs:\n  - model*.pt\n')

  const leaves = '[ ! -e "$QANAT_PROJECT/.qanat/ready" ] || touch "$QANAT_STORAGE_PATH/model_1.pt"'
  const run = await project.qanat('run', 'it', ...groups('touch "$QANAT_STORAGE_PATH/model.pt"', leaves))
  expect(run.code).toBe(1)
  expect(run.stdout).toContain('ended without its outputs: qanat: the output model*.pt is missing')
  expect((await project.show()).group_list).toMatchObject([
    { status: 'finished', cause: null, exit_code: 0 },
    { status: 'failed', cause: 'incomplete', exit_code: 0 },
  ])
  const why = await project.qanat('why', 'it', '1')
  expect(why.stdout).toContain('Group 1 of run 1 failed: ended without its outputs')
  expect(why.stdout).toMatch(/ended with code 0 on \S+ after \S+ s, without all of its outputs/)

  project.write('it.yaml', described.replace('model*', 'm*'))
  project.commit()
  await project.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
  const told = `Warning: the outputs of it have changed since run 1: its groups still have to leave model*.pt, and not m*.pt
qanat run it …        goes by what is registered now\n`
  for (const command of ['run_retry', 'rerun']) expect((await project.qanat(command, '1')).stderr).toContain(told)
  project.write('.qanat/ready', '')
  const retry = await project.qanat('run_retry', 'it', '1', '--only', 'incomplete')
  expect([retry.code, (await project.show()).status]).toEqual([0, 'finished'])
})

test('a link that leads nowhere is no output, but hides no other one of the same pattern', async () => {
  const project = await shellProject()
  project.write('it.yaml', described)
  project.commit()
  await project.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
  const broken = 'ln -s nowhere "$QANAT_STORAGE_PATH/model a.pt"'
  expect(
    (await project.qanat('run', 'it', ...groups(broken, `${broken}; touch "$QANAT_STORAGE_PATH/model b.pt"`))).code,
  ).toBe(1)
  expect((await project.show()).group_list).toMatchObject([
    { status: 'failed', cause: 'incomplete' },
    { status: 'finished' },
  ])
})
