import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inTurn } from './measure.js'
import { Project } from './project.js'

/** How long it takes to make the database again from the folders of runs. */
export const repairRows = [
  {
    name: 'repair',
    what: '`doctor --repair` of 4,000 runs: time for each',
    reference: 'of 1,000',
    target: '≤ 1.1×',
    measure() {
      const [many, few] = [projectWithRuns(4000), projectWithRuns(1000)]
      return inTurn(
        5,
        () => repair(many) / 4000,
        () => repair(few) / 1000,
      )
    },
  },
]

/** The folders of runs 2 to `count` are copies of the folder of run 1. */
function projectWithRuns(count) {
  const project = new Project(['noop'])
  project.run('noop', 2)
  const folder = id => join(project.path, `results/noop/run_${id}`)
  const record = readFileSync(join(folder(1), '.run/run.yaml'), 'utf8')
  for (let id = 2; id <= count; id++) {
    cpSync(folder(1), folder(id), { recursive: true })
    const { launch, ...run } = JSON.parse(record)
    const copy = { ...run, id, storagePath: `results/noop/run_${id}`, launch: { ...launch, token: `copy ${id}` } }
    writeFileSync(join(folder(id), '.run/run.yaml'), JSON.stringify(copy))
  }
  return project
}

/** Milliseconds that a repair takes of a project whose database is gone. */
function repair(project) {
  rmSync(join(project.path, '.qanat/database.db'))
  return project.qanat('doctor', '--repair')
}
