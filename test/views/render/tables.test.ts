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
  ...['[64,64]', '*x'],
]

test('a table in Markdown has a line for each row, whatever is in its cells', () => {
  const lines = markdownTable(tableOf('a|b', ...hostile)).split('\n')
  expect(lines).toHaveLength(hostile.length + 2)
  const first = ['| a\\|b |', '| --- |', '| a\\|b |', '| \\*\\_\\`\\<b\\>\\[x\\](y) |', '| two lines |']
  expect(lines.slice(0, 5)).toEqual(first)
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

  const noLatex = skips('LaTeX', lacks('pdflatex'))
  test.skipIf(noLatex)('compiles, whatever is in its cells', () => {
    const table = latexTable(tableOf('acc ↑', ...hostile))
    const text = `\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n${table}\n\\end{document}\n`
    const folder = folderWith({ 'table.tex': text })
    execFileSync('pdflatex', ['-halt-on-error', 'table.tex'], { cwd: folder, stdio: 'ignore' })
    expect(readFileSync(join(folder, 'table.pdf')).length).toBeGreaterThan(1000)
  })
})
