import { beforeAll, describe, expect, test } from 'vitest'
import { awaits, groups, until } from '../e2e/project.js'
import { asRoot, startBox } from './box.js'
import { saysAndAwaits } from './lifecycle-project.js'
import { noBox, shellProject } from './project.js'

const project = () => shellProject('slurm')

describe.skipIf(noBox).each([
  ['with', true],
  ['without', false],
])('changes by hand of tasks of Slurm %s accounting', (_, accounting) => {
  beforeAll(() => startBox({ accounting }))

  test('hold or cancel only the pending task that is named, and requeue one that has ended', async () => {
    const it = await project()
    const waits = awaits('end')
    await it.launch('slurm', '--n_threads', '1', 'it', ...groups('true', waits, 'true', 'true', 'true'))
    const begun = await it.when(1, ({ groups: { finished, running } }) => finished === 1 && running === 1)
    const [array] = begun.group_list[1]!.job_id!.split('_')
    await it.command('scontrol', 'hold', `${array}_2`)
    expect((await it.when(1, ({ groups: { held } }) => held === 1)).groups).toMatchObject({ held: 1, pending: 2 })
    expect((await it.qanat('why', 'it', '1.3')).stdout).toMatch(/Group 3 of run 1 is pending/)
    await it.command('scancel', `${array}_4`)
    const { group_list } = await it.when(1, ({ groups: { cancelled } }) => cancelled === 1)
    expect(group_list.map(({ status }) => status)).toEqual(['finished', 'running', 'held', 'pending', 'cancelled'])
    await it.command('scontrol', 'requeue', `${array}_0`)
    await it.when(1, ({ groups: { pending } }) => pending === 2)
    await it.command('scontrol', 'release', `${array}_2`)
    await asRoot(`scontrol update jobid=${array}_0 starttime=now+2`)
    it.open('end')
    const over = await it.when(1, ({ groups: { finished } }) => finished === 4)
    expect(over).toMatchObject({ status: 'cancelled', groups: { cancelled: 1 } })
    // Also where the whole run was over.
    await it.command('scontrol', 'requeue', `${array}_3`)
    await it.whenStatus(1, 'running')
    await asRoot(`scontrol update jobid=${array}_3 starttime=now+2`)
    await it.when(1, ({ groups: { finished } }) => finished === 4)
  })

  test.each([
    ['requeued', 'scontrol requeue', 'pending'],
    ['cancelled', 'scancel', 'cancelled'],
  ])('let a task that is %s run until its script has ended', async (_name, command, after) => {
    const it = await project()
    const told = '"$QANAT_PROJECT/.qanat/told"'
    const slow = `trap 'trap "" TERM; echo told >${told}; ${awaits('end')}; exit 143' TERM; ${saysAndAwaits('never')}`
    await it.launch('slurm', 'it', slow)
    await it.begun()
    const { group_list } = await it.whenStatus(1, 'running')
    await asRoot(`${command} ${group_list[0]!.job_id}`)
    await until(() => it.read('.qanat/told') === 'told\n')
    await it.qanat('experiment', 'status', 'it', '--refresh')
    expect((await it.show(1)).group_list).toMatchObject([{ status: 'running', started: group_list[0]!.started }])
    it.open('end')
    expect((await it.when(1, run => run.status !== 'running')).group_list).toMatchObject([{ status: after }])
  })
})
