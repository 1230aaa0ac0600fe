import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RunPlan } from '../../../src/domain/runs/run-plan.js'
import { parseFacts } from '../../../src/runners/slurm/calls.js'
import { parseArray } from '../../../src/runners/slurm/runner.js'
import { earlierJobs, prepareSlurm } from '../../../src/runners/slurm/submission.js'
import { evaluateTexts, shells } from '../../domain/text/shells.js'
import { planWith } from '../plans.js'

const noOptions = { words: [], output: null, dependency: null }

function prepare(
  facts: Partial<RunPlan>,
  groupsPerSubmission = 1001,
  options: Parameters<typeof prepareSlurm>[1] = noOptions,
) {
  return prepareSlurm(planWith({ slots: null, ...facts }), options, { identity: 'c', groupsPerSubmission })
}

function commandsOf(...parts: Parameters<typeof prepare>): (readonly string[])[] {
  return prepare(...parts).submissions.map(({ command }) => command)
}

/** The value of an option in a command; undefined where it has not got it. */
function option(command: readonly string[], name: string): string | undefined {
  return command.find(word => word.startsWith(`${name}=`))?.slice(name.length + 1)
}

describe('the submission of a run', () => {
  test('is one command with all options', () => {
    const run = '/project/results/it/run_1'
    expect(prepare({ groupCount: 1001 }, 1001, { ...noOptions, words: ['-p', 'gpu'] }).submissions).toEqual([
      {
        first: 0,
        count: 1001,
        command: [
          ...['sbatch', '--parsable', '--job-name=it_1', '--comment=a-token', '--array=0-1000', '--open-mode=append'],
          ...[`--output=${run}/.run/slurm/%A_%a.log`, '-p', 'gpu', `${run}/.run/slurm.sh`, '0'],
        ],
      },
    ])
  })

  test('sets no log if the template does', () => {
    const [command] = commandsOf({}, 1001, { ...noOptions, words: ['--output=x'], output: 'x' })
    expect(command!.filter(word => word.startsWith('--output'))).toEqual(['--output=x'])
  })

  test('runs as many groups at a time as there are slots', () => {
    const arrays = [null, 9, 10, 4].map(slots => option(commandsOf({ groupCount: 10, slots })[0]!, '--array'))
    expect(arrays).toEqual(['0-9', '0-9%9', '0-9', '0-9%4'])
  })

  test('has several arrays if one is too small; each begins at 0 and knows its first group', () => {
    const { submissions } = prepare({ groupCount: 25 }, 10)
    const shown = submissions.map(({ command, ...span }) => [span, option(command, '--array'), command.at(-1)])
    expect(shown).toEqual([
      [{ first: 0, count: 10 }, '0-9', '0'],
      [{ first: 10, count: 10 }, '0-9', '10'],
      [{ first: 20, count: 5 }, '0-4', '20'],
    ])
    expect(submissions.some(({ command }) => option(command, '--dependency'))).toBe(false)
  })

  test('has arrays that wait for each other if the number of running groups is limited', () => {
    const commands = commandsOf({ groupCount: 25, slots: 4 }, 10)
    expect(commands.map(command => option(command, '--array'))).toEqual(['0-9%4', '0-9%4', '0-4%4'])
    const after = `afterany:${earlierJobs}`
    expect(commands.map(command => option(command, '--dependency'))).toEqual([undefined, after, after])
  })

  test('waits in each array for jobs of the run that are ahead of it', () => {
    const facts = { groupCount: 25, indices: [1, 2, 3], jobsAhead: ['71', '72'] }
    const dependencies = (slots: number) => commandsOf({ ...facts, slots }, 2).map(each => option(each, '--dependency'))
    expect(dependencies(3)).toEqual(['afterany:71:72', 'afterany:71:72'])
    expect(dependencies(2)).toEqual(['afterany:71:72', `afterany:71:72:${earlierJobs}`])
  })

  test('has every group exactly once, in order, and no array that is too large', () => {
    const counts = [fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 60 })] as const
    fc.assert(
      fc.property(...counts, (groupCount, limit) => {
        const { submissions } = prepare({ groupCount }, limit)
        const groups = submissions.flatMap(({ first, count }) =>
          Array.from({ length: count }, (_, task) => first + task),
        )
        expect(groups).toEqual([...Array(groupCount).keys()])
        expect(Math.max(...submissions.map(({ count }) => count))).toBeLessThanOrEqual(limit)
      }),
    )
  })
})

describe('a folder whose name has special characters for Slurm or a shell', () => {
  const storagePath = `/data/50% of $HOME/it's "here"/%A`

  test('is the folder of the log, with every % doubled', () => {
    const [command] = commandsOf({ storagePath })
    expect(option(command!, '--output')).toBe(`/data/50%% of $HOME/it's "here"/%%A/.run/slurm/%A_%a.log`)
    expect(command!.at(-2)).toBe(`${storagePath}/.run/slurm.sh`)
  })

  test.each(shells)('is the folder of the script that %s starts', shell => {
    const script = prepare({ storagePath }).files.find(({ path }) => path === '.run/slurm.sh')!
    const line = [...script.text]
      .join('')
      .split('\n')
      .find(each => each.startsWith('run='))!
    expect(evaluateTexts(shell, [line.slice('run='.length)])).toEqual([[storagePath]])
  })
})

test('a job waits for the dependency in its template, and for earlier arrays', () => {
  const options = { ...noOptions, dependency: 'singleton' }
  const commands = commandsOf({ groupCount: 4, slots: 1 }, 2, options)
  expect(commands.map(command => option(command, '--dependency'))).toEqual([
    'singleton',
    'afterany:EARLIER_JOBS,singleton',
  ])
})

describe('the answer of sbatch', () => {
  test.each([
    ['4711\n', { id: '4711', remote: null }],
    ['4711;emerald\n', { id: '4711', remote: 'emerald' }],
    ['Charged to project 12\n\n4711;emerald\r\nHave a nice day\n', { id: '4711', remote: 'emerald' }],
    ['sbatch: INFO: 99 nodes\n4711', { id: '4711', remote: null }],
    ['', null],
    ['Submitted batch job 4711\n', null],
    ['4711 4712\n', null],
    ['-1\n', null],
  ])('%j', (output, array) => {
    expect(parseArray(output)).toEqual(array)
  })
})

describe("Slurm's configuration", () => {
  const head = 'Configuration data as of 2026-03-01T10:00:00\n'

  test('contains the name of the cluster, the largest array and how long jobs are kept', () => {
    const text = `${head}ClusterName             = emerald\nMaxArraySize            = 2001\nMaxArraySizeX = 5\nMinJobAge = 60 sec\n`
    expect(parseFacts(text)).toEqual({ clusterName: 'emerald', maxArraySize: 2001, jobAge: 60_000 })
  })

  test('has defaults for missing values', () => {
    expect(parseFacts(head)).toEqual({ clusterName: '', maxArraySize: 1001, jobAge: 300_000 })
    expect(parseFacts('MinJobAge = 0 sec\n').jobAge).toBe(Number.POSITIVE_INFINITY)
  })
})
