import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked, type Token, type Tokens } from 'marked'
import { expect, test } from 'vitest'
import { usualSources } from '../../src/domain/results/metrics.js'
import { endCauses, exitZero, groupStates } from '../../src/domain/runs/run.js'
import { ExitCode } from '../../src/errors.js'
import { sharedViews } from '../../src/operations/results/query.js'
import { schemas } from '../project/schema-pairs.js'
import { read } from './page.js'

// What the program has a list of stands on a page of the reference, and nothing else does. Commands, options, keys and settings
// are in pages that are made from the program.

/** Words of code in the first column of the tables of a page, table by table; texts of cells without code. */
function firstColumns(page: string): string[][] {
  const tables = marked.lexer(read(`docs/reference/${page}.md`)).filter(({ type }) => type === 'table')
  return (tables as Tokens.Table[]).map(({ rows }) =>
    rows.flatMap(([cell]) => {
      const spans = codeIn(cell!.tokens)
      return spans.length > 0 ? spans : [cell!.text]
    }),
  )
}

function codeIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap(token => (token.type === 'codespan' ? [token.text as string] : []))
}

const sorted = (words: readonly string[]) => [...words].sort()

test('statuses and causes', () => {
  const [statuses, causes] = firstColumns('statuses')
  expect(sorted(statuses!)).toEqual(sorted(groupStates))
  expect(sorted(causes!)).toEqual(sorted(endCauses))
  expect(read('docs/reference/statuses.md')).toContain(`\`${exitZero}\``)
})

test('exit codes, and kinds of errors', () => {
  const [codes, kinds] = firstColumns('exit-codes')
  expect(sorted(codes!)).toEqual(sorted(['0', ...Object.values(ExitCode).map(String)]))
  const declared = readFileSync('src/errors.ts', 'utf8').matchAll(/readonly kind(?:: string)? = '(\w+)'/g)
  expect(sorted(kinds!)).toEqual(sorted([...declared].map(match => match[1]!)))
})

test('views of SQL', () => {
  const [views] = firstColumns('sql-tables')
  expect(views!.slice(0, -1)).toEqual(sharedViews)
})

test('files in which metrics are found', () => {
  const files = usualSources.map(source => ('file' in source ? source.file : source.stdout))
  expect(sorted(firstColumns('metric-files')[0]!)).toEqual(sorted(files))
})

test('keys of files, however deep', () => {
  const pages = { experiment: 'experiment-file', dataset: 'dataset-file', document: 'document-file' }
  const all = Object.entries({ ...pages, parameters: 'parameter-file', template: 'template', config: 'settings' })
  for (const [name, page] of all) {
    const text = read(`docs/reference/${page}.md`)
    expect([page, keysIn(schemas[name]).filter(key => !text.includes(`\`${key}\` (`))]).toEqual([page, []])
  }
})

/** The keys that a schema suggests to editors. */
function keysIn(schema: any): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = Object.entries<any>(schema.properties ?? {}).filter(([, value]) => value !== true && !value.doNotSuggest)
  const below = Object.values(schema).flatMap(keysIn)
  return [...own.map(([key]) => key), ...below]
}

test('variables', () => {
  /** Between our own processes. */
  const own = ['QANAT_FAULT', 'QANAT_NEWLINE']
  const sources = (readdirSync('src', { recursive: true }) as string[]).filter(path => /\.(ts|sh|py)$/.test(path))
  const text = sources.map(path => readFileSync(join('src', path), 'utf8')).join('\n')
  const named = (from: string) =>
    sorted([...new Set(Array.from(from.matchAll(/\bQANAT_[A-Z_]*[A-Z]\b/g), ([word]) => word))])
  expect(named(read('docs/reference/variables.md'))).toEqual(named(text).filter(name => !own.includes(name)))
})
