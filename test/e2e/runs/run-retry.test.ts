import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { skips } from '../../skips.js'
import { awaits, groups, open, program, shellProject } from '../project.js'

/** Shell words before a command: in namespaces of its own it knows neither the name nor the processes of this host. */
const elsewhere = `unshare --uts --pid --fork --mount-proc sh -c 'echo elsewhere >/proc/sys/kernel/hostname; exec "$@"' sh`
const canRename = spawnSync('sh', ['-c', `${elsewhere} true`]).status === 0
const isBound = skips('a run of another host', canRename ? null : 'a host cannot be renamed here')

test.skipIf(isBound)('run_retry leaves a run on another host alone', async () => {
  const folder = await shellProject()
  const retryElsewhere = () => folder.shell(`${elsewhere} "${process.execPath}" "${program}" run_retry it 1`)
  const states = async () => (await folder.show()).group_list.map((one: any) => `${one.status} ${one.attempt}`)
  await folder.qanat('run', '--detach', '--n_threads', '2', 'it', ...groups(awaits('end'), 'exit 3'))
  await folder.when(1, ({ groups }) => groups.failed === 1)
  expect(await retryElsewhere()).toMatchObject({
    ...{ code: 1, stderr: expect.stringMatching(/groups of run 1 live on .*\n.*retry it there/) },
  })
  expect(await states()).toEqual(['running 1', 'failed 1'])
  open(folder, 'end')
  await folder.whenStatus(1, 'failed')
  expect((await retryElsewhere()).code).toBe(1)
  expect(await states()).toContainEqual('failed 2')
})
