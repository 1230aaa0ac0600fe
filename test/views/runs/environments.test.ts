import { expect, test } from 'vitest'
import { variedFacts } from '../../../src/domain/environments/differences.js'
import { type Environment, environmentOf } from '../../../src/domain/environments/environment.js'
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

test('a partial one says so, and what it lacks is no difference', () => {
  const partial = found(environmentOf([python], true), ['n1'], 2)
  expect(environmentsText(endedRun, [first, partial])).toMatchInlineSnapshot(`
    "Environment of run 4 of iris on n1, n2, n3, n4, n5 and 2 more hosts:
      interpreter  version  Python 3.11.7
      CPU          model    slow

    What differs on n1, attempt 2:
      It is partial: two seconds were not enough to find all packages."
  `)
  const lists = [first, partial].map(({ environment }) => [environment])
  const run = (id: number, environments: readonly FoundEnvironment[]) => ({ run: { ...endedRun, id }, environments })
  expect(
    comparedEnvironmentsText({ runs: [run(4, [first, other]), run(7, [partial])], facts: variedFacts(lists) }),
  ).toMatchInlineSnapshot(`
    "What is known of the environments of runs 4 and 7 is the same
    Run 4 had 2 environments: qanat env show 4
    What is known of run 7 is partial; what is missing there is left out here"
  `)
})

test('two whole ones without a difference are the same', () => {
  const run = (id: number) => ({ run: { ...endedRun, id }, environments: [first] })
  expect(comparedEnvironmentsText({ runs: [run(4), run(7)], facts: [] })).toBe(
    'The environments of runs 4 and 7 are the same',
  )
})

test('a line names what most people want to know', () => {
  expect(environmentLine(endedRun, [found(environmentOf([python], true), ['n1'])])).toBe(
    'Python 3.11.7, not all of it is known: qanat env show 4',
  )
  expect(environmentLine(endedRun, [])).toBeNull()
  expect(environmentLine(endedRun, [first, other])).toMatchInlineSnapshot(
    `"Python 3.11.7; 1 other environment on g1: qanat env show 4"`,
  )
  expect(environmentLine(endedRun, [first, found(other.environment, ['n1'], 2)])).toMatchInlineSnapshot(
    `"Python 3.11.7; 1 other environment in attempt 2: qanat env show 4"`,
  )
  expect(environmentLine(endedRun, [first, other, found(other.environment, ['n1'], 3)])).toMatchInlineSnapshot(
    `"Python 3.11.7; 2 other environments on g1, and in attempt 3: qanat env show 4"`,
  )
})
