import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CodeDefinition, codeCounter, usualIgnores } from '../../src/domain/code-used.js'
import { testAny } from '../cases.js'

const nothing: CodeDefinition = {
  ...{ uses: [], ignores: usualIgnores, own: ['train.py'], registered: ['train.py', 'data/texts', 'docs/build.py'] },
  ...{ others: ['paper', 'plot.py'], never: ['results', 'paper/exports', 'grid.yaml'] },
}

/** What counts of these paths. */
function counted(definition: Partial<CodeDefinition>, paths: readonly string[], isSubmodule = false): string[] {
  const counts = codeCounter({ ...nothing, ...definition })
  return paths.filter(path => counts(path, isSubmodule))
}

describe('what counts as code', () => {
  test.each<[string, Partial<CodeDefinition>, string[], string[]]>([
    ['is the whole repository', {}, ['train.py', 'lib/a.py', '../lib.py', 'paper.py', 'a b\n.py'], []],
    ['are no texts', {}, [], ['README.md', 'lib/README.md', 'a.rst', 'LICENSE', 'LICENSE.txt', 'lib/.gitignore']],
    ['are no documents in docs/', {}, ['lib/docs/a.py', 'docs.py'], ['docs/conf.py', 'docs/a/b.py']],
    ['are no settings of projects', {}, [], ['.qanat/config.yaml', 'other/.qanat/config.yaml']],
    ['are no results, exports and parameters', {}, ['resultsx'], ['results/a', 'paper/exports/a.py', 'grid.yaml']],
    ['are no documents, and no scripts of actions', {}, ['a/plot.py'], ['paper/main.tex', 'paper/a/b.py', 'plot.py']],
    ['are registered data and scripts', {}, ['data/texts/README.md', 'docs/build.py'], ['data/README.md']],
    ['is what an experiment does not ignore', { ignores: ['*.ipynb'] }, ['README.md'], ['a/b.ipynb', 'x.ipynb/a']],
    ['is what an experiment uses', { uses: ['lib/**', '*.toml'] }, ['train.py', 'lib/a/b', 'x/a.toml'], ['other.py']],
    ['is what is in a folder that it uses', { uses: ['lib/', '/top'] }, ['a/lib/b.py', 'top/a'], ['a/top', 'libs/a']],
    ['is no file called as a folder that it uses', { uses: ['lib/', '/a/*/'] }, ['lib/lib', 'a/b/c'], ['lib', 'a/b']],
    ['is a file called as a folder that it ignores', { ignores: ['notes/'] }, ['notes', 'a/notes'], ['notes/a']],
    ['is in a folder that it uses and ignores', { uses: ['lib'], ignores: ['lib/'] }, ['lib/a', 'lib'], []],
    ['are no texts in a folder that it uses', { uses: ['lib'] }, ['lib/a.py'], ['lib/README.md']],
    ['are texts that it uses', { uses: ['prompts/*.md'] }, ['prompts/a.md'], ['README.md', 'prompts/b/c.md']],
    ['is a folder docs that it uses', { uses: ['docs/api'] }, ['docs/api/a.py'], ['docs/api/a.md', 'docs/b.py']],
    ['is the script of an action that it uses', { uses: ['plot.py'] }, ['plot.py'], ['x.py']],
    ['is no script of an action that fits by chance', { uses: ['*.py'] }, ['x.py'], ['plot.py']],
    ['is what it uses of a document', { uses: ['paper/tables'] }, ['paper/tables/a.py'], ['paper/b.py']],
    ['is its folder', { uses: ['x'], own: ['train.py', 'a[1]'] }, ['a[1]/b.py', 'train.py'], ['a1/b.py']],
    ['is its folder in a document', { own: ['paper/code'] }, ['paper/code/a.py'], ['paper/code/README.md', 'paper/b']],
    ['is its script, even if it is that of an action', { own: ['plot.py'] }, ['plot.py'], []],
    ['fits ? and *', { uses: ['/a?c*.py'] }, ['abc.py', 'axc1.py'], ['ac.py', 'abbc.py', 'x/abc.py']],
    ['fits characters', { uses: ['/[a-c]x[!0-9]'] }, ['axy', 'cx-'], ['dxy', 'ax1', 'ax/']],
    ['fits none of the characters, as git says it, too', { uses: ['/x[^0-9]'] }, ['x-', 'x^'], ['x1', 'x/']],
    ['takes a character after \\ as it is', { uses: ['/a\\*b', '\\?.py'] }, ['a*b', 'x/?.py'], ['axb', 'a\\b', 'a.py']],
    ['fits ** at any place', { uses: ['a/**/b.py', '**/c.py'] }, ['a/b.py', 'a/x/y/b.py', 'c.py', 'x/c.py'], ['b.py']],
    ['fits no range that is the wrong way round', { uses: ['[z-a]'] }, ['train.py'], ['z', 'a', 'm']],
    ['fits what looks like an expression', { uses: ['/a+(b).py'] }, ['a+(b).py'], ['aab.py']],
  ])('%s', (_, definition, yes, no) => {
    expect(counted(definition, [...yes, ...no])).toEqual(yes)
  })

  test('are submodules of which a part may be used', () => {
    const submodules = (definition: Partial<CodeDefinition>, ...paths: string[]) => counted(definition, paths, true)
    const uses = ['lib/source/*.py', 'a/**/b']
    expect(submodules({ uses }, 'lib', 'lib/source', 'other', 'a/x/y')).toEqual(['lib', 'lib/source', 'a/x/y'])
    expect(submodules({ uses: ['*.toml'] }, 'lib')).toEqual(['lib'])
    expect(submodules({ uses: ['lib/', 'a/lib/b/'] }, 'lib', 'a', 'b/lib/c')).toEqual(['lib', 'a', 'b/lib/c'])
    expect(submodules({ ignores: ['lib/', '/x/y/'] }, 'lib', 'x')).toEqual(['x'])
    expect(submodules({ uses, own: ['vendor/x/run.py'] }, 'vendor/x', 'vendor/y')).toEqual(['vendor/x'])
  })
})

const name = fc.constantFrom('a', 'b.py', 'c.md', 'docs', 'x y', '[z', '*', '.qanat', '..')
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map(parts => parts.join('/'))
const piece = fc.constantFrom('a', '*', '**', '?.py', '*.md', '[a-c]*', '[z', 'docs', '')
const pattern = fc.array(piece, { minLength: 1, maxLength: 5 }).map(parts => parts.join('/'))
const patterns = fc.array(pattern, { maxLength: 3 })
const paths = fc.array(path, { maxLength: 3 })
const definition = fc.record({
  ...{ uses: patterns, ignores: patterns, own: paths, registered: paths, others: paths, never: paths },
})

describe('whatever a definition says', () => {
  testAny([definition, path])('a file that is named itself counts, unless it never does', (given, file) => {
    const isLiteral = !/[*?[]/.test(file) && !file.includes('..')
    const never = given.never.some(each => `${file}/`.startsWith(`${each}/`)) || file.split('/').includes('.qanat')
    fc.pre(isLiteral)
    const counts = codeCounter({ ...given, uses: [...given.uses, `/${file}`] })
    expect(counts(file)).toBe(!never)
  })

  testAny([definition, path, path])('more that is left out never makes more count', (given, file, more) => {
    const less = { ...given, never: [...given.never, more], ignores: [...given.ignores, '*.md'] }
    if (codeCounter(less)(file)) expect(codeCounter(given)(file)).toBe(true)
    if (codeCounter(given)(file)) expect(codeCounter({ ...given, own: [...given.own, more] })(file)).toBe(true)
  })
})
