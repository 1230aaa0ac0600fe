import type { Dataset, StoredDataset } from '../../domain/dataset.js'
import type { Style } from '../format/style.js'
import type { Column } from '../model.js'
import { csvTable } from '../render/csv.js'
import { terminalTable } from '../render/terminal.js'
import { descriptionColumn, idColumn, nameColumn, pathColumn, tagsColumn } from '../shared-columns.js'

/** How much of a dataset is looked at when a run is launched. */
export const fingerprintColumn: Column<Dataset> = {
  key: 'fingerprint',
  title: 'Fingerprint',
  leaves: 1,
  value: ({ fingerprint }) => fingerprint,
}

const listColumns = [idColumn, nameColumn, pathColumn, fingerprintColumn, tagsColumn, descriptionColumn]

/** All datasets, one a line. */
export function datasetList(style: Style, datasets: readonly StoredDataset[]): string {
  if (datasets.length === 0) return 'No dataset yet. Next: qanat dataset new'
  return terminalTable({ columns: listColumns, rows: datasets }, style, 'short')
}

/** The same as CSV. */
export function datasetsCsv(datasets: readonly StoredDataset[]): string {
  return csvTable({ columns: listColumns, rows: datasets })
}
