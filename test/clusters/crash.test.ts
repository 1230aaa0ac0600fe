import { beforeAll, describe, expect, test } from 'vitest'
import { awaits, until } from '../e2e/project.js'
import { asRoot, startBox } from './box.js'
import { type ClusterProject, clusterProject, noBox } from './project.js'

const log = '"$QANAT_PROJECT/.qanat/log"'

/** A project whose launches have a program of these lines instead of the scheduler's own, which `submits` calls. */
async function launching(runner: 'slurm' | 'htcondor', lines: string): Promise<ClusterProject> {
  const submitter = runner === 'slurm' ? 'sbatch' : 'condor_submit'
  const it = await clusterProject(`echo $2 >>${log}; ${awaits('end')}\n`, `${runner}: {default: {}}\n`)
  it.write(`.qanat/bin/${submitter}`, `#!/bin/sh\n${lines.replace('submits', `/usr/bin/${submitter} "$@"`)}\n`)
  return it.with({ PATH: `${it.path('.qanat/bin')}:/usr/local/bin:/usr/bin:/bin` })
}

const launch = (it: ClusterProject, runner: string) => it.qanat('run', '--runner', runner, 'it', '-R', '--seed 0 3 1')

/** A launch that is killed by the program that stands before the scheduler's own. @param moment what that does first */
async function killedAt(runner: 'slurm' | 'htcondor', moment: string): Promise<ClusterProject> {
  const it = await launching(runner, `${moment}; kill -KILL $PPID`)
  expect((await launch(it, runner)).code).toBe(137)
  return it
}

/** A launch on a scheduler that hangs until the launch has given up. @param lines of the program before the scheduler's own */
async function hangingAt(runner: 'slurm' | 'htcondor', lines: string): Promise<ClusterProject> {
  const [daemon, answers] = runner === 'slurm' ? ['slurmctld', 'squeue'] : ['condor_schedd', 'condor_q']
  const it = await launching(runner, lines)
  // Five minutes are over once a gate is open.
  it.write(
    '.qanat/patience.mjs',
    `import { existsSync } from 'node:fs'
const { setTimeout, setInterval } = globalThis
globalThis.setTimeout = (call, after, ...words) => {
  if (after !== 300_000) return setTimeout(call, after, ...words)
  const timer = setInterval(() => existsSync('.qanat/gate_patience') && (clearInterval(timer), call()), 50)
  return timer
}
`,
  )
  const launched = launch(it.with({ NODE_OPTIONS: `--import ${it.path('.qanat/patience.mjs')}` }), runner)
  await until(() => it.read('.qanat/asked') !== '')
  await asRoot(`pkill -STOP ${daemon}`)
  it.open('hung', 'patience')
  const { code, stderr } = await launched
  const unknown = `it is not known whether ${runner} has taken the jobs of run 1, which is kept`
  expect([code, stderr]).toEqual([4, expect.stringContaining(unknown)])
  await asRoot(`pkill -CONT ${daemon}; until_succeeds ${answers}`)
  return it
}

const asks = 'echo asked >>"$PWD/.qanat/asked"'

describe.skipIf(noBox)('a launch', () => {
  beforeAll(() => startBox())

  // The tests of one scheduler mostly wait for it, and none touches the other one.
  describe.concurrent.each(['slurm', 'htcondor'] as const)('on %s', runner => {
    describe.sequential('that is killed', () => {
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

    describe.sequential('that hangs', () => {
      test('after it has taken the jobs finds them once it answers, and every group runs once', async () => {
        const it = await hangingAt(runner, `submits >/dev/null; ${asks}; sleep 1000`)
        await it.when(1, ({ groups: { running } }) => running === 3)
        it.open('end')
        await it.whenStatus(1, 'finished')
        expect(it.read('.qanat/log').split('\n').sort().join('')).toBe('012')
      })

      test('before it has taken the jobs says what became of them, and nothing runs twice', async () => {
        const hung = 'until [ -e .qanat/gate_hung ]; do sleep 0.1; done'
        const it = await hangingAt(runner, `${asks}; ${hung}; submits`)
        it.open('end')
        const { status } = await it.when(1, run => run.status === 'lost' || run.status === 'finished')
        expect(it.read('.qanat/log').split('\n').sort().join('')).toBe(status === 'lost' ? '' : '012')
      })
    })
  })
})
