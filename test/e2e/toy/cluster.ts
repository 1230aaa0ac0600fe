import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LocalProject } from '../local-project.js'
import { Folder, projectWith } from '../project.js'
import { buildWithToy } from './program.js'

/** Folder of the scheduler. */
export const programs = fileURLToPath(new URL('.', import.meta.url))

/** The scheduler `toy` on this machine, and a program that knows it. */
export class ToyCluster {
  private readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'qanat-toy-')))
  private readonly environment = {
    TOY: join(this.folder, 'queue'),
    PATH: `${programs}${delimiter}${process.env.PATH}`,
    // For the compiled form of the program, which nobody else runs.
    XDG_CACHE_HOME: this.folder,
  }
  private readonly program: string
  private readonly scheduler: ChildProcess

  /** @param slots how many tasks run at a time */
  constructor(slots: number) {
    this.program = buildWithToy(this.folder)
    mkdirSync(this.environment.TOY)
    this.scheduler = spawn(join(programs, 'toy'), ['serve', String(slots)], {
      env: { ...process.env, ...this.environment },
      stdio: 'ignore',
    })
  }

  /** Ends the scheduler and all that it runs. */
  async end(): Promise<void> {
    this.scheduler.kill()
    await once(this.scheduler, 'close')
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** A project with the experiment `it`, which is `sh it.sh`. */
  async project(script: string, templates = '', name = 'project'): Promise<LocalProject> {
    const base = await projectWith(script)
    const parent = new Folder()
    renameSync(base.path, join(parent.path, name))
    const project = new LocalProject(join(parent.path, name), this.program, {
      ...base.environment,
      ...this.environment,
    })
    project.write('.qanat/config.yaml', `poll_interval: 0.1\ngrace: 0.9\n${templates}`)
    await project.commit('settings')
    return project
  }
}
