import type { Dataset, Stage, StoredDataset } from '../../domain/dataset.js'
import type { Style } from '../format/style.js'
import type { Column } from '../model.js'
import { csvTable } from '../render/csv.js'
import { terminalTable } from '../render/terminal.js'
import { descriptionColumn, idColumn, nameColumn, tagsColumn } from '../shared-columns.js'

/** How much of a dataset is looked at when a run is launched. */
export const fingerprintColumn: Column<Dataset> = {
  key: 'fingerprint',
  title: 'Fingerprint',
  leaves: 1,
  value: ({ fingerprint }) => fingerprint,
}

/** Where it is: its path, or the experiment that makes it. */
export const placeColumn: Column<Dataset> = {
  key: 'path',
  title: 'Path',
  symbol: '📁',
  value: ({ path }) => path,
  text: ({ path, from }) => path ?? stageText(from!),
}

/** For programs: what an experiment makes; null for a path. */
export const fromColumn: Column<Dataset> = { key: 'from', value: ({ from }) => from ?? null }

/** `best acc of train: model.joblib` */
function stageText({ experiment, best, run, param, file, each }: Stage): string {
  const which = [each ? 'each' : best === null ? '' : `best ${best}`, ...param, run === null ? '' : `run ${run}`]
  const of = [which.filter(word => word !== '').join(' '), `of ${experiment}`].filter(word => word !== '').join(' ')
  return file.length === 0 ? of : `${of}: ${file.join(', ')}`
}

const listColumns = [idColumn, nameColumn, placeColumn, fingerprintColumn, tagsColumn, descriptionColumn]

/** All datasets, one a line. */
export function datasetList(style: Style, datasets: readonly StoredDataset[]): string {
  if (datasets.length === 0) return 'No dataset yet. Next: qanat dataset new'
  return terminalTable({ columns: listColumns, rows: datasets }, style, 'short')
}

/** The same as CSV. */
export function datasetsCsv(datasets: readonly StoredDataset[]): string {
  return csvTable({ columns: listColumns, rows: datasets })
}
