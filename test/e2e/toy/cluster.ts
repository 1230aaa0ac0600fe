import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildChanged } from '../changed-program.js'
import { LocalProject } from '../local-project.js'
import { Folder, projectWith } from '../project.js'

/** Folder of the scheduler. */
export const programs = fileURLToPath(new URL('.', import.meta.url))

const runner = 'test/e2e/toy/toy.ts'

/** One runner more: its line in the registry. */
const changes = {
  'src/runners/index.ts': [
    [/^/, `import { toyKind } from '../../${runner.replace(/ts$/, 'js')}'\n`],
    [/^export const runnerKinds\b.*\[$/m, '$&\n  toyKind as RunnerKind,'],
  ],
} as const

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
    this.program = buildChanged(this.folder, [runner], changes)
    mkdirSync(this.environment.TOY)
    const env = { ...process.env, ...this.environment }
    this.scheduler = spawn(join(programs, 'toy'), ['serve', String(slots)], { env, stdio: 'ignore' })
  }

  /** Ends the scheduler and all that it runs. */
  async end(): Promise<void> {
    this.scheduler.kill()
    await once(this.scheduler, 'close')
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }

  /** A project with the experiment `it`, which is `sh it.sh`. */
  async project(script: string, templates = '', name = 'project'): Promise<LocalProject> {
    const base = await projectWith(script)
    const path = join(new Folder().path, name)
    renameSync(base.path, path)
    const project = new LocalProject(path, this.program, { ...base.environment, ...this.environment })
    project.write('.qanat/config.yaml', `poll_interval: 0.1\ngrace: 0.9\n${templates}`)
    await project.commit('settings')
    return project
  }
}
