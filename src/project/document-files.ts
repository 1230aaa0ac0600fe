import * as v from 'valibot'
import { type Dependency, providedFiles } from '../domain/documents/document.js'
import {
  type Product,
  type ProductKind,
  productData,
  type productFilters,
  productKinds,
} from '../domain/documents/product.js'
import { plotKinds } from '../domain/results/plot/plot.js'
import { intervalText } from '../domain/results/statistics.js'
import { readGroupFilter } from '../domain/runs/group-filter.js'
import { UserError } from '../errors.js'
import { anyMapping, checkYaml, filledText, isMapping, key, mapping, texts } from './yaml/schema.js'
import { parseYaml, type YamlPath, type YamlSource, yamlLine } from './yaml/yaml-source.js'

/** A path that is not empty, does not begin with a slash and contains no `..`. */
const FILE_OF_RUN = /^(?!\/)(?!(?:[\s\S]*\/)?\.\.(?:\/|$))(?!(?:\.?\/)*\.?$)/

/** A path in the folder of a run, for {@link fileOfRun}. */
export const fileText = v.pipe(
  filledText(),
  v.metadata({
    pattern: FILE_OF_RUN.source,
    patternErrorMessage: 'a path in the folder of the run, such as group_0/figure.png, without ..',
  }),
)

/** A name in the folder of exports, by the ends that it may have. */
function productName(ends: string) {
  const pattern = new RegExp(`^[^/\\s.][^/]*\\.(${ends})$`)
  const expected = `a name without a folder that ends with .${ends.replaceAll('\\', '').replaceAll('|', ' or .')}`
  return v.pipe(v.string('text'), v.regex(pattern, expected), v.metadata({ type: 'string' }))
}

const words = (description: string) => key(description, v.optional(filledText()))

/** May be empty, for the options that look like a seed. */
const over = key('Average over these parameters, separated by commas; empty: seeds.', v.nullish(v.string('text')))

const wholeNumber = (description: string) =>
  key(
    description,
    v.optional(
      v.pipe(
        v.string('a whole number above 0'),
        v.regex(/^[1-9]\d*$/, 'a whole number above 0'),
        v.metadata({ type: ['integer', 'string'], minimum: 1 }),
      ),
    ),
  )

const filters = {
  param: key('Only groups with these parameters.', texts(), { examples: [['--model:svm']] }),
  status: key('Only groups in these states.', texts(), { examples: ['finished'] }),
  where: key('Only groups with such metrics.', texts(), { examples: [['acc > 0.5']] }),
} satisfies Readonly<Record<(typeof productFilters)[number], v.GenericSchema>>

/** The options of each kind, named as on the command line. */
const schemas = {
  compare: mapping({
    compare: key('The table: its name among the exports.', productName('tex|md|csv|json'), {
      examples: ['table.tex'],
    }),
    by: words('The parameters that make a row, separated by commas.'),
    over,
    metrics: words('The metrics to show, separated by commas, as in acc:max,loss.'),
    sort: words('A metric or a parameter; a - before it reverses the order.'),
    top: wholeNumber('At most this many rows.'),
    repeats: key(
      'Average groups with the same parameters.',
      v.optional(v.picklist(['true', 'false'], 'true or false')),
    ),
    ci: key(
      'The 95 % confidence interval of the mean: t, bootstrap, or with a seed bootstrap:SEED.',
      v.optional(
        v.pipe(
          v.string('text'),
          v.regex(intervalText, 't, bootstrap or bootstrap:SEED'),
          v.metadata({ type: 'string' }),
        ),
      ),
    ),
    ...filters,
  }),
  plot: mapping({
    plot: key('The plot: its name among the exports.', productName('svg|png|pdf|html|vl\\.json'), {
      examples: ['accuracy.svg'],
    }),
    x: words('The horizontal axis: a parameter, a metric, or step.'),
    y: words('The metric.'),
    by: words('The parameters that get colours, separated by commas.'),
    over,
    facet: words('A plot for each value of this parameter.'),
    log: key('Axes that are logarithmic.', v.optional(v.picklist(['x', 'y', 'xy', 'none'], 'x, y, xy or none'))),
    kind: key('What is drawn.', v.optional(v.picklist(plotKinds, plotKinds.join(', ')))),
    width: wholeNumber('In millimetres.'),
    ...filters,
  }),
  report: mapping({
    report: key('The page: its name among the exports.', productName('html'), { examples: ['report.html'] }),
    by: words('The parameters that make a row of the comparison, separated by commas.'),
    over,
    metrics: words('The metrics to compare and to draw, separated by commas.'),
    ...filters,
  }),
} satisfies Readonly<Record<ProductKind, v.GenericSchema>>

/** A table, a plot or a report in the list of files of a dependency. */
const productSchema = v.union([schemas.compare, schemas.plot, schemas.report])

const HINT = 'as in {compare: table.tex, over: seed}, {plot: acc.svg, x: --lr, y: acc} or {report: report.html}'

/** Reads what a document needs besides files. @throws UserError with the position of a mistake */
function readProduct(source: YamlSource, path: YamlPath, value: unknown): Product {
  const named = checkYaml(source, anyMapping(), value, { path, hint: HINT })
  const kinds = productKinds.filter(kind => Object.hasOwn(named, kind))
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1) {
    throw source.fail(path, `expected one of ${productKinds.join(', ')} with the name of a file`, HINT)
  }
  const { [kind]: file, ...given } = checkYaml(source, schemas[kind], value, { path, hint: HINT }) as ReadProduct
  const options: Record<string, string> = {}
  const filters: Record<string, readonly string[]> = {}
  for (const [name, said] of Object.entries(given)) {
    if (typeof said === 'string' || !said) options[name] = said ?? ''
    else if (said.length > 0) filters[name] = said
  }
  source.at(path, () => readGroupFilter(filters))
  return { kind, file: file as string, options, filters }
}

type ReadProduct = Readonly<Record<string, string | readonly string[] | null | undefined>>

/** @throws UserError if two files of a dependency have the same name */
function refuseSameFile(names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined) throw new UserError(`'${twice}' is there twice`, 'give each file another name')
}

/** A list of files and products, which are read one by one; a single text counts as a list of one. */
export function fileList() {
  const list = v.pipe(
    v.unknown(),
    v.transform(value => (typeof value === 'string' ? [value] : (value ?? []))),
    v.array(v.unknown(), 'a list of files'),
    v.metadata({ toldAs: v.nullable(v.union([v.array(v.union([fileText, productSchema])), fileText])) }),
  )
  return v.optional(list, null)
}

/** Reads the files and products of a dependency. @throws UserError with the position of a mistake */
export function readFiles(
  source: YamlSource,
  path: YamlPath,
  given: readonly unknown[],
  hint: string,
): Pick<Dependency, 'files' | 'products'> {
  const files: string[] = []
  const products: Product[] = []
  for (const [index, value] of given.entries()) {
    const at = [...path, index]
    if (isMapping(value)) products.push(readProduct(source, at, value))
    else {
      const file = checkYaml(source, fileText, value, { path: at, hint })
      files.push(source.at(at, () => fileOfRun(file)))
    }
    source.at(at, () => refuseSameFile(providedFiles({ files, products })))
  }
  return { files, products }
}

/**
 * Reads files and products as they are typed: paths, and products in braces, as in `{plot: acc.svg, y: acc}`.
 * @throws UserError for a mistake, or for a name that is there twice
 */
export function readTypedFiles(words: readonly string[]): Pick<Dependency, 'files' | 'products'> {
  const isProduct = (word: string) => word.startsWith('{')
  const products = words.filter(isProduct).map(word => {
    const source = parseYaml(word, word, 'text')
    return readProduct(source, [], source.value())
  })
  const files = words.filter(word => !isProduct(word)).map(fileOfRun)
  refuseSameFile(providedFiles({ files, products }))
  return { files, products }
}

/** The words that {@link readTypedFiles} reads. */
export function typedFiles({ files, products }: Pick<Dependency, 'files' | 'products'>): string[] {
  return [...files, ...products.map(product => yamlLine(productData(product)))]
}

/** Checks a path inside the folder of a run. @throws UserError for one that leads out of it */
export function fileOfRun(path: string): string {
  if (FILE_OF_RUN.test(path)) {
    const parts = path.split('/').filter(part => part !== '' && part !== '.')
    return parts.join('/')
  }
  throw new UserError(
    `'${path}' is not inside the folder of the run`,
    'write it relative to that folder, as in group_0/figure.png, without ..',
  )
}
