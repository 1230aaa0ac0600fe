import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { latexTable } from '../../../src/views/render/latex.js'
import { markdownTable } from '../../../src/views/render/markdown.js'
import { folderWith } from '../../project/temporary.js'
import { lacks, skips } from '../../skips.js'

/** A table with one column, whose heading and cells are these. */
function tableOf(title: string, ...cells: string[]) {
  return { columns: [{ key: 'k', title, value: (cell: string) => cell }], rows: cells }
}

const hostile = [
  ...['a|b', '*_`<b>[x](y)', 'two\nlines', '\\', '--lr', '-0.5', '{$&#_%~^}', '±↑↓', '✓', '', '<>', 'é – ⏎'],
  ...['[64,64]', '*x', '\x1b[32mok', "''x''", '?`!`,,', '"auto"', '−1', '...', '@x', 'a^2^', '$x$', '&amp;', '\0'],
]

test('a table in Markdown has a line for each row, whatever is in its cells', () => {
  const lines = markdownTable(tableOf('a|b', ...hostile)).split('\n')
  expect(lines).toHaveLength(hostile.length + 2)
  const first = ['| a\\|b |', '| --- |', '| a\\|b |', '| \\*\\_\\`\\<b\\>\\[x\\](y) |', '| two lines |']
  expect(lines.slice(0, 5)).toEqual(first)
})

test.each([
  ['--lr', '\\-\\-lr'],
  ['-0.5', '-0.5'],
  ['a^2^ ~b~ $c$ @d &amp;', 'a\\^2\\^ \\~b\\~ \\$c\\$ \\@d \\&amp;'],
  [`"it's" ... 0.5`, `\\"it\\'s\\" \\.\\.\\. 0.5`],
  ['\x1b[32mok', '\\\\x1b\\[32mok'],
  ['n_estimators _x_ a_', 'n_estimators \\_x\\_ a\\_'],
  ['https://host/my_data.csv', 'https://host/my_data.csv'],
  ['https://host/~me?a&b=1', 'https\\://host/\\~me?a\\&b=1'],
  ['www.host.org/a--b', 'www\\.host.org/a\\-\\-b'],
])('a table in Markdown has %j as GitHub and pandoc show it', (cell, text) => {
  expect(markdownTable(tableOf('k', cell))).toContain(text)
})

describe('a table in LaTeX', () => {
  test.each([
    ['--lr', '-{}-lr'],
    ['-0.5', '$-$0.5'],
    ['0.97 ± 0.01', '0.97 $\\pm$ 0.01'],
    ['a\\b{c}', 'a\\textbackslash{}b\\{c\\}'],
    ['1e-05', '1e-05'],
    ['a_b & 5 % of #1 for $x', 'a\\_b \\& 5 \\% of \\#1 for \\$x'],
    ['two\nlines', 'two lines'],
    ['[64,64]', '{}[64,64]'],
    [' *x', '{} *x'],
    ['a[1]*', 'a[1]*'],
    ['\x1b[32mok', '\\textbackslash{}x1b[32mok'],
    ['"auto" {"a"}', '\\char34{}auto\\char34{} \\{\\char34{}a\\char34{}\\}'],
    ["''x'' it's", "'{}'x'{}' it's"],
    ['?`!`,,``---', '?{}`!{}`,{},`{}`-{}-{}-'],
    ['−1', '$-$1'],
  ])('writes %j as %j', (cell, text) => {
    expect(latexTable(tableOf('k', cell))).toContain(`\\midrule\n  ${text} \\\\\n`)
  })

  test('keeps a heading and every first cell from being options of the commands before them', () => {
    const columns = ['[a]', '[b]'].map(title => ({ key: title, title, value: (cell: string) => cell }))
    expect(latexTable({ columns, rows: ['[1]', '*2', '3'] })).toContain(
      `\\toprule
  {}[a] & [b] \\\\
  \\midrule
  {}[1] & [1] \\\\
  {}*2 & *2 \\\\
  3 & 3 \\\\
  \\bottomrule`,
    )
  })

  test.each([
    ['aé–µ', '% needs \\usepackage{booktabs}\n\\begin'],
    ['ą', '% needs \\usepackage{booktabs} and \\usepackage[T1]{fontenc}\n\\begin'],
    ['αβ αβ', '% pdflatex has no usual font with α and β: use lualatex with a font that has\n\\begin'],
  ])('says what a document with %j needs', (cell, comment) => {
    expect(latexTable(tableOf('k', cell))).toContain(comment)
  })

  const noLatex = skips('LaTeX', lacks('pdflatex'))
  test.skipIf(noLatex)('compiles, whatever is in its cells', () => {
    const table = latexTable(tableOf('acc ↑', ...hostile))
    const text = `\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n${table}\n\\end{document}\n`
    const folder = folderWith({ 'table.tex': text })
    execFileSync('pdflatex', ['-halt-on-error', 'table.tex'], { cwd: folder, stdio: 'ignore' })
    expect(readFileSync(join(folder, 'table.pdf')).length).toBeGreaterThan(1000)
  })
})
