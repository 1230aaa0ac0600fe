import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { lacks, lacksMounts, skips } from '../../skips.js'
import { outcomeOf } from '../program.js'
import { awaits, type Folder, open, program, shellProject, until } from '../project.js'

/** Runs `qanat ARGS` as another user, who sees no processes but the own ones. */
function asOther({ path, environment }: Folder, ...args: string[]) {
  const code = `mount -t proc -o hidepid=2 proc /proc
    exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"`
  const words = ['--mount', 'sh', '-ec', code, 'sh', process.execPath, program, ...args]
  return outcomeOf(spawn('unshare', words, { cwd: path, env: { ...environment, HOME: path } }))
}

const isSkipped = skips('processes of others that are hidden', lacksMounts() ?? lacks('setpriv'))

test.skipIf(isSkipped)(
  'a run whose processes are hidden from another user is not said to be lost, nor cancelled',
  async () => {
    const project = await shellProject()
    project.git('config', 'core.fileMode', 'false')
    await project.qanat('run', '--detach', 'it', awaits('end'), '-R', '--n 0 2 1')
    await until(() => project.has('results/it/run_1/group_0/stdout.txt'))
    await project.shell('chmod -R a+rwX .')
    const shown = async () => JSON.parse((await asOther(project, 'run_show', 'it', '1', '--json')).stdout).groups
    expect(await shown()).toMatchObject({ running: 1, pending: 1 })
    const { code, stderr } = await asOther(project, 'run_cancel', '1')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/does not tell whether process \d+ of the run lives/)])
    open(project, 'end')
    expect((await project.qanat('run_wait', '1')).code).toBe(0)
  },
)
