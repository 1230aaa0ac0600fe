import { describe, expect, test } from 'vitest'
import { until } from '../../e2e/project.js'
import { openTerminal } from '../../e2e/terminal.js'
import { noBox } from '../project.js'
import { contextProject, withLaptop } from './laptop.js'

describe.skipIf(noBox)('from a laptop', () => {
  const laptop = withLaptop()

  test('a shell is opened on a node of Slurm, also beside a group that runs', async () => {
    const it = await contextProject(laptop(), 'echo "job $SLURM_JOB_ID"; sleep 600\n')
    await it.qanat('run', '--detach', '--runner', 'slurm', 'it')
    await it.when(1, run => run.status === 'running')
    const sit = async (...words: string[]) => {
      const terminal = openTerminal({ path: it.folder, environment: it.environment }, 'shell', '1.0', ...words)
      await until(terminal.shown, text => text.includes('(qanat)'))
      terminal.type('tty; echo "<job $SLURM_JOB_ID> <$QANAT_COMMAND>"; exit 6\r')
      const code = await terminal.ended
      return { code, job: /<job (\d+)>/.exec(terminal.shown())?.[1], shown: terminal.shown() }
    }
    const own = await sit()
    expect([own.code, own.shown]).toEqual([
      6,
      expect.stringMatching(/\/dev\/pts\/\d+[\s\S]*<sh it\.sh --storage_path \S+>/),
    ])
    const beside = await sit('--inside')
    expect([beside.code, it.read('results/it/run_1/stdout.txt')]).toEqual([6, `job ${beside.job}\n`])
    expect(own.job).not.toBe(beside.job)
    await it.qanat('run_cancel', '1')
  })

  test('no shell is opened on a node of HTCondor, and it is said what opens one', async () => {
    const it = await contextProject(laptop(), 'sleep 600\n')
    await it.qanat('run', '--detach', '--runner', 'htcondor', 'it')
    const { group_list } = await it.when(1, run => run.status === 'running')
    const sit = async (...words: string[]) => {
      const terminal = openTerminal({ path: it.folder, environment: it.environment }, 'shell', ...words)
      return { code: await terminal.ended, shown: terminal.shown() }
    }
    const beside = `condor_ssh_to_job ${group_list[0]!.job_id} `
    expect(await sit('1.0', '--inside')).toEqual({ code: 2, shown: expect.stringContaining(beside) })
    expect(await sit('1.0')).toEqual({ code: 2, shown: expect.stringContaining('condor_submit -interactive') })
    await it.qanat('run_cancel', '1')
  })
})
