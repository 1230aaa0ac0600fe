import type { Dataset, StoredDataset } from '../../domain/dataset.js'
import { DefinitionTable } from './definitions.js'

/** Datasets by name. */
export class DatasetTable extends DefinitionTable<Dataset> {
  list(): StoredDataset[] {
    return this.rows().map(row => ({ id: row.id, ...this.toThing(row) }))
  }
}
