import { join } from 'node:path'
import { expect } from 'vitest'
import { squeueLine } from '../../runners/slurm/squeue-line.js'
import { type Folder, groups, quote, shellProject } from '../project.js'

/** A task of a job array. The first job of a project is 77, the next one 78. */
interface TaskFacts {
  readonly job?: number
  readonly task?: number
  readonly restarts?: number
}

/** What squeue says of a task besides its state. */
interface QueueFacts extends TaskFacts {
  /** The run that it is of. */
  readonly run?: number
  readonly name?: string
  readonly comment?: string
  readonly reason?: string
  readonly exit?: string
  readonly ended?: string
}

/** What tests ask for of a group. */
interface ShownGroup {
  readonly status: string
  readonly cause: string | null
  readonly exit_code: number | null
  readonly attempt: number
}

const anyJob = {
  ...{ RestartCnt: '0', StartTime: '2026-03-01T10:00:00', EndTime: '2026-03-01T11:00:00' },
  ...{ exit_code: '0:0', NodeList: 'n1', Reason: 'None' },
}

/**
 * A Slurm that says what no real one can be made to say on demand: programs on the PATH that print what files hold.
 * Jobs are run by the test, by the very script that was submitted.
 */
export class FakeSlurm {
  /** Lines of the queue by the id of their task. */
  private readonly lines = new Map<string, string>()

  private constructor(readonly folder: Folder) {}

  /** @param templates further submit templates, as YAML */
  static async start(templates = ''): Promise<FakeSlurm> {
    const base = await shellProject()
    base.environment.PATH = `${join(base.path, '.qanat/bin')}:${process.env.PATH}`
    const fake = new FakeSlurm(base)
    fake.program(
      'sbatch',
      `for word; do
  case $word in --comment=*) mark=\${word#*=} ;; --job-name=*) name=\${word#*=} ;; esac
  script="$last $word" last=$word
done
job=77
until mkdir ${fake.file('job_')}$job 2>/dev/null; do job=$((job + 1)); done
echo "$mark" >${fake.file('job_')}$job/comment
printf '%s\\n' "$@" >${fake.file('job_')}$job/words
echo "$job|$name|$script|$mark" >>${fake.file('jobs')}
[ ! -e ${fake.file('refusal')} ] || {
  sed "s/JOB/$job/; s/@\\{44\\}/$(printf %-44s "$mark")/" ${fake.file('taken')} >>${fake.file('queue')}
  cat ${fake.file('refusal')} >&2
  exit 1
}
echo $job`,
    )
    fake.program(
      'squeue',
      `case $* in
  *%o*) cat ${fake.file('jobs')} ;;
  *--Format=*) cat ${fake.file('queue')} ;;
  *) cat ${fake.file('explained')} ;;
esac 2>/dev/null`,
    )
    fake.program('sacct', `sh ${fake.file('sacct')}`)
    fake.program('scontrol', `cat ${fake.file('config')}`)
    fake.program('scancel', `printf '%s\\n' "$@" >>${fake.file('cancelled')}`)
    const taken = { JobArrayID: 'JOB_0', State: 'PENDING', Name: 'it_1', Comment: '@'.repeat(44) }
    base.write('.qanat/slurm_taken', `${squeueLine({ ...anyJob, ...taken })}\n`)
    fake.answer('explained', '')
    fake.answer('config', 'ClusterName = fake\nMaxArraySize = 1001\n')
    fake.answer('sacct', 'echo "Slurm accounting storage is disabled" >&2; exit 1\n')
    base.write('.qanat/config.yaml', `poll_interval: 0.001\nslurm:\n  default: {}\n${templates}`)
    base.commit()
    return fake
  }

  /** The same with a run of these groups. */
  static async launched(...codes: string[]): Promise<FakeSlurm> {
    const fake = await FakeSlurm.start()
    await fake.launch(...codes)
    return fake
  }

  /** Shell code of one of the programs from now on. */
  program(name: string, code: string): void {
    this.folder.write(`.qanat/bin/${name}`, `#!/bin/sh\n${code}\n`, 0o755)
  }

  /** Absolute path of a file that the programs read or write. */
  file(name: string): string {
    return join(this.folder.path, '.qanat', `slurm_${name}`)
  }

  /** What a program answers from now on; `explained` is what squeue says to `why`, and `refusal` what sbatch says instead of the id of the job that it takes all the same. */
  answer(program: 'queue' | 'sacct' | 'config' | 'refusal' | 'explained', text: string): void {
    this.folder.write(`.qanat/slurm_${program}`, text)
  }

  /** What squeue says of a task from now on. */
  queue(state: string, { job = 77, task = 0, restarts = 0, run = 1, ...facts }: QueueFacts = {}): void {
    const { name = `it_${run}`, comment = this.commentOf(job), reason = 'None' } = facts
    const { exit = '0:0', ended = '2026-03-01T11:00:00' } = facts
    const id = `${job}_${task}`
    const line = {
      ...anyJob,
      ...{ JobArrayID: id, State: state, RestartCnt: String(restarts), Name: name, Comment: comment },
      ...{ EndTime: ended, exit_code: exit, Reason: reason },
    }
    this.lines.set(id, `${Buffer.from(squeueLine(line), 'latin1')}\n`)
    this.answer('queue', [...this.lines.values()].join(''))
  }

  /** Has squeue list a task no more. */
  forget({ job = 77, task = 0 }: TaskFacts = {}): void {
    this.lines.delete(`${job}_${task}`)
    this.answer('queue', [...this.lines.values()].join(''))
  }

  /** The comment that a job was submitted with. */
  commentOf(job: number): string {
    return this.folder.read(`.qanat/slurm_job_${job}/comment`).trim()
  }

  /** The words that sbatch was called with for a job. */
  wordsOf(job: number): string[] {
    return this.folder.read(`.qanat/slurm_job_${job}/words`).split('\n').slice(0, -1)
  }

  /** From now on notes which programs are asked. @returns a function that tells those since it was last called */
  countAsked(): () => string[] {
    const asked = '.qanat/slurm_asked'
    for (const program of ['squeue', 'sacct', 'scontrol']) {
      const [first, ...code] = this.folder.read(`.qanat/bin/${program}`).split('\n')
      const noting = `echo ${program} >>${join(this.folder.path, asked)}`
      this.folder.write(`.qanat/bin/${program}`, [first, noting, ...code].join('\n'), 0o755)
    }
    return () => {
      const programs = this.folder.has(asked) ? this.folder.read(asked).split('\n').slice(0, -1) : []
      this.folder.write(asked, '')
      return programs
    }
  }

  /** Ids that scancel was called with so far. */
  cancelled(): string[] {
    if (!this.folder.has('.qanat/slurm_cancelled')) return []
    return this.folder.read('.qanat/slurm_cancelled').split('\n').slice(0, -1)
  }

  /** Launches a run of these groups. */
  async launch(...codes: string[]): Promise<void> {
    const { code: exit, stderr } = await this.folder.qanat('run', '--runner', 'slurm', 'it', ...groups(...codes))
    expect([exit, stderr]).toEqual([0, ''])
  }

  /** Runs a task as Slurm would. */
  async runJob({ job = 77, task = 0, restarts = 0 }: TaskFacts = {}): Promise<void> {
    const ids = `SLURM_ARRAY_JOB_ID=${job} SLURM_ARRAY_TASK_ID=${task} SLURM_RESTART_COUNT=${restarts}`
    const [script, first] = this.wordsOf(job).slice(-2)
    await this.folder.shell(`${ids} SLURMD_NODENAME=n1 sh ${quote(script!)} ${first}`)
  }

  /** A group of a run as it is shown. */
  async group(index = 0, run = 1): Promise<ShownGroup> {
    return (await this.folder.show(run)).group_list[index]
  }

  /** The first group of run 1 as it is shown once squeue says this of a task. */
  says(state: string, facts?: QueueFacts): Promise<ShownGroup> {
    this.queue(state, facts)
    return this.group()
  }
}
