import { ActionTable } from './actions.js'
import { AttemptTable } from './attempts.js'
import { CellTable } from './cells.js'
import { DataTable } from './data.js'
import {
  type Connection,
  explained,
  fileOf,
  keepInMemory,
  openDatabase,
  openForReading,
  refuseOther,
} from './database.js'
import { EnvironmentTable } from './environments.js'
import { PageTable } from './pages.js'
import { PollTable } from './polls.js'
import { Queries } from './queries/query.js'
import type { QueryView } from './queries/query-view.js'
import { ReadingTable } from './readings.js'
import { RefreshTable } from './refreshes.js'
import { DatasetTable } from './registry/datasets.js'
import { DocumentTable } from './registry/documents.js'
import { ExperimentTable } from './registry/experiments.js'
import { RunTable } from './runs.js'

/** In milliseconds. */
const longestReading = 50

/** The project's database. Transactions are short; several programs work on it at once. */
export class Store {
  readonly datasets: DatasetTable
  readonly experiments: ExperimentTable
  readonly documents: DocumentTable
  readonly data: DataTable
  readonly runs: RunTable
  readonly attempts: AttemptTable
  readonly actions: ActionTable
  readonly refreshes: RefreshTable
  readonly environments: EnvironmentTable
  readonly polls: PollTable
  readonly readings: ReadingTable
  readonly pages: PageTable
  readonly cells: CellTable
  private readonly file: string

  private constructor(
    private readonly path: string,
    private readonly connection: Connection,
  ) {
    this.datasets = new DatasetTable(connection, 'datasets')
    this.experiments = new ExperimentTable(connection, 'experiments')
    this.documents = new DocumentTable(connection, 'documents')
    this.attempts = new AttemptTable(connection)
    this.data = new DataTable(connection)
    this.actions = new ActionTable(connection)
    this.readings = new ReadingTable(connection)
    this.runs = new RunTable(connection, this.attempts, this.readings)
    this.refreshes = new RefreshTable(connection)
    this.environments = new EnvironmentTable(connection)
    this.polls = new PollTable(connection)
    this.cells = new CellTable(connection)
    this.pages = new PageTable(connection, () => this.version())
    this.file = fileOf(path)
  }

  /** @throws QanatError, see {@link openDatabase} */
  static open(path: string, create = false): Store {
    return new Store(path, openDatabase(path, create))
  }

  /** Opens it read-only. @throws Error, see {@link openForReading} */
  static openForReading(path: string): Store {
    return new Store(path, openForReading(path))
  }

  /** Everything in `work` is written, or nothing; other programs wait. */
  transaction<Result>(work: () => Result): Result {
    return explained(this.path, () => this.connection.transaction(work).immediate())
  }

  /**
   * Queries of one state of the database, for which its file is locked once: on a network file system, that takes longer than
   * a query. `work` only reads, and is short: programs that write wait for its end.
   */
  reading<Result>(work: () => Result): Result {
    return explained(this.path, () => this.connection.transaction(work).deferred())
  }

  /** The same for items that each need queries: the lock is released again and again, so that other programs can write. */
  *readingAll<Item>(items: Iterable<Item>): Generator<Item> {
    const iterator = items[Symbol.iterator]()
    let isDone = false
    while (!isDone) {
      const until = Date.now() + longestReading
      const some: Item[] = []
      this.reading(() => {
        while (!isDone && Date.now() < until) {
          const { done, value } = iterator.next()
          if (done) isDone = true
          else some.push(value)
        }
      })
      yield* some
    }
  }

  /** From now on, the index of the definitions is kept in memory: what was read of them cannot be stored. */
  keepDefinitionsInMemory(): void {
    keepInMemory(this.connection, ['datasets', 'experiments', 'documents'])
  }

  /** For queries of users. The caller closes it. */
  queries(views: readonly QueryView[]): Queries {
    return new Queries(this.path, views, this.readings.inMemory())
  }

  /** Errors that SQLite finds in the file, one a line; empty if it is intact. */
  damage(): string[] {
    return explained(this.path, () => {
      const lines = this.connection.pragma('integrity_check') as { integrity_check: string }[]
      return lines.map(line => line.integrity_check).filter(line => line !== 'ok')
    })
  }

  /** A text that changes whenever something in the database does, whichever program changes it. */
  version(): string {
    return explained(this.path, () => {
      const own = this.connection.prepare('SELECT total_changes()').pluck().get()
      return `${this.connection.pragma('data_version', { simple: true })}.${own}`
    })
  }

  /** For programs that keep it open for long. @throws OperationError if it was migrated or replaced since it was opened */
  refuseOther(): void {
    explained(this.path, () => refuseOther(this.connection, this.path, this.file))
  }

  close(): void {
    this.connection.close()
  }
}
