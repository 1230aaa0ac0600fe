import { join } from 'node:path'
import { expect } from 'vitest'
import { squeueLine } from '../../runners/slurm/squeue-line.js'
import { type Folder, groups, type Outcome, quote, shellProject } from '../project.js'

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
  readonly started?: string
  readonly ended?: string
}

/**
 * A Slurm that says what no real one can be made to say on demand: programs on the PATH that print what files hold.
 * Jobs are run by the test, by the very script that was submitted.
 */
export class FakeSlurm {
  /** Lines of the queue by the id of their task. */
  private readonly lines = new Map<string, string>()

  private constructor(readonly folder: Folder) {}

  /**
   * @param templates further submit templates, as YAML
   * @param project where it runs, else one with the experiment `it`, which runs its first argument as shell code
   */
  static async start(templates = '', project?: Folder): Promise<FakeSlurm> {
    const fake = new FakeSlurm(project ?? (await shellProject()))
    const { folder } = fake
    folder.environment.PATH = `${join(folder.path, '.qanat/bin')}:${process.env.PATH}`
    folder.write('.qanat/slurm_taken', lineOf('JOB_0', 'PENDING', { name: 'it_1', comment: '@'.repeat(44) }))
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
    const answers = `*%o*) echo jobs ;; *--Format=*) echo queue ;; *) echo explained ;;`
    fake.program('squeue', `cat ${fake.file(`$(case $* in ${answers} esac)`)} 2>/dev/null`)
    fake.program('sacct', `sh ${fake.file('sacct')}`)
    fake.program('scontrol', `cat ${fake.file('config')}`)
    fake.program('scancel', `printf '%s\\n' "$@" >>${fake.file('cancelled')}`)
    fake.answer('explained', '')
    fake.answer('config', 'ClusterName = fake\nMaxArraySize = 1001\n')
    fake.answer('sacct', 'echo "Slurm accounting storage is disabled" >&2; exit 1\n')
    folder.write('.qanat/config.yaml', `poll_interval: 0.001\nslurm:\n  default: {}\n${templates}`)
    folder.commit()
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

  /** Has one of the programs do something else first from now on. */
  before(name: string, code: string): void {
    this.program(name, `${code}\n${this.folder.read(`.qanat/bin/${name}`)}`)
  }

  /** Absolute path of a file that the programs read or write. */
  file(name: string): string {
    return join(this.folder.path, '.qanat', `slurm_${name}`)
  }

  /**
   * What a program answers from now on; `explained` is what squeue says to `why`, and `refusal` what sbatch says instead
   * of the id of the job that it takes all the same.
   */
  answer(program: 'queue' | 'jobs' | 'sacct' | 'config' | 'refusal' | 'explained', text: string): void {
    this.folder.write(`.qanat/slurm_${program}`, text)
  }

  /** What squeue says of a task from now on. */
  queue(state: string, { job = 77, task = 0, restarts = 0, run = 1, ...facts }: QueueFacts = {}): void {
    const defaults = { name: `it_${run}`, comment: this.commentOf(job) }
    this.lines.set(`${job}_${task}`, lineOf(`${job}_${task}`, state, { ...defaults, ...facts, restarts }))
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
    return this.told(`job_${job}/words`)
  }

  /** The jobs that were submitted so far, by id and name. */
  taken(): [number, string][] {
    return this.told('jobs')
      .map(line => line.split('|'))
      .map(([job, name]) => [Number(job), name!])
  }

  /** Ids that scancel was called with so far. */
  cancelled(): string[] {
    return this.told('cancelled')
  }

  /** The lines that a program has written to a file. */
  told(name: string): string[] {
    return this.folder.has(`.qanat/slurm_${name}`)
      ? this.folder.read(`.qanat/slurm_${name}`).split('\n').slice(0, -1)
      : []
  }

  /** Runs `qanat` with the words of a line. */
  qanat(line: string): Promise<Outcome> {
    return this.folder.qanat(...line.split(' '))
  }

  /** Launches a run of these groups. */
  async launch(...codes: string[]): Promise<void> {
    const launched = await this.folder.qanat('run', '--runner', 'slurm', 'it', ...groups(...codes))
    expect(launched).toMatchObject({ code: 0, stderr: '' })
  }

  /** Runs a task as Slurm would. */
  async runJob({ job = 77, task = 0, restarts = 0 }: TaskFacts = {}): Promise<void> {
    const ids = `SLURM_ARRAY_JOB_ID=${job} SLURM_ARRAY_TASK_ID=${task} SLURM_RESTART_COUNT=${restarts}`
    const words = this.wordsOf(job)
    const [script, ...numbers] = words.slice(words.findIndex(word => word.endsWith('/slurm.sh')))
    await this.folder.shell(`${ids} SLURMD_NODENAME=n1 sh ${quote(script!)} ${numbers.join(' ')}`)
  }

  /** Runs the first tasks of a job, and has squeue say that they have ended with these codes. */
  async end(exits: readonly number[], job = 77): Promise<void> {
    for (const [task, exit] of exits.entries()) {
      await this.runJob({ job, task })
      this.queue(exit === 0 ? 'COMPLETED' : 'FAILED', { job, task, exit: `${exit}:0` })
    }
  }

  /** A group of a run as it is shown. */
  async group(index = 0, run = 1): Promise<any> {
    return (await this.folder.show(run)).group_list[index]
  }

  /** The first group of run 1 as it is shown once squeue says this of a task. */
  says(state: string, facts?: QueueFacts): Promise<any> {
    this.queue(state, facts)
    return this.group()
  }

  /** Expects that a group of run 1 has this status however often somebody looks. */
  async stays(status: string, index = 0, looks = 4): Promise<void> {
    for (let look = 0; look < looks; look++) expect((await this.group(index)).status).toBe(status)
  }
}

/** The line of squeue for a task. */
function lineOf(id: string, state: string, facts: QueueFacts): string {
  const { name = '', comment = '', restarts = 0, reason = 'None', exit = '0:0' } = facts
  const { started = '2026-03-01T10:00:00', ended = '2026-03-01T11:00:00' } = facts
  const line = squeueLine({
    ...{ JobArrayID: id, State: state, RestartCnt: `${restarts}`, StartTime: started, EndTime: ended },
    ...{ exit_code: exit, Name: name, Comment: comment, NodeList: 'n1', Reason: reason },
  })
  return `${Buffer.from(line, 'latin1')}\n`
}
