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
}

/** Options that have no value. */
const switches: readonly string[] = ['repeats']

/** The options of `compare` that write a table, by the ends of names. */
export const tableFormats: Readonly<Record<string, string>> = { tex: 'latex', md: 'md', csv: 'csv', json: 'json' }

/** The end of a name, as in `tex`. */
export function endOf(file: string): string {
  return file.slice(file.lastIndexOf('.') + 1)
}

/** The command that makes a product of runs and groups, as one types it. @param words these, as in `4` and `7.3` */
export function productCommand({ kind, file, options }: Product, experiment: string, words: readonly string[]): string {
  const given = Object.entries(options).flatMap(([name, value]) => {
    const option = name.length === 1 ? `-${name}` : `--${name}`
    if (switches.includes(name)) return value === 'true' ? [option] : []
    return value === '' ? [option] : [option, value]
  })
  const output = kind === 'compare' ? [`--${tableFormats[endOf(file)]}`] : ['-o', file]
  return displayCommand(['qanat', kind, experiment, ...words, ...given, ...output])
}

/** A product with the keys of the description file. */
export function productData({ kind, file, options }: Product): Readonly<Record<string, string>> {
  return { [kind]: file, ...options }
}
