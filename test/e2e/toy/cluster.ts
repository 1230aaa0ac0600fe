import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LocalProject } from '../local-project.js'
import { Folder, projectWith } from '../project.js'

/** Folder of the scheduler. */
export const programs = fileURLToPath(new URL('.', import.meta.url))

const checkout = join(programs, '../../..')
const runner = 'test/e2e/toy/toy.ts'
const sources = ['src', 'bin', '.qanat-template', 'build.js', 'package.json', 'tsconfig.json', runner, 'docs']

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
    const env = { ...process.env, ...this.environment }
    this.scheduler = spawn(join(programs, 'toy'), ['serve', String(slots)], { env, stdio: 'ignore' })
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
    const path = join(new Folder().path, name)
    renameSync(base.path, path)
    const project = new LocalProject(path, this.program, { ...base.environment, ...this.environment })
    project.write('.qanat/config.yaml', `poll_interval: 0.1\ngrace: 0.9\n${templates}`)
    await project.commit('settings')
    return project
  }
}

/**
 * Builds the program with one runner more, in a folder of its own, as if somebody had added it: a file, and its line in the
 * registry. @returns path of what users run
 */
function buildWithToy(folder: string): string {
  for (const source of sources) cpSync(join(checkout, source), join(folder, source), { recursive: true })
  symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'))
  const path = join(folder, 'src/runners/index.ts')
  const registry = readFileSync(path, 'utf8')
  const text = registry.replace(/^export const runnerKinds\b.*\[$/m, '$&\n  toyKind as RunnerKind,')
  if (text === registry) throw new Error('the registry of the runners is not as this test knows it')
  writeFileSync(path, `import { toyKind } from '../../${runner.replace(/ts$/, 'js')}'\n${text}`)
  execFileSync(process.execPath, ['build.js'], { cwd: folder, stdio: 'inherit' })
  return join(folder, 'bin/run.js')
}
