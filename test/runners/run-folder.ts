import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobEnvironment } from '../../src/domain/job-environment.js'
import type { RunPlan } from '../../src/domain/runs/run-plan.js'
import { recordsFolder } from '../../src/runfolder/layout.js'
import { jobFiles } from '../../src/runners/job-script.js'
import { until } from '../e2e/project.js'
import { folderWith } from '../project/temporary.js'
import { plainEnvironment, planWith } from './plans.js'

/** What a test says of its run; the rest is plain. */
export interface Facts extends Partial<Omit<RunPlan, 'environment'>> {
  /** Text of `it.sh`. */
  readonly script?: string
  readonly groups?: readonly (readonly string[])[]
  readonly environment?: Partial<JobEnvironment>
}

/** The folder of a run in a project of its own, with the files that a launch leaves for its shells. */
export class RunFolder {
  readonly plan: RunPlan

  constructor({ script = '', groups = [[]], environment, ...facts }: Facts) {
    const project = folderWith({ 'it.sh': script })
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
    return Number(await until(text, told => told.endsWith('\n')))
  }
}
