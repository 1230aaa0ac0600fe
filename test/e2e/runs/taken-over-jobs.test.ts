import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { squeueLine } from '../../runners/slurm/squeue-line.js'
import { KeptProject } from '../kept-project.js'
import { open, quote } from '../project.js'

/** Programs of a scheduler: those that are asked, and what one that submits prints; and jobs of runs of the fixture. */
const schedulers = {
  slurm: {
    asked: ['squeue', 'sacct', 'scontrol'],
    submit: 'sbatch',
    printed: '99',
    cancel: 'scancel',
    jobs: { retried: '11', held: '12' },
  },
  htcondor: {
    asked: ['condor_q', 'condor_history'],
    submit: 'condor_submit',
    printed: '99.0 - 99.0',
    cancel: 'condor_rm',
    jobs: { retried: '4', held: '5' },
  },
} as const
type Scheduler = keyof typeof schedulers
type Moment = 'running' | 'ended' | 'forgotten'

/** Lines of sacct with the columns, before the last one, that it was not asked for then: what jobs have used. */
function withUsage(lines: string): string {
  return lines.replace(/^(?:[^|\n]*\|){10}/gm, start => `${start}0|00:00:00|||`)
}

/** The columns of squeue, with their widths, for which that version asked. */
const formerColumns = {
  ...{ JobArrayID: 64, State: 16, RestartCnt: 6, StartTime: 20, EndTime: 20, exit_code: 8 },
  ...{ Name: 80, Comment: 44, NodeList: 32, Reason: 48 },
}

/** Lines of squeue with the columns for which it is asked now. */
function withColumns(lines: string): string {
  return lines.replace(/^.+$/gm, line => {
    let begin = 0
    const facts = Object.entries(formerColumns).map(([name, width]) => {
      begin += width
      return [name, line.slice(begin - width, begin).trim()]
    })
    return squeueLine(Object.fromEntries(facts))
  })
}

/** What is said for a program that was not asked then. */
const silence = 'echo "Slurm accounting storage is disabled" >&2; exit 1'

/** A project that version 0.1.0 left with its jobs, and programs of its scheduler, which say what the real ones said. */
class ProjectWithJobs extends KeptProject {
  constructor(readonly scheduler: Scheduler) {
    super(`live-${scheduler}`)
    const { asked, submit, printed, cancel } = schedulers[scheduler]
    this.folder.environment.PATH = `${join(this.folder.path, '.qanat/bin')}:${process.env.PATH}`
    for (const name of asked) {
      const answer = `case $1 in -totals | -json) name=${name}$1 ;; *) name=${name} ;; esac\ncd ${this.path('answers')}`
      this.program(name, `${answer}\n[ -e $name ] || { ${silence}; }\nexec cat $name`)
    }
    this.program(submit, `printf '%s\\n' "$@" >${this.path('submitted')}\necho '${printed}'`)
    this.program(
      cancel,
      `printf '%s\\n' "$@" >${this.path('cancelled')}\ncp ${this.path('later')}/* ${this.path('answers')}`,
    )
    this.answer('running')
    this.answer('forgotten', 'later')
  }

  private path(name: string): string {
    return join(this.folder.path, '.qanat', name)
  }

  program(name: string, code: string): void {
    this.folder.write(`.qanat/bin/${name}`, `#!/bin/sh\n${code}\n`, 0o755)
  }

  /** Lets the scheduler say from now on what it said at a moment. */
  answer(moment: Moment, to = 'answers'): void {
    const { asked } = schedulers[this.scheduler]
    for (const name of this.list(moment)) {
      if (asked.some(program => name.startsWith(program))) {
        const said = this.text(`${moment}/${name}`)
        const asNow = { sacct: withUsage, squeue: withColumns }[name]
        this.folder.write(`.qanat/${to}/${name}`, asNow ? asNow(said) : said)
      }
    }
  }

  /** Words of the last call of the program that submits or cancels. */
  words(call: 'submitted' | 'cancelled'): string[] {
    return this.folder.read(`.qanat/${call}`).trimEnd().split('\n')
  }

  /** What is true only for the jobs of a cluster of HTCondor that has the token of its run. */
  constraintOf(cluster: string): string {
    const jobs = JSON.parse(this.text('running/condor_q-json')) as { ClusterId: number; QanatToken: string }[]
    const { QanatToken } = jobs.find(({ ClusterId }) => ClusterId === Number(cluster))!
    return `(ClusterId == ${cluster} && QanatToken == "${QanatToken}")`
  }

  /** Runs a task of an array as Slurm does. @param words the script and its arguments */
  async runTask(array: string, task: number, words: readonly string[]): Promise<void> {
    const variables = `SLURM_ARRAY_JOB_ID=${array} SLURM_ARRAY_TASK_ID=${task} SLURMD_NODENAME=n1`
    expect(await this.folder.shell(`${variables} sh ${words.map(quote).join(' ')}`)).toMatchObject({ code: 0 })
  }

  /** Looks at all runs now, and at each of them by itself. */
  async look(): Promise<any[]> {
    await this.folder.json('experiment', 'status', 'it', '--json', '--refresh')
    const runs: any[] = []
    for (const id of [1, 2, 3, 4, 5, 6]) runs.push(await this.folder.show(id))
    return runs
  }

  /** What version 0.1.0 said of each run at that time. */
  said(moment: 'running' | 'ended'): any[] {
    return [1, 2, 3, 4, 5, 6].map(id => JSON.parse(this.text(`${moment}/run_${id}.json`)))
  }
}

describe.each(Object.keys(schedulers) as Scheduler[])('runs of version 0.1.0 on %s', scheduler => {
  test('are pending, held, running and over as they were for it', async () => {
    const project = new ProjectWithJobs(scheduler)
    expect(await project.look()).toMatchObject(project.said('running'))
  })

  test.each(['ended', 'forgotten'] as const)('end as they did for it, once the scheduler has %s them', async moment => {
    const project = new ProjectWithJobs(scheduler)
    await project.look()
    project.unpack('ended/results', 'results')
    project.answer(moment)
    expect(await project.look()).toMatchObject(project.said('ended'))
  })

  test('keep their last known state while the scheduler does not answer', async () => {
    const project = new ProjectWithJobs(scheduler)
    const before = await project.look()
    for (const name of schedulers[scheduler].asked) project.program(name, 'exit 1')
    expect((await project.look()).map(run => run.group_list)).toEqual(before.map(run => run.group_list))
  })

  test.each([
    ['retried', '3'],
    ['held', '4'],
  ] as const)('are cancelled by their jobs: %s', async (kind, id) => {
    const project = new ProjectWithJobs(scheduler)
    await project.look()
    const { status } = await project.folder.json('run_cancel', 'it', id, '--json')
    const job = schedulers[scheduler].jobs[kind]
    const words = scheduler === 'slurm' ? [job] : ['-constraint', project.constraintOf(job)]
    expect(project.words('cancelled')).toEqual(words)
    if (kind === 'held') expect(status).toBe('cancelled')
  })

  test('can be retried if they did not finish', async () => {
    const project = new ProjectWithJobs(scheduler)
    project.unpack('ended/results', 'results')
    project.answer('ended')
    await project.look()
    const { code, stderr } = await project.folder.qanat('run_retry', 'it', '2', '--only', 'cancelled')
    expect([code, stderr]).toEqual([0, ''])
    const states = async () => (await project.folder.show(2)).group_list.map((group: any) => group.status)
    const others = ['finished', 'failed', 'failed', 'finished', 'failed', 'finished']
    expect(await states()).toEqual(others.toSpliced(3, 0, 'pending'))
    expect((await project.folder.show(2)).group_list[3].attempt).toBe(2)
    expect(project.folder.has('results/it/run_2/.run/attempts/1/group_3/group_info.yaml')).toBe(true)
    if (scheduler !== 'slurm') return
    open(project.folder, 'never')
    const words = project.words('submitted')
    await project.runTask('99', 0, words.slice(words.findIndex(word => word.endsWith('.sh'))))
    expect(await states()).toEqual(others.toSpliced(3, 0, 'finished'))
  })
})

test.each([
  [
    'are gone is not said to be cancelled',
    '',
    1,
    'nothing was cancelled: no job of run 4 was found in the queue of htcondor',
  ],
  ['are being removed already is cancelled', '5\n', 0, 'Run 4 was cancelled; 2 groups are not known to have ended yet'],
])('a run of HTCondor whose jobs %s', async (_, listed, exit, said) => {
  const project = new ProjectWithJobs('htcondor')
  await project.look()
  project.program('condor_rm', `echo "Couldn't find/remove all jobs matching constraint $2" >&2; exit 1`)
  project.folder.write('.qanat/answers/condor_q', listed)
  const { code, stdout, stderr } = await project.folder.qanat('run_cancel', 'it', '4')
  expect([code, stdout + stderr]).toEqual([exit, expect.stringContaining(said)])
  expect((await project.folder.show(4)).groups).toMatchObject({ held: 2 })
})

test('the records of a task that Slurm starts only now, with the script of version 0.1.0, are understood', async () => {
  const project = new ProjectWithJobs('slurm')
  const group = async () => (await project.folder.show(2)).group_list[6]
  expect(await group()).toMatchObject({ status: 'pending' })
  await project.runTask('2', 6, [join(project.folder.path, 'results/it/run_2/.run/slurm.sh'), '0'])
  expect(await group()).toMatchObject({ status: 'finished', exit_code: 0, host: 'n1', job_id: '2_6', attempt: 1 })
  expect(project.folder.read('results/it/run_2/group_6/stdout.txt')).toBe('accuracy 0.9\n')
})
