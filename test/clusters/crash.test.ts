import { beforeAll, describe, expect, test } from 'vitest'
import { awaits, until } from '../e2e/project.js'
import { startBox } from './box.js'
import { type ClusterProject, clusterProject, noBox } from './project.js'

const log = '"$QANAT_PROJECT/.qanat/log"'

/** A launch that is killed by the program that stands before the scheduler's own. @param moment what that does first */
async function killedAt(runner: 'slurm' | 'htcondor', moment: string): Promise<ClusterProject> {
  const submitter = runner === 'slurm' ? 'sbatch' : 'condor_submit'
  const it = await clusterProject(`echo $2 >>${log}; ${awaits('end')}\n`, `${runner}: {default: {}}\n`)
  const first = moment.replace('submits', `/usr/bin/${submitter} "$@"`)
  it.write(`.qanat/bin/${submitter}`, `#!/bin/sh\n${first}; kill -KILL $PPID\n`)
  const deadly = it.with({ PATH: `${it.path('.qanat/bin')}:/usr/local/bin:/usr/bin:/bin` })
  const { code } = await deadly.qanat('run', '--runner', runner, 'it', '-R', '--seed 0 3 1')
  expect(code).toBe(137)
  return it
}

describe.skipIf(noBox).each(['slurm', 'htcondor'] as const)('a launch on %s that is killed', runner => {
  beforeAll(() => startBox())

  test('before it was submitted is lost, and nothing runs', async () => {
    const it = await killedAt(runner, 'true')
    const { group_list } = await it.whenStatus(1, 'lost')
    expect(group_list.map(({ cause }) => cause)).toEqual(Array(3).fill('never_started'))
    expect(it.read('.qanat/log')).toBe('')
  })

  test.each([
    ['after it was submitted, before the scheduler answered', 'submits >/dev/null'],
    ['right after the scheduler answered', 'submits'],
  ])('%s is taken over, and every group runs once', async (_, moment) => {
    const it = await killedAt(runner, moment)
    await until(() => it.read('.qanat/log').length === 6)
    await it.when(1, ({ groups: { running } }) => running === 3)
    it.open('end')
    await it.whenStatus(1, 'finished')
    expect(it.read('.qanat/log').split('\n').sort().join('')).toBe('012')
  })
})
