import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Pack } from '../../src/domain/job-environment.js'
import { packOf } from '../../src/domain/packs/pack.js'
import type { GroupRecord } from '../../src/domain/runs/group-record.js'
import { launchedCount } from '../../src/domain/runs/run-plan.js'
import { readPackJournals } from '../../src/runfolder/evidence/pack-journals.js'
import { recordsFolder } from '../../src/runfolder/layout.js'
import { packFiles } from '../../src/runners/job-script.js'
import { JobShell } from './job-shell.js'
import { type Facts, RunFolder } from './run-folder.js'

/** What a scheduler hands to a job of many groups. */
interface JobFacts {
  readonly first?: number
  readonly count?: number
  readonly job?: string
  readonly restarts?: number
  readonly generation?: number
  readonly variables?: NodeJS.ProcessEnv
}

/** The folder of a run whose jobs have many groups, as a launch leaves it. */
export class PackedRun extends RunFolder {
  private readonly pack: Pack

  /** @param time seconds that a job asks for; null for none */
  constructor(
    private readonly shell: string,
    { pack, time = null, ...facts }: Facts & { readonly pack: Pack; readonly time?: number | null },
  ) {
    super(facts, plan => packFiles(plan, packOf(pack, launchedCount(plan)), time))
    this.pack = packOf(pack, launchedCount(this.plan))
    const [script, { projectRoot }] = [this.read('.run/pack.sh')!, this.plan]
    const standIn = script
      .replaceAll('/proc/self/cgroup', `${projectRoot}/cgroup`)
      .replaceAll('/sys/fs/cgroup', `${projectRoot}/cgroup.d`)
    writeFileSync(this.path('.run/pack.sh'), standIn)
  }

  /** Gives its jobs a cgroup, in files of the project: what a group writes to `kills` is how many processes the kernel has killed. */
  withCgroup(version: 1 | 2): this {
    const { projectRoot } = this.plan
    const [line, file] =
      version === 1 ? ['4:memory:/job', 'memory/job/memory.oom_control'] : ['0::/job', 'job/memory.events']
    writeFileSync(`${projectRoot}/cgroup`, `9:name=systemd:/\n${line}\n`)
    mkdirSync(dirname(`${projectRoot}/cgroup.d/${file}`), { recursive: true })
    writeFileSync(`${projectRoot}/kills`, 'low 0\noom_kill 0\n')
    symlinkSync(`${projectRoot}/kills`, `${projectRoot}/cgroup.d/${file}`)
    return this
  }

  /** Starts a job, on the node `n1`. */
  start({ first = 0, job = '36_0', restarts = 0, generation = 0, variables = {}, ...facts }: JobFacts = {}): JobShell {
    const { count = Math.min(this.pack.groups, launchedCount(this.plan) - first) } = facts
    const numbers = [restarts, first, count, generation].map(String)
    return new JobShell(
      this.plan.projectRoot,
      this.shell,
      [this.path('.run/job.sh'), 'pack', '', 'n1', job, ...numbers],
      variables,
    )
  }

  /** Runs a job to its end, and returns its exit code. */
  run(facts: JobFacts = {}): Promise<number | null> {
    return this.start(facts).end()
  }

  /** The last thing that is recorded of a group. */
  lastOf(index: number): GroupRecord | null {
    const { records } = readPackJournals(this.plan.place.here, null, () => true)
    return records.find(({ record }) => record.index === index)?.record ?? null
  }

  /** The last records of all groups: `exit 0`, `start`, or nothing. */
  get ends(): string[] {
    return Array.from({ length: this.plan.groupCount }, (_, index) => {
      const record = this.lastOf(index)
      return record?.kind === 'end' ? `${record.outcome} ${record.code}` : (record?.kind ?? '')
    })
  }

  /** Process id of the worker of a slot in the first start of the first job. */
  worker(slot: number): number {
    return JSON.parse(/worker (.*)/.exec(this.read(recordsFolder, `pack_1_0.0.0_${slot}`)!)![1]!).pid
  }

  /** Makes a file in the project. */
  write(name: string): void {
    writeFileSync(`${this.plan.projectRoot}/${name}`, '')
  }

  /** The names of the journals. */
  get journals(): string[] {
    return readdirSync(this.path(recordsFolder)).sort()
  }
}
