import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { endCauses, exitZero, groupStates } from '../../src/domain/runs/run.js'
import { ExitCode } from '../../src/errors.js'
import { read } from './page.js'

/** The words in code of the first columns of the tables of a page. */
function rowsOf(page: string): string[] {
  const cells = [...read(page).matchAll(/^\| (.*?) \|/gm)].map(([, cell]) => cell!)
  return cells.flatMap(cell => [...cell.matchAll(/`([^`]+)`|^(\d+)$/g)].map(match => match[1] ?? match[2]!))
}

test('each status and each cause is explained, and no other', () => {
  const ofDocuments = ['missing', 'stale', 'up to date']
  expect(rowsOf('docs/reference/statuses.md').sort()).toEqual([...groupStates, ...endCauses, ...ofDocuments].sort())
  expect(read('docs/reference/statuses.md')).toContain(`\`${exitZero}\``)
})

test('each exit code and each kind of error is explained, and no other', () => {
  const kinds = [...readFileSync('src/errors.ts', 'utf8').matchAll(/readonly kind(?:: string)? = '(\w+)'/g)]
  const codes = ['0', ...Object.values(ExitCode).map(String)]
  expect(rowsOf('docs/reference/exit-codes.md').sort()).toEqual([...codes, ...kinds.map(([, kind]) => kind!)].sort())
})
