import { expect, test } from 'vitest'
import { variedFacts } from '../../../src/domain/environments/differences.js'
import { type Environment, environmentOf, unknownParts } from '../../../src/domain/environments/environment.js'
import type { FoundEnvironment } from '../../../src/operations/environments/run-environments.js'
import { comparedEnvironmentsText, environmentLine, environmentsText } from '../../../src/views/runs/environments.js'
import { endedRun } from '../sample-run.js'

const python = { kind: 'interpreter', name: 'version', value: 'Python 3.11.7' } as const
const cpu = (model: string) => ({ kind: 'cpu', name: 'model', value: model }) as const
const gpu = { kind: 'gpu', name: 'driver', value: '535.104' } as const

function found(environment: Environment, hosts: readonly string[], attempt = 1): FoundEnvironment {
  return { hash: 'c0ffee', environment, places: hosts.map(host => ({ attempt, host })) }
}

const first = found(environmentOf([python, cpu('slow')], false), ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7'])
const other = found(environmentOf([python, cpu('fast'), gpu], false), ['g1'])
const again = (attempt: number) => found(other.environment, ['n1'], attempt)

test('of several environments, the first is shown, and what differs in the others', () => {
  expect(environmentsText(endedRun, [first, other])).toMatchInlineSnapshot(`
    "Environment of run 4 of iris on n1, n2, n3, n4, n5 and 2 more hosts:
      interpreter  version  Python 3.11.7
      CPU          model    slow

    What differs on g1:
      CPU  model   slow → fast
      GPU  driver  none → 535.104"
  `)
})

test('what a partial one lacks is no difference', () => {
  const partial = found(environmentOf([python], true), ['n1'], 2)
  expect(environmentsText(endedRun, [first, partial])).toContain('What differs on n1, attempt 2:\n  It is partial')
  const lists = [first, partial].map(({ environment }) => [environment])
  const runs = [
    { run: endedRun, environments: [first, other], unknown: [] },
    { run: { ...endedRun, id: 7 }, environments: [partial], unknown: unknownParts(partial.environment) },
  ] as const
  expect(comparedEnvironmentsText({ runs, facts: variedFacts(lists) })).toMatchInlineSnapshot(`
    "Whether the environments of runs 4 and 7 differ is not known
    Run 4 had 2 environments: qanat env show 4
    Run 7: not known: what was not found in five seconds"
  `)
})

test.each<[string | null, FoundEnvironment[]]>([
  [null, []],
  [
    'Python 3.11.7, not known: what was not found in five seconds: qanat env show 4',
    [found(environmentOf([python], true), ['n1'])],
  ],
  ['Python 3.11.7; 1 other environment on g1: qanat env show 4', [first, other]],
  ['Python 3.11.7; 1 other environment in attempt 2: qanat env show 4', [first, again(2)]],
  ['Python 3.11.7; 2 other environments on g1, and in attempt 3: qanat env show 4', [first, other, again(3)]],
])('a line names what most people want to know: %s', (line, environments) => {
  expect(environmentLine(endedRun, environments)).toBe(line)
})
