import type { Dataset } from '../../domain/dataset.js'
import type { Style } from '../format/style.js'
import { terminalTable } from '../render/terminal.js'
import { descriptionColumn, nameColumn, pathColumn, tagsColumn } from '../shared-columns.js'

/** All datasets, one a line. */
export function datasetList(style: Style, datasets: readonly Dataset[]): string {
  if (datasets.length === 0) return 'No dataset yet. Next: qanat dataset new'
  const columns = [nameColumn, pathColumn, tagsColumn, descriptionColumn]
  return terminalTable({ columns, rows: datasets }, style, 'short')
}
