import { execFileSync, spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { yamlParameters, yamlString } from '../../../src/domain/text/yaml-text.js'
import { anyCharacter, cases, testAny } from '../../cases.js'
import { skips } from '../../skips.js'

/** Any text, often one that YAML could take for something else than a string. */
function anyText(): fc.Arbitrary<string> {
  const piece = fc.constantFrom(
    ...' \t\n\r\x00\x7f\x85\u2028\ufeff\uffff"\'\\:#,[]{}&*!|>%@`?-+.~=_/0159exEnyo\ud800',
    ...['true', 'Null', 'off', '.inf', '.NaN', '0x', '0o', '<<', '---', '...', ': ', ' #', '- ', 'é☃', '🏁'],
  )
  const pieces = fc.array(piece, { maxLength: 8 }).map(parts => parts.join(''))
  const numeric = fc.array(fc.constantFrom(...'-+..0159eE_xinfa:'), { maxLength: 6 }).map(parts => parts.join(''))
  return fc.oneof(fc.string({ unit: anyCharacter }), fc.string(), pieces, numeric, fc.double().map(String))
}

/** A mapping as it stands in group_info.yaml. */
function documentOf(parameters: Readonly<Record<string, string | readonly string[]>>): string {
  return `command: x\nparameters:${yamlParameters(parameters, '  ')}`
}

const anyKey = anyText().filter(key => key !== '__proto__')
const anyMapping = fc.dictionary(anyKey, fc.oneof(anyText(), fc.array(anyText())), { noNullPrototype: true })

/** What YAML takes for something else than a string if it stands alone. */
const ambiguous = [
  ...'~ null True NO y on 0 -1 1_000 0x1f 0o17 1e3 .5 -.5 .5e3 -.5e-3 .inf -.inf .NaN 12:30:00 2026-11-21'.split(' '),
  ..."- -- --- ... << = !tag &anchor *alias %x @x `x` | > it's".split(' '),
  ...['', ' ', '- a', '? a', ': a', 'a: b', 'a #b', 'a ', '[a, b]', '{a: b}', '"quoted"', 'a\\nb', 'two\nlines'],
  ...['two\r\nlines\n', 'tab\t', '\ufeffmark', '\x85\u2028\u2029', '\x00\x1b\x7f\x9f', '\uffff\ufffe', 'ünï ☃ 🏁'],
]

describe('a string in YAML', () => {
  test.each(ambiguous)('%j reads back as it was', text => {
    expect(parse(yamlString(text))).toBe(text)
    expect(parse(`key: ${yamlString(text)}\n`)).toEqual({ key: text })
    expect(parse(`${yamlString(text)}: value\n`)).toEqual({ [text]: 'value' })
    expect(parse(`[${yamlString(text)}, end]`)).toEqual([text, 'end'])
    expect(parse(yamlString(text), { version: '1.1' })).toBe(text)
  })

  test.each(['--seed', 'small', 'a b', '/data/iris.csv', 'v1.2', 'a=b', '-x'])('%j stays readable', text => {
    expect(yamlString(text)).toBe(text)
  })

  testAny([anyText()], { numRuns: cases(2000) })('is read back unchanged, whatever it contains', text => {
    expect(parse(yamlString(text))).toBe(text)
  })
})

describe('parameters in YAML', () => {
  test('are a mapping of values and lists', () => {
    expect(documentOf({ pos_0: 'x y', '--seed': '0', '--tag': ['a', '1'], '--flag': '', '--none': [] })).toBe(
      'command: x\nparameters:\n  pos_0: x y\n  --seed: "0"\n  --tag: [a, "1"]\n  --flag: ""\n  --none: []\n',
    )
  })

  testAny([anyMapping], { numRuns: cases(300) })('read back as they were, whatever they are', parameters => {
    expect(parse(documentOf(parameters))).toEqual({ command: 'x', parameters })
  })
})

const pythonReadsYaml = spawnSync('python3', ['-c', 'import yaml']).status === 0
const noPython = skips('YAML that Python reads', pythonReadsYaml ? null : 'python3 has no yaml on this machine')

test.skipIf(noPython)('parameters in YAML read back as they were by Python, too', () => {
  const text = anyText().filter(any => !/\p{Surrogate}/u.test(any))
  const program = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin.buffer), default=str))'
  fc.assert(
    fc.property(fc.array(text, { minLength: 300, maxLength: 300 }), texts => {
      const parameters = Object.fromEntries([...ambiguous, ...texts].map((any, at) => [`--${at}${any}`, [any, any]]))
      const read = execFileSync('python3', ['-c', program], { input: documentOf(parameters), encoding: 'utf8' })
      expect(JSON.parse(read)).toEqual({ command: 'x', parameters })
    }),
    { numRuns: cases(3), endOnFailure: true },
  )
})
