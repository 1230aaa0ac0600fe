import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { squeueLine } from '../../runners/slurm/squeue-line.js'
import { KeptProject } from '../kept-project.js'
import { quote } from '../project.js'

/** What a queue says of its jobs, by the numbers of their tasks. */
type Jobs = Readonly<Record<number, 'RUNNING' | 'PENDING' | 'CANCELLED'>>

/** What squeue prints of jobs with a mark. */
function squeueText(jobs: Jobs, Comment: string): string {
  const times = { StartTime: '2026-11-27T10:00:00', EndTime: '2026-11-27T11:00:00' }
  const known = { ...times, Name: 'it_2', Comment, NodeList: 'n1', Reason: 'None', RestartCnt: '0', exit_code: '0:0' }
  const lines = Object.entries(jobs).map(([task, State]) => squeueLine({ ...known, JobArrayID: `11_${task}`, State }))
  return lines.map(line => `${line}\n`).join('')
}

/** What condor_q and condor_history print of them. */
function adsText(jobs: Jobs, QanatToken: string): string {
  const numbers = { PENDING: 1, RUNNING: 2, CANCELLED: 3 }
  const known = { QanatToken, NumJobStarts: 0, JobStartDate: 1_795_774_000, EnteredCurrentStatus: 1_795_774_500 }
  const ads = Object.entries(jobs).map(([task, state]) => ({ ProcId: Number(task), JobStatus: numbers[state] }))
  return JSON.stringify(ads.map(ad => ({ ...known, ClusterId: 7, ...ad })))
}

const schedulers = {
  slurm: { id: 2, textOf: squeueText, submit: 'sbatch', cancel: 'scancel', job: /^11/ },
  htcondor: {
    id: 3,
    textOf: adsText,
    submit: 'condor_submit',
    cancel: 'condor_rm',
    job: /ClusterId == 7 && QanatToken == /,
  },
}

/** A project that a release left with its jobs, and a scheduler that says what the test tells it to. */
class ProjectWithJobs extends KeptProject {
  readonly facts: (typeof schedulers)[keyof typeof schedulers]

  constructor(readonly scheduler: keyof typeof schedulers) {
    super(false)
    this.facts = schedulers[scheduler]
    this.folder.environment.PATH = `${this.path('bin')}:${process.env.PATH}`
    this.program('squeue', `cat ${this.path('queue')}`)
    this.program('sacct', 'echo "Slurm accounting storage is disabled" >&2; exit 1')
    this.program('scontrol', 'printf "ClusterName = box\\nMaxArraySize = 1001\\n"')
    const schedd = 'echo "-- Schedd: box : <127.0.0.1:9618?..."'
    this.program('condor_q', `case $1 in -totals) ${schedd} ;; *) cat ${this.path('queue')} ;; esac`)
    this.program('condor_history', `cat ${this.path('history')}`)
    this.noting('sbatch', 'echo 99')
    this.noting('condor_submit', 'echo "99.0 - 99.0"')
    this.noting('scancel', `cp ${this.path('cancelled')} ${this.path('queue')}`)
    this.noting('condor_rm', `cp ${this.path('cancelled')} ${this.path('history')}; : >${this.path('queue')}`)
    this.folder.write('.qanat/history', '')
    this.says({ 2: 'CANCELLED', 3: 'CANCELLED' }, 'cancelled')
    this.says({ 2: 'RUNNING', 3: 'PENDING' })
  }

  private path(name: string): string {
    return join(this.folder.path, '.qanat', name)
  }

  program(name: string, code: string): void {
    this.folder.write(`.qanat/bin/${name}`, `#!/bin/sh\n${code}\n`, 0o755)
  }

  /** A program that notes with which words it was called last. */
  private noting(name: string, code: string): void {
    this.program(name, `printf '%s\\n' "$@" >${this.path(name)}\n${code}`)
  }

  says(jobs: Jobs, file = 'queue'): void {
    const token = this.folder.inDatabase(database =>
      database.prepare('SELECT token FROM runs WHERE id = ?').pluck().get(this.facts.id),
    ) as string
    this.folder.write(`.qanat/${file}`, this.facts.textOf(jobs, token))
  }

  /** The states of its groups, after a look now. */
  async states(): Promise<string[]> {
    await this.folder.json('experiment', 'status', 'it', '--json', '--refresh')
    return this.folder.states(this.facts.id)
  }

  /** Runs a job as the scheduler does, with the script that the release has submitted. */
  async run(task: number): Promise<void> {
    const folder = quote(join(this.folder.path, `results/it/run_${this.facts.id}/.run`))
    const command = {
      slurm: `SLURM_ARRAY_JOB_ID=11 SLURM_ARRAY_TASK_ID=${task} SLURMD_NODENAME=n1 sh ${folder}/slurm.sh 0`,
      htcondor: `sh ${folder}/htcondor.sh 7.${task} ${task}`,
    }[this.scheduler]
    expect(await this.folder.shell(command)).toMatchObject({ code: 0 })
  }
}

describe.each(['slurm', 'htcondor'] as const)('a run on %s that a release has left', scheduler => {
  const ended = ['finished', 'failed exit 3']

  test('is pending, running and over as its queue and its records say, and stays so while nobody answers', async () => {
    const project = new ProjectWithJobs(scheduler)
    expect(await project.states()).toEqual([...ended, 'running', 'pending'])
    // The script of the release runs under the program of today.
    await project.run(3)
    project.says({ 2: 'RUNNING' })
    expect(await project.states()).toEqual([...ended, 'running', 'finished'])
    expect(project.folder.read(`results/it/run_${project.facts.id}/group_3/stdout.txt`)).toBe('accuracy 0.9\n')
    for (const name of ['squeue', 'scontrol', 'condor_q', 'condor_history']) project.program(name, 'exit 1')
    expect(await project.states()).toEqual([...ended, 'running', 'finished'])
  })

  test('is cancelled by its job, and what has failed is launched again', async () => {
    const project = new ProjectWithJobs(scheduler)
    const { folder, facts } = project
    await project.states()
    await folder.json('run_cancel', 'it', `${facts.id}`, '--json')
    expect(folder.read(`.qanat/${facts.cancel}`).trimEnd().split('\n').at(-1)).toMatch(facts.job)
    expect(await project.states()).toEqual([...ended, 'cancelled', 'cancelled'])
    const { code, stderr } = await folder.qanat('run_retry', 'it', `${facts.id}`, '--only', 'exit')
    expect([code, stderr]).toEqual([0, ''])
    expect(folder.read(`.qanat/${facts.submit}`)).toContain('.run/launch_2/')
    expect((await folder.states(facts.id))[1]).toBe('pending attempt 2')
    expect(folder.has(`results/it/run_${facts.id}/.run/attempts/1/group_1/group_info.yaml`)).toBe(true)
  })
})
