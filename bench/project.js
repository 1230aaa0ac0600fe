import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { millisecondsOf } from './measure.js'

export const program = fileURLToPath(new URL('../bin/run.js', import.meta.url))

const folders = new Set()
process.on('exit', () => {
  for (const folder of folders) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    } catch (error) {
      // A scheduler may go on writing there about jobs that were removed: no reason to lose what was measured.
      console.error(`${folder} was left: ${error.message}`)
    }
  }
})

/** A folder of its own, gone when the benchmark ends, whatever way. */
export function temporaryFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'qanat-bench-')))
  folders.add(folder)
  return folder
}

const identity = {
  GIT_AUTHOR_NAME: 'Bench',
  GIT_AUTHOR_EMAIL: 'bench@example.org',
  GIT_COMMITTER_NAME: 'Bench',
  GIT_COMMITTER_EMAIL: 'bench@example.org',
}

/** A project whose experiments all run a script that does nothing. */
export class Project {
  path = temporaryFolder()
  // The compiled program is kept with the project: the first start is not one that users wait for again.
  environment = { ...process.env, ...identity, XDG_CACHE_HOME: join(this.path, '.cache') }

  /** @param experiments their names */
  constructor(experiments) {
    mkdirSync(join(this.path, 'definitions'))
    writeFileSync(join(this.path, 'noop.sh'), 'exit 0\n')
    writeFileSync(join(this.path, '.gitignore'), '.cache/\n')
    for (const name of experiments) {
      const text = `name: ${name}\ndescription: Does nothing\nexecutable: noop.sh\nexecutable_command: sh\n`
      writeFileSync(join(this.path, 'definitions', `${name}.yaml`), text)
    }
    this.git('init', '--quiet')
    this.git('add', '--all')
    this.git('commit', '--quiet', '--message', 'Experiments that do nothing')
    this.qanat('init', '--yes')
    for (const name of experiments) this.qanat('experiment', 'new', '-f', `definitions/${name}.yaml`)
  }

  git(...args) {
    execFileSync('git', args, { cwd: this.path, env: this.environment, stdio: 'pipe' })
  }

  /** Milliseconds that `qanat ARGS` takes. */
  qanat(...args) {
    return millisecondsOf(process.execPath, [program, ...args], { cwd: this.path, env: this.environment })
  }

  /** Milliseconds that a run of so many groups takes in the foreground, two at a time. */
  run(experiment, groups) {
    return this.qanat('run', experiment, '-R', `--seed 0 ${groups} 1`, '--n_threads', '2')
  }
}
