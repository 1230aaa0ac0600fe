import { createHash } from 'node:crypto'
import type { MadeFrom } from '../../domain/made-from.js'
import type { ExperimentReport } from '../../operations/results/report-experiment.js'
import { makeBy } from '../../pages/dom.js'
import { drawReport } from '../../pages/report.js'
import { recordLine } from '../plots/record.js'
import { escapedHtml, markup } from '../render/html.js'
import { comparisonJson } from '../results/comparison.js'
import { type DrawnPlot, groupTable, mostCells, reportPage } from './report.js'

/** The size of a report in characters but for the rows that are drawn, of 10 MB; what does not fit is left out. */
const largest = 9_500_000

/** The style of the pages in the browser, and the script for their tables in a file. */
export interface Assets {
  readonly style: string
  readonly script: string
}

/** A report as a file, and how many groups it does not list. */
export interface ReportFile {
  readonly html: string
  readonly leftOut: number
}

/**
 * A report as one page, which asks nothing of a network, and runs no script but its own.
 * @param now milliseconds since the epoch
 */
export function reportFile(
  report: ExperimentReport,
  plots: readonly DrawnPlot[],
  now: number,
  madeFrom: MadeFrom,
  { style, script }: Assets,
): ReportFile {
  const { name } = report.experiment
  const page = reportPage(report, plots, now, madeFrom.runs)
  const cells = report.comparison.cells.slice(0, mostCells)
  const { runs, comparison, groups } = page.tables
  const written = (rows: readonly string[]) => {
    const content = drawReport(page, rows.length)
    const groupsJson = `{"columns":${embedded(groups.columns)},"rows":[${rows.join(',')}]}`
    return `<!doctype html>
<html lang="en">
<!--
${recordLine({ usermeta: { qanat: madeFrom } }, 'report')}-->
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapedHtml(name)}: report</title>
<style>${style}</style>
<main>
${content.filter(node => node !== null).join('\n')}
</main>
<script type="application/json" id="comparison">${embedded(comparisonJson({ ...report.comparison, cells }, null))}</script>
<script type="application/json" id="tables">{"runs":${embedded(runs)},"comparison":${embedded(comparison)},"groups":${groupsJson}}</script>
<script>${script}</script>
</html>
`
  }
  const rows = fittingRows(report, largest - written([]).length)
  return { html: written(rows), leftOut: report.groups.length - rows.length }
}

const atOnce = 1_000

/** Rows of the first groups as JSON, as many as fit. @param space in characters */
function fittingRows(report: ExperimentReport, space: number): string[] {
  const rows: string[] = []
  let left = space
  for (let first = 0; first < report.groups.length; first += atOnce) {
    for (const row of groupTable(report, first, atOnce).rows) {
      const text = embedded(row)
      left -= text.length + 1
      if (left < 0) return rows
      rows.push(text)
    }
  }
  return rows
}

/** As JSON that ends no script. */
function embedded(data: unknown): string {
  return JSON.stringify(data).replace(
    /[<\x7f-\x9f]/g,
    found => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

makeBy(markup)
