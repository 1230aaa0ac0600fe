import { spawn } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { outcomeOf, program } from '../../e2e/program.js'
import { until } from '../../e2e/project.js'
import { asRoot } from '../box.js'
import { noBox } from '../project.js'
import { type ContextProject, contextProject, withLaptop } from './laptop.js'

/** Names of the jobs in the queue of a scheduler. */
const queues = {
  slurm: { names: 'squeue -h -o %j', cancel: 'scancel --name=qanat-prepare' },
  htcondor: {
    names: 'condor_q -allusers -af JobBatchName',
    cancel: `condor_rm -constraint 'JobBatchName == "qanat-prepare"'`,
  },
} as const

const runners = Object.keys(queues) as (keyof typeof queues)[]

describe.skipIf(noBox)('from a laptop', () => {
  const laptop = withLaptop()

  describe.each(runners)('a job of %s', runner => {
    const { names, cancel } = queues[runner]
    const queued = async () => (await asRoot(names)).includes('qanat-prepare')
    const settings = (prepare: string, on = 'job') => `${runner}:
  default: {env: {NAME: a  b}, after_modules: 'loaded=yes; export loaded'}
  other: {env: {NAME: other}}
contexts: {box: {prepare: ${JSON.stringify(prepare)}, prepare_on: ${on}}}
`
    const prints = `echo "<$SLURM_JOB_NAME$(sed -n 's/^JobBatchName = //p' $_CONDOR_JOB_AD | tr -d '"')> <$NAME> <$loaded>" >>made`
    const project = (prepare: string, on?: string) => contextProject(laptop(), 'cat made\n', settings(prepare, on))
    const launch = (it: ContextProject) => it.qanat('run', '--runner', runner, '--wait', 'it')

    test('prepares the code once, with the environment of the template', async () => {
      const it = await project(prints)
      for (const id of [1, 2]) {
        expect(await launch(it)).toMatchObject({ code: 0 })
        expect(it.read(`results/it/run_${id}/stdout.txt`)).toBe('<qanat-prepare> <a  b> <yes>\n')
      }
    })

    test('may have another template, and must succeed', async () => {
      const it = await project(`echo "<$NAME>" >made; echo oops; exit 7`, '{job: other}')
      const refused = await launch(it)
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/\(exit 7\)[\s\S]*\n {2}oops\n/)])
      expect([(await it.json('runs', '--json')).runs, await queued()]).toEqual([[], false])
      it.write('.qanat/config.yaml', settings(`echo "<$NAME>" >made`, '{job: other}'))
      expect(await it.qanat('run', '--runner', runner, '--commit', 'mended', '--wait', 'it')).toMatchObject({ code: 0 })
      expect(it.read('results/it/run_1/stdout.txt')).toBe('<other>\n')
      it.write('.qanat/config.yaml', settings('true', '{job: none}'))
      const { code, stderr } = await it.qanat('run', '--runner', runner, '--allow_dirty', 'it')
      expect([code, stderr]).toEqual([2, expect.stringContaining(`no ${runner} template 'none'`)])
    })

    test('that is cancelled is told, and ends with the launch that waits for it', async () => {
      const it = await project('echo begun; echo begun >"$QANAT_PROJECT/begun"; sleep 1000')
      const begin = async () => {
        const words = [program, 'run', '--runner', runner, 'it']
        const child = spawn(process.execPath, words, { cwd: it.folder, env: it.environment })
        const ended = outcomeOf(child)
        await until(
          () => it.read('begun'),
          text => text !== '',
        )
        it.writeThere('begun', '')
        return { child, ended }
      }
      const { ended } = await begin()
      await asRoot(cancel)
      const { code, stderr } = await ended
      expect([code, stderr]).toEqual([1, expect.stringMatching(/could not be prepared[\s\S]*begun/)])
      const interrupted = await begin()
      interrupted.child.kill('SIGINT')
      expect(await interrupted.ended).toMatchObject({ code: 130 })
      await until(queued, is => !is)
    })
  })
})
