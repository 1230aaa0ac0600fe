import { beforeAll, describe, expect, test } from 'vitest'
import { awaits, program, until } from '../e2e/project.js'
import { startBox } from './box.js'
import { type ClusterProject, clusterProject, noBox } from './project.js'

const log = '"$QANAT_PROJECT/.qanat/log"'

/** Programs that stand before the scheduler's own and kill Qanat, which has started them, at a certain moment. */
const moments = {
  'before it was submitted': 'kill -KILL $PPID; exit 0',
  'after it was submitted, before the scheduler answered': '"$real" "$@" >/dev/null; kill -KILL $PPID; exit 0',
  'right after the scheduler answered': '"$real" "$@"; kill -KILL $PPID; exit 0',
} as const

async function killedAt(runner: 'slurm' | 'htcondor', moment: string): Promise<ClusterProject> {
  const submitter = runner === 'slurm' ? 'sbatch' : 'condor_submit'
  const it = await clusterProject(`echo $2 >>${log}; ${awaits('end')}\n`, `${runner}: {default: {}}\n`)
  it.write(`.qanat/bin/${submitter}`, `#!/bin/sh\nreal=/usr/bin/${submitter}\n${moment}\n`)
  const deadly = it.with({ PATH: `${it.path('.qanat/bin')}:/usr/local/bin:/usr/bin:/bin` })
  const { code } = await deadly.qanat('run', '--runner', runner, 'it', '-R', '--seed 0 3 1')
  expect(code).toBe(137)
  return it
}

describe.skipIf(noBox).each(['slurm', 'htcondor'] as const)('a launch on %s that is killed', runner => {
  beforeAll(() => startBox({}))

  test('before it was submitted is lost, and nothing runs', async () => {
    const it = await killedAt(runner, moments['before it was submitted'])
    const { group_list } = await it.whenStatus(1, 'lost')
    expect(group_list.map(({ cause }) => cause)).toEqual(Array(3).fill('never_started'))
    expect(it.read('.qanat/log')).toBe('')
  })

  test.each(['after it was submitted, before the scheduler answered', 'right after the scheduler answered'] as const)(
    '%s is taken over, and every group runs once',
    async moment => {
      const it = await killedAt(runner, moments[moment])
      await until(
        () => it.read('.qanat/log'),
        text => text.length === 6,
      )
      await it.when(1, ({ groups: { running } }) => running === 3)
      it.open('end')
      await it.whenStatus(1, 'finished')
      expect(it.read('.qanat/log').split('\n').sort().join('')).toBe('012')
    },
  )

  test('at any time leaves a run that ends, or none', async () => {
    const it = await clusterProject(`echo "$QANAT_RUN_ID $2" >>${log}\n`, `${runner}: {default: {}}\n`)
    for (const delay of [0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5]) {
      const words = `node "$0" run --runner ${runner} it -R "--seed 0 2 1" & sleep ${delay}; kill -KILL $! 2>/dev/null; wait`
      await it.command('sh', '-c', words, program)
    }
    const { runs } = await until(
      () => it.json('experiment', 'status', 'it', '--json'),
      list => list.runs.every(({ status }: { status: string }) => status === 'finished' || status === 'lost'),
    )
    const finished = runs.filter(({ status }: { status: string }) => status === 'finished')
    const expected = finished.flatMap(({ id }: { id: number }) => [`${id} 0`, `${id} 1`])
    expect((it.read('.qanat/log').match(/.+/g) ?? []).sort()).toEqual(expected.sort())
  })
})
