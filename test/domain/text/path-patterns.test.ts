import { expect, test } from 'vitest'
import { wantedBy } from '../../../src/domain/text/path-patterns.js'
import { rowsOf } from '../../cases.js'

test.each(
  rowsOf(`
    *.ckpt       | a.ckpt b/c.ckpt .ckpt d.ckpt/e      | ckpt a.ckpt2
    plots/**     | plots/a plots/b/c                   | plots x/plots/a
    plots        | plots plots/a x/plots/b             | plot plots2
    /plots/      | plots/a                             | x/plots/a
    a/**/b       | a/b a/x/b a/x/y/b a/b/c             | a/xb b
    x?.txt       | x1.txt d/xy.txt                     | x.txt x/.txt
    [a]+(b).$    | [a]+(b).$                           | a aab.$
  `),
)('%s', (pattern, fitting, others) => {
  const isWanted = wantedBy({ include: [pattern!], exclude: [] })
  expect(fitting!.split(' ').filter(path => !isWanted(path))).toEqual([])
  expect(others!.split(' ').filter(isWanted)).toEqual([])
})

test('what is excluded is not wanted, and without patterns all is', () => {
  const isWanted = wantedBy({ include: ['*.svg'], exclude: ['draft*'] })
  expect(['a.svg', 'draft.svg', 'draft/a.svg', 'a.png', 'a\n.svg'].map(isWanted)).toEqual([
    true,
    false,
    false,
    false,
    true,
  ])
  expect(wantedBy({ include: [], exclude: [] })('a\nb')).toBe(true)
})
