import * as v from 'valibot'
import { type Direction, type ExpectedResults, type MetricSource, metricFormats } from '../domain/results/metrics.js'
import { check, type Fail, filledText, key, mapping, named, readLater, texts, withoutPosition } from './yaml/schema.js'
import type { YamlSource } from './yaml/yaml-source.js'

const METRICS_HINT = 'a source is a file, {file: history.csv, step: epoch}, or {stdout: "acc=(?<acc>\\S+)"}'

/** No absolute path, and none that leads out of the folder of the group. */
const inside = '(?!/)(?!(?:.*/)?\\.\\.(?:/|$))'
const metricFile = v.pipe(
  v.string(`the path of a file that ends in .${metricFormats.join(', .')}`),
  v.regex(
    new RegExp(`^${inside}.*[^/]\\.(?:${metricFormats.join('|')})$`),
    `a path inside the folder of the group that ends in .${metricFormats.join(', .')}`,
  ),
  v.metadata({ type: 'string' }),
)
/** The job script has only the patterns of a POSIX shell. */
const output = v.pipe(
  filledText(),
  v.regex(
    new RegExp(`^${inside}(?!.*\\*\\*).`),
    'a path inside the folder of the group, with */ for each unknown folder instead of **',
  ),
)

const fileSource = mapping({
  file: key('A file of metrics, relative to the folder of the group.', metricFile, { examples: ['history.csv'] }),
  step: key('The column that counts its rows.', v.nullish(filledText()), { examples: ['epoch'] }),
  prefix: key(
    'A text before the names of its metrics. It tells the metrics of two files apart. With a * or ** that stands for the same text as in the path, each file is read, instead of the last one.',
    v.nullish(filledText()),
    { examples: ['test.', '*.'] },
  ),
})
const outputSource = mapping({
  stdout: key(
    'A regular expression with named groups, searched for in every line of standard output.',
    v.pipe(filledText(), v.regex(/\(\?<[A-Za-z_]/, 'a regular expression with a named group, as in acc=(?<acc>\\S+)')),
    { type: 'string', examples: ['acc=(?<acc>\\S+) loss=(?<loss>\\S+)'] },
  ),
})

/** The keys of an experiment that say what its groups leave. */
export const resultKeys = {
  metrics: key(
    'Where its groups leave metrics. In the path of a file, * stands for any text in a name, and **/ for any folders. Empty: Qanat looks for the usual names, such as metrics.json.',
    v.nullish(v.array(readLater(v.union([metricFile, fileSource, outputSource])), 'a list of files or searches'), []),
    { examples: [['metrics.json', { file: 'history.csv', step: 'epoch' }]] },
  ),
  best: key(
    'Which metrics matter, and whether the largest or the smallest value is the best.',
    v.nullish(named(filledText(), v.picklist(['max', 'min'], 'max or min')), {}),
    { examples: [{ acc: 'max', loss: 'min' }] },
  ),
  outputs: key(
    'Files that a successful group leaves, relative to its folder; * and ? stand for any text and any character in a name. A group that ends without them has failed.',
    texts(output),
    { examples: [['metrics.json', 'model*.pt']] },
  ),
}

interface Given {
  readonly metrics: readonly unknown[]
  readonly best: Readonly<Record<string, Direction>>
  readonly outputs: readonly string[]
}

/** Reads what is behind {@link resultKeys}. @throws UserError with the position of a mistake */
export function readResults(source: YamlSource, { metrics, best, outputs }: Given): ExpectedResults {
  const sources = metrics.map((value, index) =>
    readMetricSource(value, (path, message, of) => source.fail(['metrics', index, ...path], message, METRICS_HINT, of)),
  )
  return { metrics: sources, best, outputs: [...new Set(outputs)] }
}

/** Reads one item of `metrics` that was typed. @throws UserError without a position */
export function checkMetricSource(value: unknown): MetricSource {
  return readMetricSource(value, withoutPosition)
}

/** Checks one item of `outputs` that was typed. @throws UserError without a position */
export function checkOutput(text: string): void {
  check(output, text, withoutPosition)
}

function readMetricSource(value: unknown, fail: Fail): MetricSource {
  if (typeof value === 'string') return { file: check(metricFile, value, fail), step: null }
  if (typeof value === 'object' && value !== null && 'stdout' in value) {
    const { stdout } = check(outputSource, value, fail)
    try {
      new RegExp(stdout)
    } catch (error) {
      throw fail(['stdout'], (error as Error).message, 'value', null)
    }
    return { stdout }
  }
  const { file, step, prefix } = check(fileSource, value, fail)
  const count = (star: string, text: string) => text.split(/(\*+)/).filter(part => part === star).length
  const star = ['*', '**'].find(each => count(each, prefix ?? '') > count(each, file))
  if (star) throw fail(['prefix'], `it has a ${star} more than the path ${file}`, 'value', null)
  return { file, step: step ?? null, ...(prefix && { prefix }) }
}

/** The values of {@link resultKeys} that read as the same; keys that say nothing are left out. */
export function resultsData({ metrics, best, outputs }: ExpectedResults): Record<string, unknown> {
  const sources = metrics.map(source => {
    if ('stdout' in source) return source
    if (source.step !== null) return source
    return source.prefix === undefined ? source.file : { file: source.file, prefix: source.prefix }
  })
  return {
    ...(sources.length > 0 && { metrics: sources }),
    ...(Object.keys(best).length > 0 && { best }),
    ...(outputs.length > 0 && { outputs }),
  }
}
