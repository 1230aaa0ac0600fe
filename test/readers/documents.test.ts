import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { latexTable } from '../../src/views/render/latex.js'
import { markdownTable } from '../../src/views/render/markdown.js'
import { folderWith } from '../project/temporary.js'
import { lacks, skips } from '../skips.js'

/** A table with these cells. */
const tableOf = (cells: readonly string[]) => ({
  columns: [{ key: 'k', title: '--lr', value: (cell: string) => cell }],
  rows: cells,
})

const cells = [
  ...[
    '--lr',
    '-0.5',
    '1e-05',
    '$x$ 5 $',
    'a^2^ ~b~ ~~c~~',
    '...',
    `"it's" 'x'`,
    '@x [@y]',
    'a_b_c _d_ __e__',
    '*f* **g**',
  ],
  ...[
    '<b>&amp;</b>',
    '{#id .c}',
    '\\alpha \\',
    'a|b',
    '[x](y) ![z](w)',
    '`code`',
    '#1 % & ~',
    ':smile: --- -- -',
    '[64,64]',
  ],
  ...['https://host/my_data_set.csv', 'https://host/~me/a--b?x=1&y=2', 'www.host.org/a_b', 'me@host.org', '(a) 1. *x'],
  ...["?`!` ,, ``x'' <<y>>", 'é–ü'],
]

describe('Markdown', () => {
  const markdown = markdownTable(tableOf(cells))

  test.skipIf(skips('Markdown in pandoc', lacks('pandoc')))('is read by pandoc as the texts that it holds', () => {
    const { blocks } = JSON.parse(
      execFileSync('pandoc', ['-f', 'markdown', '-t', 'json'], { input: markdown, encoding: 'utf8' }),
    )
    expect(blocks).toHaveLength(1)
    const [heading, ...rows] = textsOf(blocks[0])
    expect([heading, ...rows]).toEqual(['--lr', ...cells])
  })

  test.skipIf(skips('Markdown of GitHub', lacks('cmark-gfm')))('is read by the parser of GitHub as these', () => {
    const words = ['-e', 'table', '-e', 'autolink', '-e', 'strikethrough']
    const html = execFileSync('cmark-gfm', words, { input: markdown, encoding: 'utf8' })
    const texts = [...html.matchAll(/<t[hd]>(.*?)<\/t[hd]>/g)].map(([, text]) => plainText(text!))
    expect(texts).toEqual(['--lr', ...cells])
    expect(html).toContain('href="https://host/my_data_set.csv"')
  })
})

interface Node {
  readonly t?: string
  readonly c?: unknown
}

/** The texts of the cells of a table of pandoc; anything but text in one is shown by its name. */
function textsOf(node: unknown): string[] {
  if (!Array.isArray(node)) return typeof node === 'object' && node !== null ? textsOfNode(node as Node) : []
  return node.flatMap(textsOf)
}

function textsOfNode({ t, c }: Node): string[] {
  return t === 'Plain' ? [(c as Node[]).map(wordOf).join('')] : textsOf(c)
}

function wordOf({ t, c }: Node): string {
  if (t === 'Str') return c as string
  return t === 'Space' ? ' ' : `(${t})`
}

function plainText(html: string): string {
  const marks: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }
  return html.replace(/<\/?a\b[^>]*>/g, '').replace(/&(\w+);/g, (all, name: string) => marks[name] ?? all)
}

describe('LaTeX', () => {
  const none = skips('LaTeX', lacks('pdflatex', 'pdftotext'))
  /** The lines of a page with the table, as people copy them. */
  const linesWith = (packages: string) => {
    const table = latexTable(tableOf([...cells, '\x1b[32mok']))
    const head = `\\documentclass{article}\\usepackage[paperwidth=30cm,paperheight=30cm]{geometry}\\usepackage{booktabs}${packages}`
    const text = `${head}\n\\begin{document}\\pagestyle{empty}\n${table}\n\\end{document}\n`
    const folder = folderWith({ 'table.tex': text })
    execFileSync('pdflatex', ['-halt-on-error', 'table.tex'], { cwd: folder, stdio: 'ignore' })
    const page = execFileSync('pdftotext', ['-layout', 'table.pdf', '-'], { cwd: folder, encoding: 'utf8' })
    return page.split(/\s*\n\s*|\f/).filter(line => line !== '')
  }
  const fonts = '\\usepackage[T1]{fontenc}\\usepackage{lmodern}'

  test.skipIf(none).each([
    ['in English', fonts],
    ['in German', `${fonts}\\usepackage[ngerman]{babel}`],
  ])('is set %s with the characters that it holds', (_, packages) => {
    // It has a minus for numbers, and its single quotes are curly.
    const set = cells.map(cell =>
      cell
        .replace(/^-(?=\d)/, '−')
        .replaceAll("'", '’')
        .replaceAll('`', '‘'),
    )
    expect(linesWith(packages)).toEqual(['--lr', ...set, '\\x1b[32mok'])
  })

  test.skipIf(none)('is set in the oldest fonts, too', () => {
    expect(linesWith('')).toHaveLength(cells.length + 2)
  })
})
