import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { styleOf } from '../../../src/views/format/style.js'
import { pageHtml, pagesHtml } from '../../../src/views/manual/html.js'
import { type ManualPage, pageNamed } from '../../../src/views/manual/pages.js'
import { searchManual } from '../../../src/views/manual/search.js'
import { foundText, textWithCalls, topicsText } from '../../../src/views/manual/text.js'

const plain = styleOf({ isTTY: false } as NodeJS.WriteStream)
const pageOf = (section: string, topic: string, text: string): ManualPage => ({
  topic,
  section,
  title: /^# (.*)/.exec(text)![1]!,
  text,
})
const pages = [
  pageOf(
    'how-to',
    'slurm',
    '# Run on Slurm\n\nJobs of a cluster.\n\n## Limits of time\n\n| `--time` | the walltime |\n',
  ),
  pageOf('how-to', 'metrics', '# Leave metrics\n\nWrite a file.\n\n```sh\n# time of it\nqanat run\n```\n'),
  pageOf('reference', 'exit-codes', '# Exit codes\n\n1. The walltime is over, or a walltime is wrong.\n'),
  pageOf('commands', 'experiment new', '# qanat experiment new\n\nRegister scripts.\n'),
]
const topics = (found: ReturnType<typeof searchManual>) => found.map(({ page }) => page.topic)

describe('pages of the manual', () => {
  test.each([
    [['slurm'], 'slurm'],
    [['Exit_Codes'], 'exit-codes'],
    [['exit', 'codes'], 'exit-codes'],
    [['experiment', 'new'], 'experiment new'],
    [['exit'], undefined],
  ])('%j names %s', (words, topic) => {
    expect(pageNamed(pages, words)?.topic).toBe(topic)
  })

  test.each([
    // A heading comes before many words of a text.
    ['time', ['slurm', 'metrics']],
    ['walltime', ['exit-codes', 'slurm']],
    ['WALL', ['exit-codes', 'slurm']],
    // Words are found from their beginning on.
    ['ime', []],
    // All of the words stand in one part.
    ['limits walltime', ['slurm']],
    ['jobs walltime', []],
    ['(', []],
  ])('%s is found in %j', (words, expected) => {
    expect(topics(searchManual(pages, words.split(' ')))).toEqual(expected)
  })

  test('several words in one are searched for as they stand, and else each by itself', () => {
    expect(topics(searchManual(pages, ['walltime is']))).toEqual(['exit-codes'])
    expect(topics(searchManual(pages, ['walltime limits']))).toEqual(['slurm'])
  })

  test('any words can be searched for, and what is found has all of them', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }), words => {
        for (const { page } of searchManual(pages, words))
          for (const word of words.join(' ').split(' ')) expect(page.text.toLowerCase()).toContain(word.toLowerCase())
      }),
    )
  })

  test('found pages are shown with a line that has the words, and the command that shows them', () => {
    expect(foundText(searchManual(pages, ['walltime']), ['walltime'], plain)).toBe(
      `Pages about 'walltime' (2):
  qanat help exit-codes  The walltime is over, or a walltime is wrong.
  qanat help slurm       Limits of time: --time  the walltime`,
    )
    const wrapped = pageOf(
      'how-to',
      'wrapped',
      '# Wrapped\n\nIt is short. This one goes\non in the next line. The end.\n',
    )
    expect(searchManual([wrapped], ['next'])).toMatchObject([{ line: 'This one goes on in the next line.' }])
    expect(foundText(searchManual(pages, ['scripts']), ['scripts'], plain)).toContain('qanat experiment new --help')
    expect(topicsText(pages, 26)).toBe(`  how-to       slurm
               metrics
  reference    exit-codes`)
  })

  test('on a terminal a link is the line that shows the other page', () => {
    const text =
      '[one](../how-to/slurm.md#limits) [two](1-first.md) [new](commands/experiment-new.md) [all](../README.md)'
    expect(textWithCalls(`${text} [out](https://a.org/b.md)`)).toBe(
      '[one](<qanat help slurm>) [two](<qanat help first>) [new](<qanat experiment new --help>) [all](<qanat help>) [out](https://a.org/b.md)',
    )
  })

  test('pages for the browser link to each other, and escape what is written', () => {
    const text =
      '# A <b>\n\n[one](../how-to/slurm.md#limits-of-time) [two](1-first.md) [new](commands/experiment-new.md)\n'
    const html = pageHtml(pageOf('tutorial', 'a', text))
    expect(html).toContain('<a href="/help/slurm#limits-of-time">one</a>')
    expect(html).toContain('<a href="/help/first">two</a>')
    expect(html).toContain('<a href="/help/experiment%20new">new</a>')
    expect(html).toContain('<title>A &lt;b&gt; · Qanat</title>')
    expect(pageHtml(pages[0]!)).toContain('<h2 id="limits-of-time">')
    expect(pagesHtml(pages, '<i>')).toContain('No page has &lt;i&gt;.')
    expect(pagesHtml(pages, 'walltime').indexOf('/help/exit-codes')).toBeLessThan(
      pagesHtml(pages, 'walltime').indexOf('/help/slurm'),
    )
  })
})
