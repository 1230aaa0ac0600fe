import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Document, parse, stringify, visit } from 'yaml'
import { editMapping, withoutKey } from '../../../src/project/yaml/edit-mapping.js'
import { parseYaml } from '../../../src/project/yaml/yaml-source.js'

/** What an edit makes of a text, by what it says and is to say. */
function edited(text: string, said: unknown, wanted: unknown): string {
  const [before, after] = [said, wanted].map(each => parseYaml(stringify(each), 'it.yaml', 'text').document)
  return editMapping(text, 'it.yaml', before!, after!)
}

test.each([
  ['comments and order', '# a\nz: 1 # z\n\ntags: [a] # t\n\n# end\n', '# a\nz: 1 # z\n\ntags: [b] # t\n\n# end\n'],
  ['numbers as they are written', 'x: 0010\ny: 1e3\ntags: a\n', 'x: 0010\ny: 1e3\ntags:\n  - b\n'],
  ['blanks inside of brackets', 'x: {a: 1}\ntags: [ a ]\n', 'x: {a: 1}\ntags: [ b ]\n'],
  [
    'other lines',
    'x:   { a: 1 }\n\n\n\ty: [1,2,\n   3]\ntags: [a]\ngone: 1\n'.replace('\t', ''),
    'x:   { a: 1 }\n\n\ny: [1,2,\n   3]\ntags: [b]\n',
  ],
  ['the ends of lines', 'x: 1\r\ntags: [a] # t\r\n', 'x: 1\r\ntags: [b] # t\r\n'],
  ['what is below', 'tags: [a]\n# about z\n\n\nz: 1\n# end', 'tags: [b]\n# about z\n\n\nz: 1\n# end'],
])('%s stay where a key is changed', (_, text, expected) => {
  expect(edited(text, { tags: ['a'], gone: '1' }, { tags: ['b'] })).toBe(expected)
})

test.each([
  [
    'an entry more',
    'tags:\n- x # is x\n# about y\n- y # is y\n',
    ['x', 'y', 'z'],
    'tags:\n  - x # is x\n  # about y\n  - y # is y\n  - z\n',
  ],
  [
    'an entry less',
    'tags:\n  # about x\n  - x\n  # about y\n  - y # is y\n',
    ['y'],
    'tags:\n  # about y\n  - y # is y\n',
  ],
  ['another order', 'tags: # all\n  - x # 1\n  - y # 2\n', ['y', 'x'], 'tags: # all\n  - y # 2\n  - x # 1\n'],
  ['a text that looks like something else', 'tags: ["x", y]\n', ['true', 'y'], 'tags: ["true", y]\n'],
])('comments of what stays in a list stay: %s', (_, text, tags, expected) => {
  expect(edited(text, { tags: ['x', 'y'] }, { tags })).toBe(expected)
})

test('comments of what stays in a mapping stay', () => {
  const text = 'best:\n  # good\n  acc: max # is max\n  loss: min # low\n'
  const best = { acc: 'max', loss: 'min' }
  expect(edited(text, { best }, { best: { ...best, f1: 'max' } })).toBe(`${text}  f1: max\n`)
  expect(edited(text, { best }, { best: { loss: 'min' } })).toBe('best:\n  loss: min # low\n')
})

test('a new key comes after the last one, and a text that others read as a number is in quotes', () => {
  expect(edited('a: 1 # one\n# end\n', { a: '1' }, { a: '1', description: '007' })).toBe(
    'a: 1 # one\ndescription: "007"\n# end\n',
  )
  expect(edited('name: "qq" # q', { name: 'qq' }, { name: 'q2', was: ['qq'] })).toBe('name: "q2" # q\nwas:\n  - qq\n')
})

test('inside of a list only what is different is changed, unless it is written in another way', () => {
  const needs = (name: string) => ['a', 'b'].map(file => ({ name, files: [file] }))
  const edit = (text: string) => edited(text, { needs: needs('e') }, { needs: needs('u') })
  expect(edit('needs:\n  - {name: e, files: a} # first\n  # second\n  - name: e # old\n    files: [b]\n')).toBe(
    'needs:\n  - {name: u, files: a} # first\n  # second\n  - name: u # old\n    files: [b]\n',
  )
  expect(parse(edit('needs:\n  - e: a # first\n  - e: b\n'))).toEqual({ needs: needs('u') })
})

test.each([
  ['comments above it', 'b', '# a\na: 1\n\n# b\n# more\nb: 2 # two\n\nc: 3\n', '# a\na: 1\n\n# b\n# more\n\nc: 3\n'],
  [
    'what is below a mapping',
    'b',
    'a: 1\nb:\n  x: 1\n  # y\n  y: {z: 1}\n  # in b\n# c\nc: [3,4]',
    'a: 1\n  # in b\n# c\nc: [3,4]',
  ],
  ['what is below a text of several lines', 'b', 'b: |\n  x\n\n  y\n# c\nc: 3\n', '# c\nc: 3\n'],
  ['the mapping of a last key', 'a.b', 'a:\n  b: 1\nc: {d: 3}\n', 'a: {}\nc: {d: 3}\n'],
  ['texts above it', 'b', 'a: |\n  x\nb:\n  - y\n  # - z\nc: 3\n', 'a: |\n  x\nc: 3\n'],
  ['keys on the same line', 'a.b', 'a: {b: 1, c: 2}\n', 'a: {c: 2}\n'],
  ['keys in a list', 'a.0.b', 'a:\n  - b: 1\n    c: 2\n', 'a:\n  - c: 2\n'],
  ['the ends of lines', 'b', 'a: 1\r\nb: 2\r\nc: 3\r\n', 'a: 1\r\nc: 3\r\n'],
  ['everything', 'a.b.c', 'a: 1\nc: 3', 'a: 1\nc: 3'],
  ['comments, if it is the only key', 'a', '# b\na:\n', '# b\n'],
])('%s stay where a key is removed', (_, path, text, expected) => {
  expect(withoutKey(text, 'it.yaml', path.split('.'))).toBe(expected)
})

test('nothing but the lines of a removed key changes', () => {
  const key = fc.stringMatching(/^[a-z]{1,3}$/)
  const { value } = fc.letrec<{ value: unknown }>(tie => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('1', 'true', '', 'a: #', '- x', 'two\nlines\n', 'x'.repeat(120), null),
      fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
  }))
  const mapping = fc.dictionary(key, value, { minKeys: 1, maxKeys: 5, noNullPrototype: true })
  fc.assert(
    fc.property(mapping, fc.nat(), fc.boolean(), (before, choice, flow) => {
      const document = new Document(before)
      const keys = Object.keys(before)
      const removed = keys[choice % keys.length]!
      visit(document, {
        Pair(_, pair) {
          if (!flow) Object.assign(pair.key as object, { commentBefore: ` of ${pair.key}` })
        },
        Collection(at, node, path) {
          node.flow = flow && path.length > 1 && at !== null
        },
      })
      const text = document.toString()
      const { [removed]: _, ...others } = before
      const left = withoutKey(text, 'it.yaml', [removed])
      expect(parse(left) ?? {}).toEqual(others)
      const lines = text.split('\n')
      for (const line of left.split('\n')) expect(lines.splice(0, lines.indexOf(line) + 1)).toContain(line)
      if (!flow) expect(left).toContain(`# of ${removed}`)
    }),
  )
})
