import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobEnvironment } from '../../src/domain/job-environment.js'
import type { RunPlan } from '../../src/domain/runs/run-plan.js'
import { recordsFolder } from '../../src/runfolder/layout.js'
import { jobFiles } from '../../src/runners/job-script.js'
import { until } from '../e2e/project.js'
import { folderWith } from '../project/temporary.js'
import { placeAt, plainEnvironment, planWith } from './plans.js'

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

  constructor({ script = '', groups = [[]], environment, ...facts }: Facts, filesOf = jobFiles) {
    const project = folderWith({ 'it.sh': script })
    this.plan = planWith({
      projectRoot: project,
      workingDirectory: project,
      place: placeAt(join(project, 'results/it/run_1')),
      groupCount: groups.length,
      argumentsOf: index => groups[index]!,
      environment: { ...plainEnvironment, ...environment },
      ...facts,
    })
    mkdirSync(this.path(recordsFolder), { recursive: true })
    for (const { path, text } of filesOf(this.plan))
      if (!existsSync(this.path(path))) writeFileSync(this.path(path), [...text].join(''))
  }

  /** Absolute path in the folder of the run. */
  path(...parts: string[]): string {
    return join(this.plan.place.here, ...parts)
  }

  /** Text of a file in the folder of the run; null where there is none. */
  read(...parts: string[]): string | null {
    const path = this.path(...parts)
    return existsSync(path) ? readFileSync(path, 'utf8') : null
  }

  /** Ids of processes that scripts tell of (see {@link tells}), once they have. */
  processes(...names: string[]): Promise<number[]> {
    const told = names.map(name =>
      until(
        () => this.read('../../..', `pid_${name}`) ?? '',
        text => text.endsWith('\n'),
      ),
    )
    return Promise.all(told.map(async text => Number(await text)))
  }

  /** The events that were noted in the project (see {@link notes}), in their order. */
  order(): string[] {
    return this.read('../../../order')?.split('\n').slice(0, -1) ?? []
  }
}

/** Put into a script, tells the test the id of a process: see {@link RunFolder.processes}. */
export function tells(name: string, pid = '$$'): string {
  return `echo ${pid} >"$QANAT_PROJECT/pid_${name}"\n`
}

/** Shell code that notes in the order of events that it came there: see {@link RunFolder.order}. */
export function notes(event: string): string {
  return `echo "${event}" >>"$QANAT_PROJECT/order"\n`
}

/** A folder with these programs, each written in `sh`. */
export function programsIn(scripts: Readonly<Record<string, string>>): string {
  const folder = folderWith(
    Object.fromEntries(Object.entries(scripts).map(([name, text]) => [name, `#!/bin/sh\n${text}\n`])),
  )
  for (const name of Object.keys(scripts)) chmodSync(join(folder, name), 0o755)
  return folder
}

/** A PATH on which these programs come first. */
export function pathWith(scripts: Readonly<Record<string, string>>): { PATH: string } {
  return { PATH: `${programsIn(scripts)}:${process.env.PATH}` }
}
