import { numberIn } from '../../../domain/results/cell-value.js'
import type { GroupResult } from '../../../domain/results/compare.js'
import type { Statistic } from '../../../domain/results/metrics.js'
import type { Run } from '../../../domain/runs/run.js'
import { fewInSentence } from '../../../domain/text/names.js'
import { UserError } from '../../../errors.js'
import type { ComparedCell } from '../compare/compare-experiment.js'

/** The error about runs of which no group has finished. */
export function nothingFinished(experiment: string, runs: readonly Run[]): UserError {
  const ids = runs.map(({ id }) => String(id))
  if (ids.length === 1) return new UserError(`no group of run ${ids[0]} has finished`, `qanat why ${ids[0]}`)
  return new UserError(`no group of runs ${fewInSentence(ids)} has finished`, `qanat experiment status ${experiment}`)
}

/** The error about a series of which no value has a step. */
export function noSteps(metric: string): UserError {
  return new UserError(
    `-y ${metric}: the rows with its values have no number in the column that counts the others`,
    `name the column that counts them in the YAML file, as in metrics: [{file: FILE, step: epoch}], or draw its last value: -y ${metric}:last`,
  )
}

/** Why nothing of a metric can be drawn. @param cells those of which nothing can be drawn */
export function nothingDrawn(
  [metric, statistic]: readonly [string, Statistic],
  there: ReadonlyMap<string, boolean>,
  cells: readonly ComparedCell[],
  unread: readonly GroupResult[],
): UserError {
  const [first] = unread
  if (first) {
    return new UserError(
      `-y ${metric}: its series cannot be read any more, such as that of group ${first.run}.${first.index}`,
      `the files are gone or have changed; the last values that were read are still stored: -y ${metric}:last`,
    )
  }
  if (!there.get(metric)) return new UserError(`-y ${metric}: its values are not numbers`, 'choose another metric')
  const groups = cells.flatMap(cell => cell.groups)
  const odd = groups.filter(group => !Number.isFinite(numberIn(group, { name: metric, statistic }) ?? 0))
  if (odd.length === 0 || odd.length === groups.length)
    return new UserError(`-y ${metric}: all its values are NaN or infinite`, 'choose another metric')
  const [one] = odd
  return new UserError(
    `-y ${metric}: it is NaN or infinite in ${odd.length} of ${groups.length} groups, such as ${one!.run}.${one!.index}, and each mean includes one of them`,
    'name the parameter that separates these groups: --by PARAMETER or --facet PARAMETER',
  )
}
