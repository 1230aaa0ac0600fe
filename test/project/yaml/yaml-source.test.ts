import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UserError } from '../../../src/errors.js'
import { keepAsWritten, parseYaml, readYaml } from '../../../src/project/yaml/yaml-source.js'
import { fileWith, folderWith } from '../temporary.js'

describe('readYaml', () => {
  it.each([
    ['an open quote', "a: 1\nb: 'x\n", ':3:1: ', 'quote'],
    ['a tab', 'a:\n\tb: 2\n', ':2:1: ', 'Tabs are not allowed'],
    ['an open list', 'a: [b\n', ':2:1: ', 'a list that begins with [ does not end with ]'],
    ['an open mapping', 'a: {b: c\nd: e\n', ':2:1: ', 'a mapping that begins with { does not end with }'],
    ['a colon in plain text', 'a: b: c\n', ':1:4: ', 'Nested mappings'],
    ['a key given twice', 'a: 1\nb: 2\na: 3\n', ':3:1: ', 'a is given twice'],
    ['a second document', 'a: 1\n---\nb: 2\n', ':2:1: ', 'only one is allowed'],
    ['a list as a key', '? [a]\n: 1\n', ':1:3: ', 'keys must be strings'],
  ])('reports the position of %s, and how to write YAML', (_, text, position, reason) => {
    const file = fileWith(text)
    const attempt = () => readYaml(file)
    expect(attempt).toThrow(UserError)
    expect(attempt).toThrow(file + position)
    expect(attempt).toThrow(reason)
    expect(attempt).toThrow(expect.objectContaining({ hint: expect.stringContaining('quotes') }))
  })

  it('names a missing file, a folder, and a file that is not text', () => {
    const folder = folderWith({ binary: Uint8Array.of(0x61, 0x3a, 0xff, 0xfe) })
    expect(() => readYaml(join(folder, 'none.yaml'))).toThrow(/there is no file '.*none\.yaml'/)
    expect(() => readYaml(folder)).toThrow(/is a folder/)
    expect(() => readYaml(join(folder, 'binary'))).toThrow(/not UTF-8/)
  })

  it('reads a file with a byte order mark and Windows line ends', () => {
    const source = readYaml(fileWith('\ufeffa: 1\r\nb: two\r\n'))
    expect(source.value()).toEqual({ a: 1, b: 'two' })
    expect(source.position(['b'])).toEqual({ line: 2, column: 4 })
  })

  it('keeps every scalar except null as written when asked for text', () => {
    const text = 'a: 007\nb: True\nc: 1.50\nd: ~\ne:\nf: "null"\ng: 1e3\n12: x\n'
    const expected = { a: '007', b: 'True', c: '1.50', d: null, e: null, f: 'null', g: '1e3', 12: 'x' }
    expect(parseYaml(text, 'f', 'text').value()).toEqual(expected)
  })
})

/** An alias of a list of twelve times another one. */
const grow = (name: string, from: string) => `${name}: &${name} [${Array(12).fill(`*${from}`).join(', ')}]\n`

describe('YamlSource', () => {
  const text = 'top: &top\n  list:\n    - one\n    - {deep: 1}\n  empty:\ncopy:\n  <<: *top\n  own: 2\nalias: *top\n'
  const source = parseYaml(text, 'file.yaml')

  it.each([
    [['top', 'list', 1, 'deep'], 'value', 4, 14],
    [['top', 'list', 1, 'deep'], 'key', 4, 8],
    [['copy', 'own'], 'value', 8, 8],
    [['alias', 'list', 0], 'value', 3, 7],
    [['top', 'missing'], 'value', 2, 3],
    [['nowhere', 'at', 'all'], 'value', 1, 1],
  ] as const)('finds %j, the %s', (path, of, line, column) => {
    expect(source.position(path, of)).toEqual({ line, column })
  })

  it('resolves aliases and merge keys', () => {
    expect(source.value()).toMatchObject({ copy: { own: 2, list: ['one', { deep: 1 }], empty: null } })
  })

  it('writes an error as file, line, column, path and message', () => {
    const error = source.fail(['top', 'list', 1, 'deep'], 'is 1', 'try 2')
    expect(error).toBeInstanceOf(UserError)
    expect(error.message).toBe('file.yaml:4:14: top.list[1].deep: is 1')
    expect(error.hint).toBe('try 2')
  })

  it('adds the position to the UserError of a check, and to no other error', () => {
    const failing = (error: Error) => () =>
      source.at(['copy', 'own'], () => {
        throw error
      })
    expect(failing(new UserError('too small', 'take 3'))).toThrow('file.yaml:8:8: copy.own: too small')
    expect(failing(new TypeError('a bug'))).toThrow(TypeError)
    expect(source.at([], () => 5)).toBe(5)
  })

  it.each([
    ['an unknown anchor', 'a: *nope\n'],
    ['an anchor inside itself', 'a: &a\n  b: *a\n'],
    ['aliases that multiply', `a: &a [x]\n${grow('b', 'a')}${grow('c', 'b')}${grow('d', 'c')}`],
  ])('refuses %s', (_, broken) => {
    expect(() => parseYaml(broken, 'file.yaml').value()).toThrow(/file\.yaml:1:1: the aliases do not resolve/)
  })

  it.each(['[', '{a: '])('refuses what is nested too deeply', open => {
    const attempt = () => parseYaml(`deep: ${open.repeat(3000)}`, 'file.yaml').value()
    expect(attempt).toThrow(/^file\.yaml:1:\d+: this value is nested too deeply$/)
  })
})

describe('keepAsWritten', () => {
  it('keeps the text of numbers that print differently and of everything under env', () => {
    const source = parseYaml('a: 007\nb: 7\nc: 0.10\nd: 1e3\ne: true\nenv: {A: True, B: 04, C: 5, D: }\n', 'f')
    keepAsWritten(source.document.contents!)
    const env = { A: 'True', B: '04', C: '5', D: null }
    expect(source.value()).toEqual({ a: '007', b: 7, c: '0.10', d: '1e3', e: true, env })
  })
})
