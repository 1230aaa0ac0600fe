import { fewInSentence } from '../../domain/text/names.js'
import { plainLine } from '../format/displayable.js'
import { plainStyle } from '../format/style.js'
import type { Table } from '../model.js'
import { headingOf, textOf } from './terminal.js'

/** A table for the package booktabs. */
export function latexTable<Row>({ columns, rows }: Table<Row>): string {
  const line = (cells: readonly string[]) => `  ${notOption(cells.map(escaped).join(' & '))} \\\\`
  const body = [
    `\\begin{tabular}{${'l'.repeat(columns.length)}}`,
    '  \\toprule',
    line(columns.map(column => headingOf(column, plainStyle))),
    '  \\midrule',
    ...rows.map(row => line(columns.map(column => textOf(column, row, plainStyle)))),
    '  \\bottomrule',
    '\\end{tabular}',
  ].join('\n')
  return [...needs(body), body].join('\n')
}

/** Characters that pdflatex has only in fonts of the encoding T1, and those that it has in no usual font. */
const inT1 = /[«»ÐÞðþĄąĐđĘęĮįŊŋŲų‚„‹›]/
const inNoFont = /[^\x00-\u017f‐-―‘’‚“”„†‡•…‰‹›€™]|[ĦħĸĿŀŉŦŧſ]/gu

/** Comments that say what the document needs, so that the table can be set. */
function needs(body: string): string[] {
  const missing = [...new Set(body.match(inNoFont))]
  return [
    `% needs \\usepackage{booktabs}${inT1.test(body) ? ' and \\usepackage[T1]{fontenc}' : ''}`,
    ...(missing.length > 0
      ? [`% pdflatex has no usual font with ${fewInSentence(missing)}: use lualatex with a font that has`]
      : []),
  ]
}

const special: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  // In German and other languages of babel, a quote and the letter behind it are one.
  '"': '\\char34{}',
  '±': '$\\pm$',
  '↑': '$\\uparrow$',
  '↓': '$\\downarrow$',
  '−': '$-$',
  // These are in no standard font.
  '✓': 'yes',
  '⏎': ' ',
}

/** A row: what begins with a bracket or a star, LaTeX takes for an option of the command before it. */
function notOption(row: string): string {
  return /^ *[[*]/.test(row) ? `{}${row}` : row
}

/** Two characters that LaTeX sets as one, such as a dash for hyphens, are set apart. */
const ligature = /-(?=-)|'(?=')|`(?=`)|,(?=,)|[?!](?=`)/g

function escaped(text: string): string {
  return plainLine(text)
    .replace(/[\\{}$&#_%~^<>|"±↑↓−✓⏎]/g, character => special[character] ?? `\\${character}`)
    .replace(ligature, '$&{}')
    .replace(/^-(?=[\d.])/, '$-$')
}
