import type { Direction, ExpectedResults, MetricSource } from '../../domain/results/metrics.js'
import { UserError } from '../../errors.js'
import { checkMetricSource, checkOutput } from '../../project/result-schema.js'
import { askForLine, askForList, chooseOne } from './ask.js'
import { refuseEmpty } from './checks.js'

/** Asks what the groups of an experiment leave, each of it as a list that may stay empty. */
export async function askForResults(known: ExpectedResults): Promise<ExpectedResults> {
  const metrics = await askForList(
    {
      one: 'a file or a search',
      many: 'Metrics (usual files are found by themselves)',
      nameOf: sourceText,
      ask: askForSource,
    },
    known.metrics,
  )
  const best = await askForList(
    {
      one: 'a metric',
      many: 'Best values of metrics',
      nameOf: ([name, direction]: readonly [string, Direction]) => `${name}: ${direction}`,
      ask: askForBest,
    },
    Object.entries(known.best),
  )
  const outputs = await askForList(
    {
      one: 'an output',
      many: 'Files that a group must leave, or it has failed',
      nameOf: output => output,
      ask: askForOutput,
    },
    known.outputs,
  )
  return { metrics, best: Object.fromEntries(best), outputs: [...new Set(outputs)] }
}

function sourceText(source: MetricSource): string {
  return 'stdout' in source ? source.stdout : source.file
}

/** A named group in the answer tells a search from the path of a file. */
async function askForSource(known: MetricSource | null): Promise<MetricSource> {
  const isSearch = (answer: string) => answer.includes('(?<')
  const text = await askForLine({
    message: 'File in the folder of a group, or search in its output, as in acc=(?<acc>\\S+)',
    known: known === null ? undefined : sourceText(known),
    check: answer => checkMetricSource(isSearch(answer) ? { stdout: answer } : answer),
  })
  if (isSearch(text)) return checkMetricSource({ stdout: text })
  const prefix = known !== null && 'prefix' in known ? { prefix: known.prefix } : {}
  if (!/\.(csv|tsv|jsonl)$/.test(text)) return checkMetricSource({ file: text, ...prefix })
  const step = await askForLine({
    message: 'Column that counts its rows (empty: step or epoch)',
    known: known !== null && 'step' in known ? (known.step ?? '') : undefined,
  })
  return checkMetricSource({ file: text, ...(step !== '' && { step }), ...prefix })
}

async function askForBest(
  known: readonly [string, Direction] | null,
  others: readonly (readonly [string, Direction])[],
): Promise<readonly [string, Direction]> {
  const name = await askForLine({
    message: 'Name of the metric',
    known: known?.[0],
    check(answer) {
      refuseEmpty(answer)
      if (others.some(([other]) => other === answer)) throw new UserError(`the metric '${answer}' is there already`)
    },
  })
  const ends = [
    { name: 'max: the largest value', value: 'max' },
    { name: 'min: the smallest value', value: 'min' },
  ] as const
  return [name, await chooseOne<Direction>('What is best', ends, known?.[1])]
}

function askForOutput(known: string | null): Promise<string> {
  return askForLine({
    message: 'Path in the folder of a group; * and ? stand for any text and any character in a name',
    known: known ?? undefined,
    check: checkOutput,
  })
}
