import { ActionTable } from './actions.js'
import { AttemptTable } from './attempts.js'
import { DataTable } from './data.js'
import { type Connection, explained, fileOf, openDatabase, openForReading, refuseOther } from './database.js'
import { EnvironmentTable } from './environments.js'
import { LookTable } from './looks.js'
import { PageTable } from './pages.js'
import { PollTable } from './polls.js'
import { Queries, type QueryView } from './queries/query.js'
import { ReadingTable } from './readings.js'
import { DatasetTable } from './registry/datasets.js'
import { DefinitionTable } from './registry/definitions.js'
import { DocumentTable } from './registry/documents.js'
import { ExperimentTable } from './registry/experiments.js'
import { RunTable } from './runs.js'

/** The project's database. Transactions are short; several programs work on it at once. */
export class Store {
  readonly datasets: DatasetTable
  readonly experiments: ExperimentTable
  readonly documents: DocumentTable
  readonly definitions: DefinitionTable
  readonly data: DataTable
  readonly runs: RunTable
  readonly attempts: AttemptTable
  readonly actions: ActionTable
  readonly looks: LookTable
  readonly environments: EnvironmentTable
  readonly polls: PollTable
  readonly readings: ReadingTable
  readonly pages: PageTable
  private readonly file: string

  private constructor(
    private readonly path: string,
    private readonly connection: Connection,
  ) {
    this.datasets = new DatasetTable(connection)
    this.experiments = new ExperimentTable(connection)
    this.documents = new DocumentTable(connection)
    this.definitions = new DefinitionTable(connection)
    this.attempts = new AttemptTable(connection)
    this.data = new DataTable(connection)
    this.actions = new ActionTable(connection)
    this.readings = new ReadingTable(connection)
    this.runs = new RunTable(connection, this.attempts, this.readings)
    this.looks = new LookTable(connection)
    this.environments = new EnvironmentTable(connection)
    this.polls = new PollTable(connection)
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
    const own = this.connection.prepare('SELECT total_changes()').pluck().get()
    return `${this.connection.pragma('data_version', { simple: true })}.${own}`
  }

  /** For programs that keep it open for long. @throws OperationError if it was migrated or replaced since it was opened */
  refuseOther(): void {
    explained(this.path, () => refuseOther(this.connection, this.path, this.file))
  }

  close(): void {
    this.connection.close()
  }
}
