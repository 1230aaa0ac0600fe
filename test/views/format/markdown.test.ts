import { describe, expect, test } from 'vitest'
import { markdownText } from '../../../src/views/format/markdown.js'
import { styleOf } from '../../../src/views/format/style.js'

const plain = (text: string) => markdownText(styleOf({ isTTY: false } as NodeJS.WriteStream), text)

describe('Markdown on a terminal', () => {
  test.each([
    ['# Run 3\n\nSeed *3* is an **outlier**.', 'Run 3\n\nSeed 3 is an outlier.\n'],
    ['- a\n- b\n  - c\n- [x] done', '• a\n• b\n  • c\n• ☑ done\n'],
    ['3. three\n4. four', '3. three\n4. four\n'],
    ['- a\n\n  more\n\n- b', '• a\n\n  more\n• b\n'],
    ['```python\nx = 1\n\ny < 2 && z\n```', '    x = 1\n\n    y < 2 && z\n'],
    ['> said\n> so', '│ said\n│ so\n'],
    ['[plot](p.svg) and <https://a.org>', 'plot (p.svg) and https://a.org\n'],
    ['one\ntwo  \nthree', 'one\ntwo\nthree\n'],
    ['a < b & "c" \'d\' `e < f`', 'a < b & "c" \'d\' e < f\n'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a  b\n1  2\n'],
    ['***not [closed `anywhere\n\n```\nor this', '***not [closed `anywhere\n\n    or this\n'],
    ['<b>html</b>', '<b>html</b>\n'],
    ['\u001b[31mred\u001b]0;title\u0007', '[31mred]0;title\n'],
    ['', '\n'],
  ])('%j', (text, expected) => {
    expect(plain(text)).toBe(expected)
  })

  test('has colours if the terminal has them', () => {
    const fancy = markdownText(styleOf({ isTTY: true } as NodeJS.WriteStream), '**bold**')
    expect(fancy).toContain('\u001b[1mbold')
  })
})
