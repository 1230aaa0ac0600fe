import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CodeDefinition, codeCounter, usualIgnores } from '../../src/domain/code-used.js'
import { proposedUses } from '../../src/domain/proposed-uses.js'

const definition: CodeDefinition = {
  ...{
    uses: [],
    ignores: usualIgnores,
    own: ['a/run.py', 'a'],
    registered: [],
    others: ['a/plot.py'],
    never: ['results'],
  },
}

test.each<[string, string[], string[]]>([
  ['nothing but its executable', ['a/run.py'], ['/a/run.py']],
  ['files of its folder', ['a/run.py', 'a/b/c.py'], ['/a/run.py']],
  ['files in other folders', ['a/run.py', 'lib/x.py', 'lib/sub/y.py', 'b/z.py'], ['/b/**', '/lib/**']],
  ['files at the root', ['a/run.py', 'settings.toml', 'lib/x.py'], ['/lib/**', '/settings.toml']],
  [
    'texts and scripts of actions',
    ['a/run.py', 'a/plot.py', 'lib/README.md'],
    ['/lib/**', '/a/plot.py', '/lib/README.md'],
  ],
  ['names that look like patterns', ['a/run.py', '[1]*/x?.py', '*.py'], ['/[[]1][*]/**', '/[*].py']],
])('of %s, patterns are proposed', (_, files, expected) => {
  expect(proposedUses(definition, files)).toEqual(expected)
})

test('whatever was opened counts by what is proposed', () => {
  const name = fc.constantFrom('a', 'lib', '[1]', '*', 'x y', 'é?', 'README.md', 'docs')
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map(parts => parts.join('/'))
  fc.assert(
    fc.property(fc.array(path, { maxLength: 6 }), files => {
      const uses = proposedUses(definition, ['a/run.py', ...files])
      const counts = codeCounter({ ...definition, uses })
      expect(files.filter(file => !counts(file))).toEqual([])
      expect(counts('other/never.opened')).toBe(files.some(file => file.startsWith('other/')))
    }),
  )
})
