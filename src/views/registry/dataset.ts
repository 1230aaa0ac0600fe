import type { StoredDataset } from '../../domain/dataset.js'
import type { Style } from '../format/style.js'
import { csvTable } from '../render/csv.js'
import { terminalTable } from '../render/terminal.js'
import { descriptionColumn, idColumn, nameColumn, pathColumn, tagsColumn } from '../shared-columns.js'

const listColumns = [idColumn, nameColumn, pathColumn, tagsColumn, descriptionColumn]

/** All datasets, one a line. */
export function datasetList(style: Style, datasets: readonly StoredDataset[]): string {
  if (datasets.length === 0) return 'No dataset yet. Next: qanat dataset new'
  return terminalTable({ columns: listColumns, rows: datasets }, style, 'short')
}

/** The same as CSV. */
export function datasetsCsv(datasets: readonly StoredDataset[]): string {
  return csvTable({ columns: listColumns, rows: datasets })
}
