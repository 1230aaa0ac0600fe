import { plainStyle } from '../format/style.js'
import type { Table } from '../model.js'
import { headingOf, textOf } from './terminal.js'

/** A table for the package booktabs. */
export function latexTable<Row>({ columns, rows }: Table<Row>): string {
  const line = (cells: readonly string[]) => `  ${notOption(cells.map(escaped).join(' & '))} \\\\`
  return [
    '% needs \\usepackage{booktabs}',
    `\\begin{tabular}{${'l'.repeat(columns.length)}}`,
    '  \\toprule',
    line(columns.map(column => headingOf(column, plainStyle))),
    '  \\midrule',
    ...rows.map(row => line(columns.map(column => textOf(column, row, plainStyle)))),
    '  \\bottomrule',
    '\\end{tabular}',
  ].join('\n')
}

const special: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '±': '$\\pm$',
  '↑': '$\\uparrow$',
  '↓': '$\\downarrow$',
  // These are in no standard font.
  '✓': 'yes',
  '⏎': ' ',
  // Two hyphens would become a dash.
  '-': '-{}',
}

/** A row: what begins with a bracket or a star, LaTeX takes for an option of the command before it. */
function notOption(row: string): string {
  return /^ *[[*]/.test(row) ? `{}${row}` : row
}

function escaped(text: string): string {
  return text.replace(/[\\{}$&#_%~^<>|±↑↓✓⏎]|-(?=-)|\s+|^-(?=[\d.])/g, found => {
    if (/\s/.test(found)) return ' '
    return found === '-' && /^-[\d.]/.test(text) ? '$-$' : (special[found] ?? `\\${found}`)
  })
}
