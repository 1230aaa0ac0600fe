import { AttemptTable } from './attempts.js'
import { type Connection, explained, openDatabase, openForReading } from './database.js'
import { DatasetTable } from './datasets.js'
import { DocumentTable } from './documents.js'
import { ExperimentTable } from './experiments.js'
import { LookTable } from './looks.js'
import { PollTable } from './polls.js'
import { ReadingTable } from './readings.js'
import { RunTable } from './runs.js'

/** The project's database. Transactions are short; several programs work on it at once. */
export class Store {
  readonly datasets: DatasetTable
  readonly experiments: ExperimentTable
  readonly documents: DocumentTable
  readonly runs: RunTable
  readonly attempts: AttemptTable
  readonly looks: LookTable
  readonly polls: PollTable
  readonly readings: ReadingTable

  private constructor(
    private readonly path: string,
    private readonly connection: Connection,
  ) {
    this.datasets = new DatasetTable(connection)
    this.experiments = new ExperimentTable(connection)
    this.documents = new DocumentTable(connection)
    this.attempts = new AttemptTable(connection)
    this.runs = new RunTable(connection, this.attempts)
    this.looks = new LookTable(connection)
    this.polls = new PollTable(connection)
    this.readings = new ReadingTable(connection)
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

  /** Errors that SQLite finds in the file, one a line; empty if it is intact. */
  damage(): string[] {
    return explained(this.path, () => {
      const lines = this.connection.pragma('integrity_check') as { integrity_check: string }[]
      return lines.map(line => line.integrity_check).filter(line => line !== 'ok')
    })
  }

  close(): void {
    this.connection.close()
  }
}
