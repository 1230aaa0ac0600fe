import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import type { GroupRecord } from '../../src/domain/runs/group-record.js'
import { planLines, planPlaces } from '../../src/domain/runs/run-plan.js'
import { lastRecord } from '../../src/runfolder/evidence/group-journals.js'
import { recordsFolder } from '../../src/runfolder/layout.js'
import { type Facts, RunFolder } from './run-folder.js'
import { endAllOf } from './worker.js'

/** What a scheduler hands to a job. */
interface JobFacts {
  readonly index?: number
  readonly job?: string
  readonly restarts?: number
  /** Shell lines that run before it. */
  readonly before?: string
}

/** The folder of a run, as a launch leaves it for the jobs of a scheduler. */
export class TaskRun extends RunFolder {
  private readonly shell: string

  constructor(shell: string, facts: Facts) {
    super(facts)
    this.shell = shell
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
