import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { type Outcome, program, until } from '../e2e/project.js'
import { inBox, sharedFolder } from './box.js'

/** Why the schedulers cannot be had here, or null. */
export const noBox = inject('noBox')

const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
}

/** What tests ask for of the JSON of a run and its groups. */
export interface ShownRun {
  readonly id: number
  readonly status: string
  readonly groups: Readonly<Record<string, number>>
  readonly storage_path: string
  readonly group_list: readonly {
    readonly index: number
    readonly status: string
    readonly cause: string | null
    readonly exit_code: number | null
    readonly signal: string | null
    readonly host: string | null
    readonly job_id: string | null
    readonly started: string | null
    readonly finished: string | null
    readonly attempt: number
  }[]
}

/** A project of the user `researcher`, on the login node of the cluster. */
export class ClusterProject {
  constructor(
    readonly folder: string,
    private readonly environment: NodeJS.ProcessEnv = {},
  ) {}

  /** Runs `qanat ARGS` on the login node, to its end. */
  qanat(...args: string[]): Promise<Outcome> {
    return this.command('node', program, ...args)
  }

  /** Any command there. */
  command(...words: string[]): Promise<Outcome> {
    return inBox(this.folder, words, { ...identity, ...this.environment })
  }

  /** The same project with other variables around the commands. */
  with(environment: NodeJS.ProcessEnv): ClusterProject {
    return new ClusterProject(this.folder, { ...this.environment, ...environment })
  }

  /** `qanat ARGS --json`, read. */
  async json<Value = any>(...args: string[]): Promise<Value> {
    const { stdout, stderr } = await this.qanat(...args)
    try {
      return JSON.parse(stdout) as Value
    } catch {
      throw new Error(`not JSON: ${stdout}\n${stderr}`)
    }
  }

  /** Launches a run and returns it as it was submitted. */
  launch(runner: string, ...args: string[]): Promise<ShownRun> {
    return this.json<ShownRun>('run', '--json', '--detach', '--runner', runner, ...args)
  }

  /** A run with its groups. */
  show(id: number): Promise<ShownRun> {
    return this.json<ShownRun>('run_show', 'it', String(id), '--json')
  }

  /** A run once it is as expected; a scheduler may take its time. */
  async when(id: number, isExpected: (run: ShownRun) => boolean): Promise<ShownRun> {
    return until(() => this.show(id), isExpected, 150)
  }

  /** A run once it has that status. */
  whenStatus(id: number, status: string): Promise<ShownRun> {
    return this.when(id, run => run.status === status)
  }

  path(...parts: string[]): string {
    return join(this.folder, ...parts)
  }

  /** Text of a file of the project; empty where there is none. */
  read(...parts: string[]): string {
    const path = this.path(...parts)
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true })
    writeFileSync(this.path(path), text, { mode: 0o755 })
    execFileSync('chown', ['-R', '1000:1000', this.folder])
  }

  async commit(message: string): Promise<void> {
    await this.command('git', 'add', '--all')
    await this.command('git', 'commit', '--quiet', '--message', message)
  }
}

/**
 * A project with the experiment `it`, which is `sh it.sh`.
 * @param script text of `it.sh`
 * @param templates what stands under `local`, `slurm` and `htcondor` in its settings, as YAML
 */
export async function clusterProject(script: string, templates = '', name = 'project'): Promise<ClusterProject> {
  const project = new ClusterProject(sharedFolder(name))
  project.write('it.sh', script)
  project.write('it.yaml', 'name: it\nexecutable: it.sh\nexecutable_command: sh\n')
  const { code, stderr } = await project.qanat('init', '--yes')
  if (code !== 0) throw new Error(stderr)
  project.write('.qanat/config.yaml', `poll_interval: 1\n${templates}`)
  await project.qanat('experiment', 'new', '-f', 'it.yaml')
  await project.commit('it')
  return project
}
