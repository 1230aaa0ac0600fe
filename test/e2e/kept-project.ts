import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { Folder } from './project.js'

/** Where the projects were that the fixtures are of. */
const formerRoot = '/tmp/qanat-fixture/project'

/** A project that an earlier version left in the middle of its runs, and what is known of what came later. */
export class KeptProject {
  readonly folder: Folder
  private readonly fixture: string

  /**
   * @param name of the fixture, see test/fixtures/README.md
   * @param environment of the commands
   */
  constructor(name: string, environment: NodeJS.ProcessEnv = {}) {
    this.fixture = fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))
    // The event logs of HTCondor have the local time of the machine that wrote them.
    this.folder = new Folder({ TZ: 'UTC', ...environment })
    this.unpack('project', '.')
    this.renewIndexes()
    this.makeRepository()
  }

  /** Copies a folder of the fixture into the project, as if it had always been there. */
  unpack(from: string, to: string): void {
    this.copy(join(this.fixture, from), join(this.folder.path, to))
  }

  /** Text of a file of the fixture, with the paths that the project has now. */
  text(name: string): string {
    return readFileSync(join(this.fixture, name), 'utf8').replaceAll(formerRoot, this.folder.path)
  }

  /** Names in a folder of the fixture. */
  list(name: string): string[] {
    return readdirSync(join(this.fixture, name))
  }

  /** Changes the database before any program of today has opened it. */
  inDatabase<Result>(work: (database: Database.Database) => Result): Result {
    const database = new Database(join(this.folder.path, '.qanat/database.db'))
    try {
      return work(database)
    } finally {
      database.close()
    }
  }

  /** Gives the host that the runs were launched on another name. */
  renameHost(from: string, to: string): void {
    const renamed = (path: string) => writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to))
    const results = join(this.folder.path, 'results')
    const records = (readdirSync(results, { recursive: true }) as string[]).filter(path =>
      /\.run\/(records\/.*|run\.yaml|(.*\/)?supervisor\.json)$/.test(path),
    )
    for (const path of records) renamed(join(results, path))
    this.inDatabase(database => {
      const rename = (table: string, ...columns: string[]) => {
        const changes = columns.map(column => `${column} = replace(${column}, @from, @to)`)
        database.prepare(`UPDATE ${table} SET ${changes.join(', ')}`).run({ from, to })
      }
      rename('runs', 'host')
      rename('groups', 'host')
      rename('launches', 'launcher', 'handles')
    })
  }

  private copy(from: string, to: string): void {
    if (statSync(from).isDirectory()) {
      mkdirSync(to, { recursive: true })
      for (const name of readdirSync(from)) this.copy(join(from, name), join(to, name.replace(/^dot-/, '.')))
    } else {
      const content = readFileSync(from)
      const isText = !from.endsWith('.db')
      writeFileSync(to, isText ? content.toString().replaceAll(formerRoot, this.folder.path) : content)
      chmodSync(to, statSync(from).mode)
    }
  }

  /** The paths in a plan have another length now: its index tells where each line begins, in eleven digits. */
  private renewIndexes(): void {
    for (const run of this.folder.list('results/it')) {
      const plan = `results/it/${run}/.run/plan`
      if (!this.folder.has(`${plan}.index`)) continue
      const [header = '', ...lines] = this.folder.read(plan).split(/(?<=\n)/)
      let place = Buffer.byteLength(header)
      const index = lines.map(line => {
        const begin = place
        place += Buffer.byteLength(line)
        return `${String(begin).padStart(11)}\n`
      })
      this.folder.write(`${plan}.index`, index.join(''))
    }
  }

  /** Makes the very commit that the runs are of, and its frozen copy. */
  private makeRepository(): void {
    const { folder } = this
    const date = '2026-01-01T00:00:00Z'
    Object.assign(folder.environment, { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date })
    folder.git('init', '--quiet', '--object-format=sha1')
    folder.git('-c', 'core.autocrlf=false', 'add', '--all')
    folder.git('-c', 'commit.gpgSign=false', 'commit', '--quiet', '--message', 'A project')
    const commits = this.inDatabase(database => database.prepare('SELECT DISTINCT commit_sha FROM runs').pluck().all())
    const commit = folder.git('rev-parse', 'HEAD').trim()
    expect(commits).toEqual([commit])
    folder.git('worktree', 'add', '--quiet', '--detach', '--lock', `.qanat/cache/${commit.slice(0, 12)}`, commit)
  }
}
