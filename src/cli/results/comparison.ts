import type { IntervalMethod } from '../../domain/results/statistics.js'
import { compareExperiment, type ExperimentComparison } from '../../operations/results/compare/compare-experiment.js'
import type { Workspace } from '../../operations/workspace.js'
import { jsonText } from '../../views/format/displayable.js'
import {
  comparisonCsv,
  comparisonJson,
  comparisonLatex,
  comparisonMarkdown,
  renamedRemarks,
} from '../../views/results/comparison.js'
import { tableRemarks } from '../../views/results/comparison-remarks.js'
import { listed } from '../parse/listed.js'
import { lookedAt, type TypedFilters } from './filters.js'
import type { Typed } from './typed.js'

interface CompareOptions extends Typed<'by' | 'over' | 'metrics' | 'sort' | 'param_file'>, TypedFilters {
  readonly top?: number | undefined
  readonly repeats: boolean
}

/** Compares runs of an experiment. */
export function comparisonOf(
  workspace: Workspace,
  experiment: string,
  runs: readonly string[],
  { by, over, metrics, sort, top, repeats, param_file, ...filters }: CompareOptions,
): Promise<ExperimentComparison> {
  const lists = { by: listed(by), over: listed(over), metrics: listed(metrics) }
  const rows = { sort: sort ?? null, top: top ?? null, repeats, parameterFile: param_file ?? null }
  const { filter } = lookedAt(runs, filters)
  return compareExperiment(workspace, { experiment, runs, filter, ...lists, ...rows })
}

/** A table for other programs, and what it has no place for but its reader has to know. */
export function tableIn(
  format: string,
  comparison: ExperimentComparison,
  ci: IntervalMethod | null,
): { text: string; remarks: string[] } {
  const own = format === 'csv' ? [...comparison.origins, ...renamedRemarks(comparison, ci)] : []
  return { text: tables[format]!(comparison, ci), remarks: [...tableRemarks(comparison), ...own] }
}

const tables: Readonly<Record<string, (comparison: ExperimentComparison, ci: IntervalMethod | null) => string>> = {
  csv: comparisonCsv,
  md: comparisonMarkdown,
  latex: comparisonLatex,
  json: (comparison, ci) => jsonText(comparisonJson(comparison, ci)),
}
