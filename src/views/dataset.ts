import type { Dataset } from '../domain/dataset.js'
import type { Style } from './format/style.js'
import { table } from './format/table.js'

/** All datasets, a line each. */
export function datasetList({ symbol }: Style, datasets: readonly Dataset[]): string {
  if (datasets.length === 0) return 'No dataset yet. Next: qanat dataset new'
  const rows = datasets.map(({ name, path, tags, description }) => [name, path, tags.join(', '), description])
  return table([`${symbol('🔖')}Name`, `${symbol('📁')}Path`, `${symbol('🏷')}Tags`, `${symbol('💬')}Description`], rows)
}
