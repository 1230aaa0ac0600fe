import { spawn } from 'node:child_process'
import { LifecycleProject } from '../clusters/lifecycle-project.js'
import { type Outcome, outcomeOf, runProgram } from './program.js'

/** A project on this machine, which the lifecycle suite and others can follow as those in the box. */
export class LocalProject extends LifecycleProject {
  constructor(
    folder: string,
    protected readonly program: string,
    readonly environment: NodeJS.ProcessEnv,
  ) {
    super(folder)
  }

  override qanat(...args: string[]): Promise<Outcome> {
    return runProgram(args, this.folder, this.environment, this.program)
  }

  override command(...words: string[]): Promise<Outcome> {
    const [program, ...others] = words as [string, ...string[]]
    const child = spawn(program, others, { cwd: this.folder, env: this.environment, stdio: ['ignore', 'pipe', 'pipe'] })
    return outcomeOf(child)
  }

  /** The same project with other variables around the commands. */
  with(environment: NodeJS.ProcessEnv): LocalProject {
    return new LocalProject(this.folder, this.program, { ...this.environment, ...environment })
  }
}
