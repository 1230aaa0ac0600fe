import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parametersOf } from '../../../src/domain/parameters/arguments.js'
import {
  commandOf,
  groupFolder,
  groupInfo,
  planHeader,
  planLines,
  programOf,
  type RunPlan,
} from '../../../src/domain/runs/run-plan.js'
import { takeWord } from '../../../src/domain/text/shell-text.js'
import { cases } from '../../cases.js'
import { planWith } from '../../runners/plans.js'
import { anyWord, evaluateLines, evaluateTexts } from '../text/shells.js'

const experiment = { name: 'it', description: '', path: '.', tags: [], datasets: [], actions: [] }

/** A run with one group for each argument list. */
function planOf(groups: readonly (readonly string[])[], facts: Partial<RunPlan> = {}): RunPlan {
  return planWith({ groupCount: groups.length, argumentsOf: index => groups[index]!, ...facts })
}

const manyGroups = fc.array(fc.array(anyWord(), { maxLength: 6 }), { minLength: 1, maxLength: 30 })

describe('the program of an experiment', () => {
  test.each([
    ['it.py', 'python -u', ['python', '-u'], 'it.py'],
    ['it.py', "conda run -n 'my env' python", ['conda', 'run', '-n', 'my env', 'python'], 'it.py'],
    ['bin/it', '', [], 'bin/it'],
    // The PATH does not name the project's root.
    ['it', '', [], './it'],
    ['/opt/it', '', [], '/opt/it'],
  ])('%j with the command %j', (executable, executableCommand, words, program) => {
    expect(programOf({ ...experiment, executable, executableCommand })).toEqual({
      executableCommand: words,
      executable: program,
    })
  })
})

describe('the folder of a group', () => {
  test("is the run's own if there is only one", () => {
    expect(groupFolder('/r/run_1', 1, 0)).toBe('/r/run_1')
  })

  test('has the number of the group if there are several', () => {
    expect(groupFolder('/r/run_1', 2, 0)).toBe('/r/run_1/group_0')
    expect(groupFolder('/r/run_1', 100_000, 99_999)).toBe('/r/run_1/group_99999')
  })
})

describe('the command of a group', () => {
  test('is command, executable, arguments, storage path and datasets', () => {
    const plan = planOf([['--seed', '0'], ['a b']], {
      storagePath: '/r/run_1',
      executableCommand: ['python', '-u'],
      executable: 'it.py',
      datasetPaths: ['/d/iris', '/d/my data'],
    })
    const datasets = ['--dataset_path', '/d/iris', '--dataset_path', '/d/my data']
    expect(commandOf(plan, 0)).toEqual([
      ...['python', '-u', 'it.py', '--seed', '0', '--storage_path', '/r/run_1/group_0'],
      ...datasets,
    ])
    expect(commandOf(plan, 1)).toEqual([
      ...['python', '-u', 'it.py', 'a b', '--storage_path', '/r/run_1/group_1'],
      ...datasets,
    ])
  })
})

describe('group_info.yaml', () => {
  test('shows the command and the parameters', () => {
    const plan = planOf([['x', '--seed', '0', '--tag', 'a', '--tag', 'b', '--flag']], { storagePath: '/r/run_1' })
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

  test('is read back as a shell command and as parameters, whatever they are', () => {
    fc.assert(
      fc.property(manyGroups, groups => {
        const plan = planOf(groups)
        const infos = groups.map((_, index) => parse(groupInfo(plan, index)) as Record<string, unknown>)
        expect(
          evaluateTexts(
            'sh',
            infos.map(info => String(info.command)),
          ),
        ).toEqual(groups.map((_, index) => commandOf(plan, index)))
        expect(infos.map(info => info.parameters)).toEqual(groups.map(parametersOf))
      }),
      { numRuns: cases(20), endOnFailure: true },
    )
  })
})

describe('the plan file', () => {
  test('begins with its format, and has one line for each group', () => {
    fc.assert(
      fc.property(manyGroups, groups => {
        const [header, ...lines] = [...planLines(planOf(groups))].join('').split('\n')
        expect(header).toBe(planHeader)
        expect(lines).toHaveLength(groups.length + 1)
        expect(lines.at(-1)).toBe('')
      }),
    )
  })

  test('gives a shell the group_info.yaml and the arguments of each group, byte for byte', () => {
    fc.assert(
      fc.property(manyGroups, groups => {
        const plan = planOf(groups)
        const lines = [...planLines(plan)].slice(1).map(line => line.slice(0, -1))
        const expected = groups.map((words, index) => [groupInfo(plan, index), ...words])
        expect(evaluateLines('sh', lines)).toEqual(expected)
        expect(lines.map(line => takeWord(line).word)).toEqual(expected.map(words => words[0]))
      }),
      { numRuns: cases(20), endOnFailure: true },
    )
  })

  test('is made line by line: a launch of 100,000 groups does not keep it in memory', () => {
    let asked = 0
    const plan = planWith({
      groupCount: 100_000,
      argumentsOf(index) {
        asked = Math.max(asked, index)
        return [String(index)]
      },
    })
    const lines = planLines(plan)
    for (let taken = 0; taken < 3; taken++) lines.next()
    expect(asked).toBe(1)
  })
})
