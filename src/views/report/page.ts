import { createHash } from 'node:crypto'
import type { MadeFrom } from '../../domain/made-from.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import type { ExperimentPlot } from '../../operations/results/plot-experiment.js'
import type { ExperimentReport } from '../../operations/results/report-experiment.js'
import { moment } from '../format/times.js'
import { recordLine } from '../plots/record.js'
import { escapedHtml, htmlTable } from '../render/html.js'
import { idsText } from '../results/comparison-remarks.js'
import { plotRemarks } from '../results/plotted.js'
import { script, style } from './assets.js'
import {
  comparisonSection,
  failuresSection,
  groupColumnsOf,
  parametersSection,
  provenanceSection,
  runsSection,
} from './sections.js'

/** The size of a report in characters, of which few need more than a byte; what does not fit is left out. */
const largest = 9_500_000

/** A drawn plot, and the words after `qanat plot` that draw it. */
export interface DrawnPlot {
  readonly svg: string
  readonly command: readonly string[]
  readonly plotted: ExperimentPlot
}

/** A page, and how many groups it does not list. */
export interface ReportPage {
  readonly html: string
  readonly leftOut: number
}

/**
 * A report as one page, which asks nothing of a network, and runs no script but its own.
 * @param now milliseconds since the epoch
 */
export function reportPage(
  report: ExperimentReport,
  plots: readonly DrawnPlot[],
  now: number,
  madeFrom: MadeFrom,
): ReportPage {
  const { experiment, runs, groups } = report
  const ids = runs.map(({ id }) => id)
  const sections = {
    Runs: runsSection(report),
    Parameters: parametersSection(report),
    Comparison: comparisonSection(report),
    Plots: plotsSection(plots, report.comparison),
    Failures: failuresSection(report),
    Provenance: provenanceSection(report, madeFrom.runs),
  }
  const names = [...Object.keys(sections), 'Groups']
  const before = `<!doctype html>
<html lang="en">
<!--
${recordLine({ usermeta: { qanat: madeFrom } }, 'report')}-->
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'">
<meta name="viewport" content="width=device-width">
<title>${escapedHtml(experiment.name)}: report</title>
<style>${style}</style>
<h1>${escapedHtml(experiment.name)}</h1>
${experiment.description === '' ? '' : `<p>${escapedHtml(experiment.description)}</p>`}
<p class="soft">${groups.length} groups of run${ids.length === 1 ? '' : 's'} ${idsText(ids)}, as of ${moment(now)}</p>
<nav>${names.map(name => `<a href="#${name}">${name}</a>`).join('\n')}</nav>
${Object.entries(sections)
  .map(([name, text]) => `<h2 id="${name}">${name}</h2>\n${text}`)
  .join('\n')}
<h2 id="Groups">Groups</h2>
`
  const { html, leftOut } = groupsSection(report, largest - before.length)
  return { html: `${before}${html}\n<script>${script}</script>\n</html>\n`, leftOut }
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function plotsSection(plots: readonly DrawnPlot[], comparison: ExperimentReport['comparison']): string {
  if (plots.length === 0) return '<p>There is nothing to draw.</p>'
  const figures = plots.map(({ svg, command, plotted }) => {
    const words = escapedHtml(displayCommand(['qanat', 'plot', ...command]))
    const mean = plotted.over.length > 0 ? [`mean over ${plotted.over.join(', ')}`] : []
    // What stands beside the comparison is not repeated. A plot may leave out a run that has a row of its own there.
    const notes = plotted.notes.filter(note => !comparison.notes.includes(note))
    const superseded = plotted.superseded === comparison.superseded ? 0 : plotted.superseded
    const texts = [...mean, ...plotRemarks({ ...plotted, notes, superseded })].map(text => `${escapedHtml(text)} · `)
    return `<figure>${svg}<figcaption>${texts.join('')}<code>${words}</code></figcaption></figure>`
  })
  return `<div class="plots">\n${figures.join('\n')}\n</div>`
}

/** As many groups as fit. @param space in characters */
function groupsSection(report: ExperimentReport, space: number): ReportPage {
  const { experiment, groups } = report
  const table = htmlTable({ columns: groupColumnsOf(report), rows: groups })
  const rows: string[] = []
  let left = space
  for (const row of table.rows) {
    left -= row.length
    if (left < 0) break
    rows.push(row)
  }
  const leftOut = groups.length - rows.length
  const remark = `<p>${leftOut} more groups are left out here: <code>qanat collect ${experiment.name} -o groups.csv</code></p>`
  const html = `<div class="tall"><table class="sortable">${table.head}<tbody>\n${rows.join('')}</tbody></table></div>`
  return { html: leftOut > 0 ? `${remark}\n${html}` : html, leftOut }
}
