import { writeFileSync } from 'node:fs'
import type { GroupRecord } from '../../src/domain/runs/group-record.js'
import { planWithIndex } from '../../src/domain/runs/run-plan.js'
import { lastRecord } from '../../src/runfolder/evidence/group-journals.js'
import { recordsFolder } from '../../src/runfolder/layout.js'
import { JobShell } from './job-shell.js'
import { type Facts, RunFolder } from './run-folder.js'

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
    const { lines, index } = planWithIndex(this.plan)
    writeFileSync(this.path('.run/plan'), [...lines].join(''))
    writeFileSync(this.path('.run/plan.index'), [...index].join(''))
  }

  /** Starts the job of a group, on the node `n1`. */
  start({ index = 0, job = `36_${index}`, restarts = 0, before = '' }: JobFacts = {}): JobShell {
    const journal = this.path(recordsFolder, String(index))
    const words = [this.shell, this.path('.run/job.sh'), 'task', journal, 'n1', job, String(restarts), String(index)]
    return new JobShell(this.plan.projectRoot, 'sh', ['-c', `${before}\nexec "$@"`, 'sh', ...words])
  }

  /** Starts the job of the first group, and waits until scripts tell of these processes. */
  async begin(...processes: string[]): Promise<{ job: JobShell; pids: number[] }> {
    return { job: this.start(), pids: await this.processes(...processes) }
  }

  /** Runs the job of a group to its end, and returns its exit code. */
  run(facts: JobFacts = {}): Promise<number | null> {
    return this.start(facts).end()
  }

  /** The last thing that is recorded of a group. */
  lastOf(index = 0): GroupRecord | null {
    return lastRecord(this.plan.place.here, index, this.plan.attempt)
  }
}
