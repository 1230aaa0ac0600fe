import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { awaits, type Outcome, until } from '../e2e/project.js'

type ShownGroup = Readonly<
  Record<'status', string> &
    Record<'index' | 'attempt', number> &
    Record<'cause' | 'signal' | 'host' | 'job_id' | 'started' | 'finished', string | null> &
    Record<'exit_code', number | null>
>

/** What tests ask for of the JSON of a run and its groups. */
export interface ShownRun {
  readonly id: number
  readonly status: string
  readonly groups: Readonly<Record<string, number>>
  readonly group_list: readonly ShownGroup[]
}

/** Makes a project with the experiment `it`, which runs a script, and has these templates for its runners, as YAML. */
export type MakeProject = (script: string, templates?: string, name?: string) => Promise<LifecycleProject>

/** Shell code that says that it runs, and goes on until a gate is open. */
export function saysAndAwaits(gate: string): string {
  return `echo begun >>"$QANAT_PROJECT/.qanat/log"; ${awaits(gate)}`
}

/** The most groups that were between their signs `+` and `-` at a time, and how many signs there are. */
export function mostAtATime(log: string): { most: number; signs: number } {
  const signs = log.trim().split('\n')
  const running = signs.map((_, at) => signs.slice(0, at + 1).reduce((sum, sign) => sum + (sign === '+' ? 1 : -1), 0))
  return { most: Math.max(...running), signs: signs.length }
}

/** A project whose runs are followed; where its commands run is for the classes that extend this one. */
export abstract class LifecycleProject {
  constructor(readonly folder: string) {}

  /** Runs a command in the folder, to its end. */
  abstract command(...words: string[]): Promise<Outcome>

  /** Runs `qanat ARGS` there, to its end. */
  abstract qanat(...args: string[]): Promise<Outcome>

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

  /** A run once it is as expected. */
  async when(id: number, isExpected: (run: ShownRun) => boolean): Promise<ShownRun> {
    return until(() => this.show(id), isExpected)
  }

  /** A run once it has that status. */
  whenStatus(id: number, status: string): Promise<ShownRun> {
    return this.when(id, run => run.status === status)
  }

  /** Lets what awaits a gate go on. */
  open(...gates: string[]): void {
    for (const gate of gates) this.write(`.qanat/gate_${gate}`, '')
  }

  /** Resolves once groups have begun so many times, see {@link saysAndAwaits}. */
  async begun(times = 1): Promise<void> {
    await until(() => this.read('.qanat/log').split('begun').length > times)
  }

  path(...parts: string[]): string {
    return join(this.folder, ...parts)
  }

  /** The same path as jobs see it. */
  there(...parts: string[]): string {
    return this.path(...parts)
  }

  /** Text of a file of the project; empty where there is none. */
  read(...parts: string[]): string {
    const path = this.path(...parts)
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true })
    writeFileSync(this.path(path), text, { mode: 0o755 })
  }

  async commit(message: string): Promise<void> {
    await this.command('sh', '-c', 'git add --all && git commit --quiet --message "$0"', message)
  }
}
