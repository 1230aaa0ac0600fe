import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { squeueLine } from '../../runners/slurm/squeue-line.js'
import { KeptProject } from '../kept-project.js'
import { quote } from '../project.js'

/** What a queue says of its jobs, by the numbers of their tasks. */
type Jobs = Readonly<Record<number, 'RUNNING' | 'PENDING' | 'CANCELLED'>>

/** A project that a release left with its jobs, and a scheduler that says what the test tells it to. */
class ProjectWithJobs extends KeptProject {
  readonly id: number
  private readonly token: string

  constructor(readonly scheduler: 'slurm' | 'htcondor') {
    super(false)
    this.id = { slurm: 2, htcondor: 3 }[scheduler]
    this.token = this.inDatabase(database =>
      database.prepare('SELECT token FROM runs WHERE id = ?').pluck().get(this.id),
    ) as string
    this.folder.environment.PATH = `${join(this.folder.path, '.qanat/bin')}:${process.env.PATH}`
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
    this.says('cancelled', { 2: 'CANCELLED', 3: 'CANCELLED' })
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

  queue(jobs: Jobs): void {
    this.says('queue', jobs)
  }

  private says(file: string, jobs: Jobs): void {
    const each = Object.entries(jobs)
    const text =
      this.scheduler === 'slurm'
        ? each.map(([task, state]) => `${squeueLine(this.task(task, state))}\n`).join('')
        : JSON.stringify(each.map(([task, state]) => this.ad(task, state)))
    this.folder.write(`.qanat/${file}`, text)
  }

  private task(task: string, State: string) {
    const times = { StartTime: '2026-11-27T10:00:00', EndTime: '2026-11-27T11:00:00' }
    const place = { NodeList: 'n1', Reason: 'None', RestartCnt: '0', exit_code: '0:0' }
    return { JobArrayID: `11_${task}`, State, Name: 'it_2', Comment: this.token, ...times, ...place }
  }

  private ad(task: string, state: string) {
    const JobStatus = { PENDING: 1, RUNNING: 2, CANCELLED: 3 }[state]
    const times = { JobStartDate: 1_795_774_000, EnteredCurrentStatus: 1_795_774_500 }
    return { ClusterId: 7, ProcId: Number(task), JobStatus, NumJobStarts: 0, ...times, QanatToken: this.token }
  }

  /** Looks now. @returns its groups */
  async groups(): Promise<any[]> {
    await this.folder.json('experiment', 'status', 'it', '--json', '--refresh')
    return (await this.folder.show(this.id)).group_list
  }

  /** Words of the last call of a program that submits or cancels. */
  words(program: string): string[] {
    return this.folder.read(`.qanat/${program}`).trimEnd().split('\n')
  }

  /** Runs a job as the scheduler does, with the script that the release has submitted. */
  async run(task: number): Promise<void> {
    const folder = quote(join(this.folder.path, `results/it/run_${this.id}/.run`))
    const command = {
      slurm: `SLURM_ARRAY_JOB_ID=11 SLURM_ARRAY_TASK_ID=${task} SLURMD_NODENAME=n1 sh ${folder}/slurm.sh 0`,
      htcondor: `sh ${folder}/htcondor.sh 7.${task} ${task}`,
    }[this.scheduler]
    expect(await this.folder.shell(command)).toMatchObject({ code: 0 })
  }
}

describe.each(['slurm', 'htcondor'] as const)('a run on %s that a release has left', scheduler => {
  test('is pending, running and over as its queue and its records say, and ends', async () => {
    const project = new ProjectWithJobs(scheduler)
    project.queue({ 2: 'RUNNING', 3: 'PENDING' })
    const [first, second, ...others] = await project.groups()
    expect(first).toMatchObject({ status: 'finished', exit_code: 0, attempt: 1 })
    expect(second).toMatchObject({ status: 'failed', cause: 'exit', exit_code: 3 })
    expect(others.map(({ status }: any) => status)).toEqual(['running', 'pending'])
    // The script of the release runs under the program of today.
    await project.run(3)
    project.queue({ 2: 'RUNNING' })
    expect((await project.groups())[3]).toMatchObject({ status: 'finished', exit_code: 0, attempt: 1 })
    expect(project.folder.read(`results/it/run_${project.id}/group_3/stdout.txt`)).toBe('accuracy 0.9\n')
  })

  test('keeps its last known state while the scheduler does not answer', async () => {
    const project = new ProjectWithJobs(scheduler)
    project.queue({ 2: 'RUNNING', 3: 'PENDING' })
    const before = await project.groups()
    for (const name of ['squeue', 'scontrol', 'condor_q', 'condor_history']) project.program(name, 'exit 1')
    expect(await project.groups()).toEqual(before)
  })

  test('is cancelled by its job, and what was cancelled is launched again', async () => {
    const project = new ProjectWithJobs(scheduler)
    project.queue({ 2: 'RUNNING', 3: 'PENDING' })
    await project.groups()
    await project.folder.json('run_cancel', 'it', String(project.id), '--json')
    const [program, submit] = scheduler === 'slurm' ? ['scancel', 'sbatch'] : ['condor_rm', 'condor_submit']
    expect(project.words(program).at(-1)).toMatch(scheduler === 'slurm' ? /^11/ : /ClusterId == 7 && QanatToken == /)
    expect((await project.groups()).map(({ status }) => status)).toEqual([
      'finished',
      'failed',
      'cancelled',
      'cancelled',
    ])
    const { code, stderr } = await project.folder.qanat('run_retry', 'it', String(project.id), '--only', 'exit')
    expect([code, stderr]).toEqual([0, ''])
    expect(project.words(submit).join(' ')).toContain('.run/launch_2/')
    expect((await project.folder.show(project.id)).group_list[1]).toMatchObject({ status: 'pending', attempt: 2 })
    expect(project.folder.has(`results/it/run_${project.id}/.run/attempts/1/group_1/group_info.yaml`)).toBe(true)
  })
})
