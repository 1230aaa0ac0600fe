import { displayCommand } from '../text/shell-text.js'

/** What a document may need besides files of a run. */
export const productKinds = ['compare', 'plot', 'report'] as const
export type ProductKind = (typeof productKinds)[number]

/** A table, a plot or a report of a run, which is made for a document by the command of that name. */
export interface Product {
  readonly kind: ProductKind
  /** Its name in the folder of exports; the end says the format. */
  readonly file: string
  /** The options of the command by their names without dashes; `true` for one that has no value. */
  readonly options: Readonly<Record<string, string>>
  /** Which of the groups are in it; none of a kind are left out. */
  readonly filters: Readonly<Partial<Record<ProductFilter, readonly string[]>>>
}

/** The filters of groups. Those of runs have no meaning here: the dependency says which runs are used. */
export const productFilters = ['param', 'status', 'where'] as const
type ProductFilter = (typeof productFilters)[number]

/** Options that have no value. */
const switches: readonly string[] = ['repeats']

/** The options of `compare` that write a table, by the ends of names. */
export const tableFormats: Readonly<Record<string, string>> = { tex: 'latex', md: 'md', csv: 'csv', json: 'json' }

/** The end of a name, as in `tex`. */
export function endOf(file: string): string {
  return file.slice(file.lastIndexOf('.') + 1)
}

/** The command that makes a product of runs and groups, as one types it. @param words these, as in `4` and `7.3` */
export function productCommand(
  { kind, file, options, filters }: Product,
  experiment: string,
  words: readonly string[],
): string {
  const given = Object.entries(options).flatMap(([name, value]) => {
    const option = name.length === 1 ? `-${name}` : `--${name}`
    if (switches.includes(name)) return value === 'true' ? [option] : []
    return value === '' ? [option] : [option, value]
  })
  const chosen = Object.entries(filters).flatMap(([name, values]) => values.map(value => `--${name}=${value}`))
  const output = kind === 'compare' ? [`--${tableFormats[endOf(file)]}`] : ['-o', file]
  return displayCommand(['qanat', kind, experiment, ...words, ...given, ...chosen, ...output])
}

/** A product with the keys of the description file. */
export function productData({
  kind,
  file,
  options,
  filters,
}: Product): Readonly<Record<string, string | readonly string[]>> {
  return { [kind]: file, ...options, ...filters }
}
