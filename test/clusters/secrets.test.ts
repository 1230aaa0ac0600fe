import { beforeAll, describe, expect, test } from 'vitest'
import { awaits, until } from '../e2e/project.js'
import { asRoot, startBox } from './box.js'
import { clusterProject, noBox } from './project.js'

const value = 'k3y-of-the-cluster é☃'

describe.skipIf(noBox)('the value of a secret', () => {
  beforeAll(() => startBox())

  test.concurrent.each([
    ['slurm', ['scontrol', 'show', 'job', '-dd'], '/var/spool/slurmctld /var/spool/slurmd /var/log/slurm'],
    ['htcondor', ['condor_q', '-long', '-allusers'], '/var/lib/condor /var/log/condor'],
  ])('reaches a job of %s, and no record of it', async (runner, command, folders) => {
    const script = `printf %s "$WANDB_API_KEY" >"$QANAT_PROJECT/.qanat/got"\n${awaits('end')}\n`
    const own = runner === 'htcondor' ? 'getenv: true, ' : ''
    const templates = `${runner}: {default: {${own}secrets: [WANDB_API_KEY]}}\n`
    const project = (await clusterProject(script, templates)).with({ WANDB_API_KEY: value })
    await project.launch(runner, 'it')
    await until(() => project.read('.qanat/got') === value)
    const told = await project.command(...command)
    expect(told.stdout).toContain(runner === 'slurm' ? 'JobName=it_1' : 'QanatToken')
    expect(told.stdout).not.toContain('k3y-of')
    expect(await asRoot(`grep -rlF k3y-of ${folders} || true`)).toBe('')
    const holding = await project.command('grep', '-rlF', 'k3y-of', '--exclude=got', '.')
    expect(holding.stdout).toBe('./results/it/run_1/.run/secrets\n')
    project.open('end')
    await project.whenStatus(1, 'finished')
    await until(async () => (await project.command('ls', 'results/it/run_1/.run/secrets')).code !== 0)
  })
})
