import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parametersOf } from '../../../src/domain/parameters/arguments.js'
import * as runPlan from '../../../src/domain/runs/run-plan.js'
import { cases, testAny } from '../../cases.js'
import { planWith } from '../../runners/plans.js'
import { anyWord, evaluateLines, evaluateTexts } from '../text/shells.js'

const { commandOf, groupFolder, groupInfo, planHeader, planLines, programOf } = runPlan

/** A run with one group for each argument list. */
function planOf(groups: readonly (readonly string[])[], facts: Partial<runPlan.RunPlan> = {}): runPlan.RunPlan {
  return planWith({ groupCount: groups.length, argumentsOf: index => groups[index]!, ...facts })
}

const manyGroups = fc.array(fc.array(anyWord(), { maxLength: 6 }), { minLength: 1, maxLength: 30 })
const few = { numRuns: cases(20), endOnFailure: true }

describe('the command of a group', () => {
  test.each([
    ['it.py', "conda run -n 'my env' python", ['conda', 'run', '-n', 'my env', 'python'], 'it.py'],
    ['bin/it', '', [], 'bin/it'],
    // The PATH does not name the project's root.
    ['it', '', [], './it'],
  ])('starts %j with the command %j', (executable, executableCommand, words, program) => {
    expect(programOf({ executable, executableCommand })).toEqual({ executableCommand: words, executable: program })
  })

  test('is command, executable, arguments, storage path and datasets', () => {
    const program = { executableCommand: ['python', '-u'], executable: 'it.py' }
    const plan = planOf([['--seed', '0'], ['a b']], {
      ...program,
      place: { here: '/mirror', there: '/r/run_1' },
      datasetPaths: ['/d/my data'],
    })
    const parts = ['python', '-u', 'it.py', 'a b', '--storage_path', '/r/run_1/group_1', '--dataset_path', '/d/my data']
    expect(commandOf(plan, 1)).toEqual(parts)
  })

  test("has a folder with the group's number, or that of the run if there is only one group", () => {
    expect(groupFolder('/r/run_1', 1, 0)).toBe('/r/run_1')
    expect(groupFolder('/r/run_1', 100_000, 99_999)).toBe('/r/run_1/group_99999')
  })
})

describe('group_info.yaml', () => {
  test('shows the command and the parameters', () => {
    const plan = planOf([['x', '--seed', '0', '--tag', 'a', '--tag', 'b', '--flag']], {
      place: { here: '/mirror', there: '/r/run_1' },
    })
    expect(groupInfo(plan, 0)).toBe(
      `command: sh it.sh x --seed 0 --tag a --tag b --flag --storage_path /r/run_1
parameters:
  pos_0: x
  --seed: "0"
  --tag: [a, b]
  --flag: ""
`,
    )
  })

  testAny([manyGroups], few)('is read back as a shell command and as parameters, whatever they are', groups => {
    const plan = planOf(groups)
    const infos = groups.map((_, index) => parse(groupInfo(plan, index)) as Record<string, unknown>)
    const commands = infos.map(({ command }) => String(command))
    expect(evaluateTexts('sh', commands)).toEqual(groups.map((_, index) => commandOf(plan, index)))
    expect(infos.map(({ parameters }) => parameters)).toEqual(groups.map(parametersOf))
  })
})

describe('the plan file', () => {
  testAny([manyGroups], few)('gives a shell what each group needs in one line, byte for byte', groups => {
    const plan = planOf(groups)
    const [header, ...lines] = [...planLines(plan)].join('').split('\n')
    expect([header, lines.pop()]).toEqual([planHeader, ''])
    const expected = groups.map((words, index) => [String(index), groupInfo(plan, index), ...words])
    expect(evaluateLines('sh', lines)).toEqual(expected)
  })

  test('is made line by line: a launch of 100,000 groups does not keep it in memory', () => {
    const asked: number[] = []
    const lines = planLines(planWith({ groupCount: 100_000, argumentsOf: index => [`${asked.push(index)}`] }))
    for (let taken = 0; taken < 3; taken++) lines.next()
    expect(asked).toEqual([0, 1])
  })
})
