import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readChanges } from '../../src/code/tree-state.js'
import { folderWith } from '../project/temporary.js'

const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
}

/** A repository whose first commit holds these files. */
export class Repository {
  readonly folder: string

  constructor(files: Readonly<Record<string, string>>) {
    this.folder = realpathSync(folderWith(files))
    this.git('init', '--quiet', '--initial-branch=main', '--template=')
    this.commit()
  }

  git(...args: string[]): string {
    const env = { ...process.env, ...identity }
    return execFileSync('git', args, { cwd: this.folder, env, encoding: 'utf8', stdio: 'pipe' })
  }

  commit(): void {
    this.git('add', '--all')
    // Without the process that looks whether there is something to tidy up.
    this.git('-c', 'maintenance.auto=false', 'commit', '--quiet', '--allow-empty', '--message', 'A commit')
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    writeFileSync(join(this.folder, path), text)
  }

  head(): string {
    return this.git('rev-parse', 'HEAD').trim()
  }

  /** What git says of the tree, as the program asks for it. */
  changes(): string[] {
    const status = this.git('status', '--porcelain=v2', '--branch', '-z', '--untracked-files=normal')
    return readChanges(status).map(({ code, path }) => `${code} ${path}`)
  }
}
