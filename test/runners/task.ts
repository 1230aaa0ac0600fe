import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { JobEnvironment } from '../../src/domain/job-environment.js'
import type { GroupRecord } from '../../src/domain/runs/group-record.js'
import { planLines, planPlaces, type RunPlan } from '../../src/domain/runs/run-plan.js'
import { lastRecord } from '../../src/runfolder/evidence/group-journals.js'
import { recordsFolder } from '../../src/runfolder/layout.js'
import { jobFiles } from '../../src/runners/job-script.js'
import { until } from '../e2e/project.js'
import { folderWith } from '../project/temporary.js'
import { plainEnvironment, planWith } from './plans.js'
import { endAllOf } from './worker.js'

interface Facts extends Partial<Omit<RunPlan, 'environment'>> {
  /** Text of `it.sh`. */
  readonly script?: string
  readonly groups?: readonly (readonly string[])[]
  readonly environment?: Partial<JobEnvironment>
}

/** What a scheduler hands to a job. */
interface JobFacts {
  readonly index?: number
  readonly job?: string
  readonly restarts?: number
  /** Shell lines that run before it. */
  readonly before?: string
}

/** The folder of a run, as a launch leaves it for the jobs of a scheduler. */
export class TaskRun {
  readonly plan: RunPlan
  private readonly shell: string

  constructor(shell: string, { script = '', groups = [[]], environment, ...facts }: Facts) {
    const project = folderWith({ 'it.sh': script })
    this.shell = shell
    this.plan = planWith({
      projectRoot: project,
      workingDirectory: project,
      storagePath: join(project, 'results/it/run_1'),
      groupCount: groups.length,
      argumentsOf: index => groups[index]!,
      environment: { ...plainEnvironment, ...environment },
      ...facts,
    })
    mkdirSync(this.path(recordsFolder), { recursive: true })
    for (const { path, text } of jobFiles(this.plan)) writeFileSync(this.path(path), [...text].join(''))
    writeFileSync(this.path('.run/plan'), [...planLines(this.plan)].join(''))
    writeFileSync(this.path('.run/plan.index'), [...planPlaces([...planLines(this.plan)])].join(''))
  }

  /** Starts the job of a group, on the node `n1`. */
  start({ index = 0, job = `36_${index}`, restarts = 0, before = '' }: JobFacts = {}): TaskJob {
    const journal = this.path(recordsFolder, String(index))
    const words = [this.shell, this.path('.run/job.sh'), 'task', journal, 'n1', job, String(restarts), String(index)]
    const child = spawn('sh', ['-c', `${before}\nexec "$@"`, 'sh', ...words], { detached: true })
    onTestFinished(() => endAllOf(this.plan.projectRoot, child.pid!))
    return new TaskJob(child)
  }

  /** Runs the job of a group to its end, and returns its exit code. */
  run(facts: JobFacts = {}): Promise<number | null> {
    return this.start(facts).end()
  }

  /** Absolute path in the folder of the run. */
  path(...parts: string[]): string {
    return join(this.plan.storagePath, ...parts)
  }

  /** Text of a file in the folder of the run; null where there is none. */
  read(...parts: string[]): string | null {
    const path = this.path(...parts)
    return existsSync(path) ? readFileSync(path, 'utf8') : null
  }

  /** Id of a process that a script tells of (see `tells`), once it has. */
  async process(name: string): Promise<number> {
    const file = join(this.plan.projectRoot, `pid_${name}`)
    const text = () => (existsSync(file) ? readFileSync(file, 'utf8') : '')
    return Number(await until(() => text().endsWith('\n') && text()))
  }

  /** The last thing that is recorded of a group. */
  lastOf(index = 0): GroupRecord | null {
    return lastRecord(this.plan.storagePath, index, this.plan.attempt)
  }
}

/** A job of a scheduler. */
class TaskJob {
  stdout = ''
  stderr = ''
  private readonly child: ChildProcess
  private readonly exit: Promise<[code: number | null]>

  constructor(child: ChildProcess) {
    this.child = child
    this.exit = once(child, 'close') as Promise<[code: number | null]>
    child.stdout!.on('data', chunk => (this.stdout += chunk))
    child.stderr!.on('data', chunk => (this.stderr += chunk))
  }

  /** The exit code with which it has ended. */
  async end(): Promise<number | null> {
    return (await this.exit)[0]
  }

  /** A signal to its shell alone, as `--signal=B:…` of sbatch sends it; then the exit code. */
  endAfter(signal: NodeJS.Signals): Promise<number | null> {
    this.signal(signal)
    return this.end()
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.child.pid!, signal)
  }
}
