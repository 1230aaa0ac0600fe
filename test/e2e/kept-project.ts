import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { thisMachine } from '../../src/system/process-identity.js'
import { Folder } from './project.js'

const fixture = fileURLToPath(new URL('../fixtures/live', import.meta.url))

/** Where the project of the fixture was, and its machine. */
const former = {
  root: '/tmp/qanat-fixture/project',
  host: 'workstation',
  machine: '"0123456789abcdef0123456789abcdef"',
}

/** The project that a release left in the middle of its runs, see test/fixtures/README.md. */
export class KeptProject {
  readonly folder: Folder
  private readonly machine: { readonly host: string; readonly machineId: string | null }

  /** @param isHere whether its runs were launched on this machine, which was started again since; else on another one */
  constructor(isHere: boolean) {
    this.machine = isHere ? thisMachine() : { host: former.host, machineId: JSON.parse(former.machine) }
    // The event log of HTCondor has the local time of the machine that wrote it.
    this.folder = new Folder({ TZ: 'UTC' })
    this.copy(join(fixture, 'project'), this.folder.path)
    for (const run of this.folder.list('results/it')) {
      for (const name of ['job.sh', 'environment.sh', 'frozen.sh']) {
        this.copy(join(fixture, name), join(this.folder.path, 'results/it', run, '.run', name))
      }
      this.renewIndex(`results/it/${run}/.run/plan`)
    }
    this.folder.inDatabase(database => database.exec(this.text('database.sql')))
    this.makeRepository()
  }

  /** Text of a file of the fixture, with the paths and the machine that the project has now. */
  text(name: string): string {
    return this.renamed(readFileSync(join(fixture, name), 'utf8'))
  }

  private renamed(text: string): string {
    return text
      .replaceAll(former.root, this.folder.path)
      .replaceAll(former.host, this.machine.host)
      .replaceAll(former.machine, JSON.stringify(this.machine.machineId))
  }

  private copy(from: string, to: string): void {
    if (statSync(from).isDirectory()) {
      mkdirSync(to, { recursive: true })
      for (const name of readdirSync(from))
        this.copy(join(from, name), join(to, this.renamed(name.replace(/^dot-/, '.'))))
    } else {
      writeFileSync(to, from.endsWith('.gz') ? readFileSync(from) : this.renamed(readFileSync(from, 'utf8')))
      chmodSync(to, statSync(from).mode)
    }
  }

  /** The paths in a plan have another length now: its index tells where each line begins, in eleven digits. */
  private renewIndex(plan: string): void {
    if (!this.folder.has(`${plan}.index`)) return
    const [header = '', ...lines] = this.folder.read(plan).split(/(?<=\n)/)
    let place = Buffer.byteLength(header)
    const index = lines.map(line => {
      const begin = place
      place += Buffer.byteLength(line)
      return `${String(begin).padStart(11)}\n`
    })
    this.folder.write(`${plan}.index`, index.join(''))
  }

  /** Makes the very commit that the runs are of, and its frozen copies. */
  private makeRepository(): void {
    const { folder } = this
    const date = '2026-01-01T00:00:00Z'
    Object.assign(folder.environment, { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date })
    folder.git('init', '--quiet', '--object-format=sha1')
    folder.git('-c', 'core.autocrlf=false', 'add', '--all')
    folder.git('-c', 'commit.gpgSign=false', 'commit', '--quiet', '--message', 'A project')
    const select = (column: string) =>
      this.folder.inDatabase(database =>
        database.prepare(`SELECT DISTINCT ${column} FROM runs WHERE ${column} NOTNULL`).pluck().all(),
      ) as string[]
    const commit = folder.git('rev-parse', 'HEAD').trim()
    expect(select('commit_sha')).toEqual([commit])
    for (const frozen of select('frozen')) {
      folder.git('worktree', 'add', '--quiet', '--detach', '--lock', frozen, commit)
    }
  }
}
