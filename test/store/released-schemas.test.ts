import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { Run } from '../../src/domain/runs/run.js'
import { groupDetails } from '../../src/operations/runs/run-details.js'
import type { Workspace } from '../../src/operations/workspace.js'
import { findRunnerKind } from '../../src/runners/index.js'
import { here } from '../../src/sites/here.js'
import type { Store } from '../../src/store/store.js'
import {
  experimentSummaryJson,
  groupJson,
  listedDatasetJson,
  listedDocumentJson,
  runJson,
} from '../../src/views/json.js'
import { folderWith } from '../project/temporary.js'
import { skips } from '../skips.js'
import { launchOf, newStore, openStore, runOf } from './stores.js'

const fixtures = fileURLToPath(new URL('../fixtures/databases', import.meta.url))
const migrations = readdirSync(new URL('../../src/store/migrations', import.meta.url))
/** Every schema before the newest one, and the newest where there is a fixture of it already. */
const schemas = migrations
  .map((_, index) => index + 1)
  .filter(schema => schema < migrations.length || existsSync(join(fixtures, `schema-${schema}.db`)))

/** What the program that wrote a database said of it; see make.sh beside the fixtures. */
interface Said {
  readonly root: string
  readonly datasets: readonly object[]
  readonly experiments: readonly object[]
  readonly documents: readonly object[]
  readonly runs: readonly {
    readonly id: number
    readonly launch: RecordedLaunch
    readonly best?: object
    readonly left_behind?: readonly string[]
  }[]
  readonly queued: readonly {
    readonly run_id: number
    readonly number: number
    readonly reason: string | null
    readonly restarts: number
    readonly awaiting: number | null
  }[]
  /** Metrics that were read, from schema 6 on. */
  readonly readings?: readonly { readonly run_id: number; readonly number: number; readonly metrics: string }[]
  readonly trash: readonly (Pick<Run, 'id' | 'experiment' | 'commit' | 'counts' | 'tags' | 'storagePath'> & {
    readonly launch: RecordedLaunch
  })[]
}

/** A launch as run.yaml has it. Up to schema 3 there are lists of retries and of submissions instead of attempts. */
interface RecordedLaunch {
  readonly token: string
  readonly launcher?: object
  readonly retries?: readonly { readonly attempt: number }[]
  /** Those of schema 1 are of whole runs. */
  readonly handles?: readonly {
    readonly attempt?: number
    readonly first?: number
    readonly count?: number
    readonly groupCount: number
    readonly id: string
    readonly data: object
  }[]
  readonly attempts?: readonly object[]
}

/** A launch with its attempts, and in each what was submitted for it, whatever the shape that it was recorded in. */
function withAttempts({ launcher, retries = [], handles = [], attempts, ...launch }: RecordedLaunch): object {
  if (attempts) return { ...launch, attempts }
  const submissions = (attempt: number) =>
    handles
      .filter(handle => (handle.attempt ?? 1) === attempt)
      .map(({ first = 0, count, groupCount, id, data }) => ({ first, count: count ?? groupCount, id, data }))
  const all = [{ attempt: 1, groups: null }, ...retries]
  return { ...launch, attempts: all.map(each => ({ ...each, launcher, submissions: submissions(each.attempt) })) }
}

function storedLaunch(store: Store, id: number): object {
  return withAttempts(store.runs.launch(id) as RecordedLaunch)
}

/** A copy of the database of a schema, opened by the program of today, and what was said of it. */
function migrated(schema: number): { store: Store; path: string; said: Said } {
  const fixture = join(fixtures, `schema-${schema}`)
  if (!existsSync(`${fixture}.db`)) {
    throw new Error(`there is no ${fixture}.db: make it with a program whose newest migration is ${schema} (README.md)`)
  }
  const path = join(folderWith(), 'database.db')
  copyFileSync(`${fixture}.db`, path)
  expect(inDatabase(path, version)).toBe(schema)
  return { store: openStore(path), path, said: JSON.parse(readFileSync(`${fixture}.json`, 'utf8')) as Said }
}

function inDatabase<Result>(path: string, read: (database: Database.Database) => Result): Result {
  const database = new Database(path, { readonly: true })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

function version(database: Database.Database): unknown {
  return database.pragma('user_version', { simple: true })
}

function statements(database: Database.Database): unknown[] {
  return database.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY type, name').all()
}

test('the newest schema is that of the last migration', () => {
  expect(inDatabase(newStore().path, version)).toBe(migrations.length)
})

describe.each(schemas)('a database of schema %i', schema => {
  test('becomes one of the newest schema, like a new one, and whole', () => {
    const { store, path } = migrated(schema)
    expect(inDatabase(path, version)).toBe(migrations.length)
    expect(inDatabase(path, statements)).toEqual(inDatabase(newStore().path, statements))
    expect(store.damage()).toEqual([])
    expect(inDatabase(path, database => database.pragma('foreign_key_check'))).toEqual([])
  })

  test('keeps its datasets, experiments and documents', () => {
    const { store, said } = migrated(schema)
    expect(said.experiments).not.toEqual([])
    expect(store.datasets.list().map(listedDatasetJson)).toMatchObject(said.datasets)
    expect(store.experiments.list().map(experimentSummaryJson)).toMatchObject(said.experiments)
    expect(store.documents.list().map(listedDocumentJson)).toMatchObject(said.documents)
  })

  test('keeps its runs with their groups and launches', () => {
    const { store, said } = migrated(schema)
    const workspace = {
      store,
      project: { root: said.root },
      findRunner: name => findRunnerKind(name).at(here),
    } as Workspace
    const runs = store.runs.list().toReversed()
    expect(runs.map(({ id }) => id)).toEqual(said.runs.map(({ id }) => id))
    for (const [at, run] of runs.entries()) {
      // The files of the runs, which say the last two, are not among the fixtures.
      const { launch, best, left_behind, ...shown } = said.runs[at]!
      expect({ ...runJson(run), group_list: groupDetails(workspace, run).map(groupJson) }).toMatchObject(shown)
      expect(storedLaunch(store, run.id)).toMatchObject(withAttempts(launch))
    }
  })

  test('keeps the answers of schedulers about its groups', () => {
    const { store, said } = migrated(schema)
    const reports = store.runs.list().flatMap(({ id }) => store.runs.groups(id).map(report => ({ run_id: id, report })))
    const queued = reports.map(({ run_id, report: { index, status, restarts = 0, awaiting = null } }) => {
      const reason = status.state === 'held' ? status.reason : null
      return { run_id, number: index, reason, restarts, awaiting }
    })
    expect(queued.filter(each => each.reason !== null || each.restarts > 0 || each.awaiting !== null)).toEqual(
      said.queued,
    )
    const awaiting = (run: number) => said.queued.filter(each => each.run_id === run && each.awaiting !== null).length
    for (const run of store.runs.list()) expect([run.id, run.awaiting]).toEqual([run.id, awaiting(run.id)])
  })

  test('keeps the metrics that were read, and reads no group again', () => {
    const { store, said } = migrated(schema)
    const kept = store.runs.list().flatMap(({ id }) => {
      const { numbers, metrics } = store.readings.ended(id, 0, 1_000)
      const texts = [...metrics].map((each, at) => ({
        run_id: id,
        number: numbers[at]!,
        metrics: JSON.stringify(each),
      }))
      return texts.filter(each => each.metrics !== '{}')
    })
    const order = (one: { run_id: number; number: number }) => one.run_id * 1000 + one.number
    const readings = said.readings ?? []
    expect(kept.toSorted((one, other) => order(one) - order(other))).toEqual(
      readings.filter(({ metrics }) => metrics !== '{}'),
    )
    for (const run of new Set(readings.map(({ run_id }) => run_id))) expect(store.readings.unread(run)).toEqual([])
  })

  test('keeps its deleted runs, which can be restored', () => {
    const { store, said } = migrated(schema)
    expect(store.runs.deleted().map(({ id }) => id)).toEqual(said.trash.map(({ id }) => id))
    for (const { launch, id, experiment, commit, counts, tags, storagePath } of said.trash) {
      expect(store.runs.find(id)).toBeNull()
      store.runs.setDeleted(id, false)
      expect(store.runs.find(id)).toMatchObject({ id, experiment, commit, counts, tags, storagePath })
      expect(storedLaunch(store, id)).toMatchObject(withAttempts(launch))
    }
  })

  test('accepts another run, with a new id', () => {
    const { store, said } = migrated(schema)
    const id = store.runs.lastId() + 1
    expect(id).toBeGreaterThan(Math.max(...[...said.runs, ...said.trash].map(run => run.id)))
    store.runs.insert(id, runOf('train', 2), launchOf('train', 'another'))
    const end = { started: 5, finished: 9, host: null, jobId: null }
    store.runs.update(id, [{ index: 1, status: { state: 'finished', exitCode: 0, ...end } }], 50, 10)
    expect(store.runs.find(id)).toMatchObject({ id, counts: { pending: 1, finished: 1 }, progress: 50 })
    expect(store.runs.live().map(run => run.id)).toContain(id)
  })
})

const notRoot = skips('a database of somebody else', process.getuid?.() === 0 ? null : 'only root can be somebody else')

test.skipIf(notRoot)(
  'a database that belongs to somebody else of the group is migrated by whoever may write to it',
  () => {
    const path = join(folderWith(), 'database.db')
    copyFileSync(join(fixtures, 'schema-3.db'), path)
    chmodSync(path, 0o666)
    chmodSync(dirname(path), 0o777)
    process.seteuid!(65_534)
    try {
      openStore(path)
    } finally {
      process.seteuid!(0)
    }
    expect(inDatabase(path, version)).toBe(migrations.length)
    expect(statSync(path).mode & 0o777).toBe(0o666)
  },
)
