import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inTurn } from './measure.js'
import { Project, temporaryFolder } from './project.js'

/** What a frozen copy adds to a launch. */
export const frozenRows = [10, 50_000].flatMap(files => [
  {
    name: 'frozen',
    what: `one group in a frozen copy that is used again, ${files.toLocaleString('en')} files`,
    reference: 'in the tree',
    target: '≤ 1.5×',
    measure: () => again(files),
  },
  {
    name: 'frozen',
    what: `one group in the first frozen copy of a commit, ${files.toLocaleString('en')} files`,
    reference: '`git worktree add`, and in the tree',
    target: '≤ 1.2×',
    measure: () => first(files),
  },
])

function again(files) {
  const project = withFiles(files)
  return inTurn(
    5,
    () => project.qanat('run', '--snapshot', 'always', 'noop'),
    () => project.qanat('run', 'noop'),
  )
}

function first(files) {
  const project = withFiles(files)
  const worktree = join(temporaryFolder(), 'worktree')
  return inTurn(
    5,
    () => {
      project.git('commit', '--quiet', '--allow-empty', '--message', 'Another commit')
      const took = project.qanat('run', '--snapshot', 'always', 'noop')
      project.qanat('cache', 'clean')
      return took
    },
    () => {
      const started = performance.now()
      project.git('worktree', 'add', '--quiet', '--detach', worktree)
      const took = performance.now() - started + project.qanat('run', 'noop')
      project.git('worktree', 'remove', worktree)
      return took
    },
  )
}

/** A project of so many small files more. */
function withFiles(count) {
  const project = new Project(['noop'])
  for (let number = 0; number < count; number++) {
    const folder = join(project.path, 'files', String(number % 500))
    if (number < 500) mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${number}.txt`), `${number}\n`)
  }
  project.git('add', '--all')
  project.git('commit', '--quiet', '--message', 'Many files')
  return project
}
