import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RunPlan } from '../../../src/domain/runs/run-plan.js'
import { parseFacts } from '../../../src/runners/slurm/calls.js'
import { type SlurmOptions, slurmDialect } from '../../../src/runners/slurm/options.js'
import { parseArray } from '../../../src/runners/slurm/runner.js'
import { earlierJobs, prepareSlurm } from '../../../src/runners/slurm/submission.js'
import { evaluateTexts, shells } from '../../domain/text/shells.js'
import { plainEnvironment, planWith } from '../plans.js'

const noOptions: SlurmOptions = { words: [], wordsFor: () => [], output: null, dependency: null }

function prepare(facts: Partial<RunPlan>, groupsPerSubmission = 1001, options: SlurmOptions = noOptions) {
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
  test('is one command with all options, and sets no log if the template does', () => {
    const run = '/project/results/it/run_1'
    const command = `sbatch --parsable --job-name=it_1 --comment=a-token --array=0-1000 --open-mode=append
      --output=${run}/.run/slurm/%A_%a.log -p gpu ${run}/.run/slurm.sh 0`.split(/\s+/)
    const { submissions } = prepare({ groupCount: 1001 }, 1001, { ...noOptions, words: ['-p', 'gpu'] })
    expect(submissions).toEqual([{ first: 0, count: 1001, command }])
    const [own] = commandsOf({}, 1001, { ...noOptions, words: ['--output=x'], output: 'x' })
    expect(own!.filter(word => word.startsWith('--output'))).toEqual(['--output=x'])
  })

  test('runs as many groups at a time as there are slots', () => {
    const arrays = [null, 9, 10, 4].map(slots => option(commandsOf({ groupCount: 10, slots })[0]!, '--array'))
    expect(arrays).toEqual(['0-9', '0-9%9', '0-9', '0-9%4'])
  })

  const after = `afterany:${earlierJobs}`

  test('has several arrays if one is too small, which wait for each other if the number of groups is limited', () => {
    const { submissions } = prepare({ groupCount: 25 }, 10)
    const spans = submissions.map(({ first, count, command }) => [first, count, command.at(-1)].join(' '))
    expect(spans).toEqual(['0 10 0', '10 10 10', '20 5 20'])
    const arraysOf = (slots: number | null) =>
      commandsOf({ groupCount: 25, slots }, 10).map(each =>
        [option(each, '--array'), option(each, '--dependency')].join(' '),
      )
    expect(arraysOf(null)).toEqual(['0-9 ', '0-9 ', '0-4 '])
    expect(arraysOf(4)).toEqual(['0-9%4 ', `0-9%4 ${after}`, `0-4%4 ${after}`])
  })

  test('waits in each array for jobs of the run that are ahead of it, and for what its template names', () => {
    const facts = { groupCount: 25, indices: [1, 2, 3], jobsAhead: ['71', '72'] }
    const dependencies = (slots: number) => commandsOf({ ...facts, slots }, 2).map(each => option(each, '--dependency'))
    expect(dependencies(3)).toEqual(['afterany:71:72', 'afterany:71:72'])
    expect(dependencies(2)).toEqual(['afterany:71:72', `afterany:71:72:${earlierJobs}`])
    const commands = commandsOf({ groupCount: 4, slots: 1 }, 2, { ...noOptions, dependency: 'singleton' })
    expect(commands.map(each => option(each, '--dependency'))).toEqual(['singleton', `${after},singleton`])
  })

  test('has every group exactly once, in order, and no array that is too large', () => {
    const counts = [fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 60 })] as const
    fc.assert(
      fc.property(...counts, (groupCount, limit) => {
        const { submissions } = prepare({ groupCount }, limit)
        const groups = submissions.flatMap(({ first, count }) => [...Array(count).keys()].map(task => first + task))
        expect(groups).toEqual([...Array(groupCount).keys()])
        expect(Math.max(...submissions.map(({ count }) => count))).toBeLessThanOrEqual(limit)
      }),
    )
  })
})

describe('a run with many groups in a job', () => {
  const environment = { ...plainEnvironment, pack: { groups: 4, slots: 2 }, resources: { memory: '1G' } }
  const options = slurmDialect.parse({ '-p': 'gpu' }, environment)

  test('is one array, whose tasks ask for what their slots need', () => {
    const { submissions, files } = prepare({ groupCount: 11, environment, slots: 5 }, 1001, options)
    expect(submissions).toMatchObject([{ first: 0, count: 11, pack: 4 }])
    const { command } = submissions[0]!
    expect(command).toEqual(expect.arrayContaining(['--array=0-2%2', '--cpus-per-task=2', '--mem=2G', '-p', 'gpu']))
    expect(command.at(-1)).toBe('0')
    const settings = [...files.find(({ path }) => path === '.run/settings.sh')!.text].join('')
    expect(settings).toContain('qanat_slots=2 qanat_whole=1 qanat_gpus=0')
  })

  test('has several arrays if one is too small, each with the number of its first job', () => {
    const { submissions } = prepare({ groupCount: 23, environment }, 2, options)
    const spans = submissions.map(({ first, count, command }) => [
      first,
      count,
      command.at(-1),
      option(command, '--array'),
    ])
    expect(spans).toEqual([
      [0, 8, '0', '0-1'],
      [8, 8, '2', '0-1'],
      [16, 7, '4', '0-1'],
    ])
  })

  test.each([
    [0, '0 4'],
    [1, '4 4'],
    [2, '8 3'],
  ])('starts each group in one job: those of job %i', (task, range) => {
    const { text } = prepare({ groupCount: 11, environment }, 1001, options).files.find(
      ({ path }) => path === '.run/slurm.sh',
    )!
    const lines = [...text].join('')
    const computed = /^first=.*\n.*count=4$/m.exec(lines)![0]
    const said = execFileSync('sh', ['-c', `place=${task}\n${computed}\necho "$first $count"`], { encoding: 'utf8' })
    expect(said).toBe(`${range}\n`)
    expect(lines).toMatch(/job.sh" pack '' "\$node" "\$job" "\$restarts" "\$first" "\$count" "\$generation"$/m)
  })
})

describe('a folder whose name has special characters for Slurm or a shell', () => {
  const place = { here: '/mirror', there: `/data/50% of $HOME/it's "here"/%A` }

  test('is the folder of the log, with every % doubled', () => {
    const [command] = commandsOf({ place })
    expect(option(command!, '--output')).toBe(`/data/50%% of $HOME/it's "here"/%%A/.run/slurm/%A_%a.log`)
    expect(command!.at(-2)).toBe(`${place.there}/.run/slurm.sh`)
  })

  test.each(shells)('is the folder of the script that %s starts', shell => {
    const { text } = prepare({ place }).files.find(({ path }) => path === '.run/slurm.sh')!
    expect(evaluateTexts(shell, [/^run=(.*)$/m.exec([...text].join(''))![1]!])).toEqual([[place.there]])
  })
})

test.each([
  ['4711\n', { id: '4711', remote: null }],
  ['Charged to project 12\n\n4711;emerald\r\nHave a nice day\n', { id: '4711', remote: 'emerald' }],
  ['sbatch: INFO: 99 nodes\n4711', { id: '4711', remote: null }],
  ['', null],
  ['Submitted batch job 4711\n', null],
  ['4711 4712\n', null],
  ['-1\n', null],
])('the answer of sbatch %j', (output, array) => {
  expect(parseArray(output)).toEqual(array)
})

test.each([
  ['ClusterName   = emerald\nMaxArraySize = 2001\nMaxArraySizeX = 5\nMinJobAge = 60 sec\n', ['emerald', 2001, 60_000]],
  ['MinJobAge = 0 sec\n', ['', 1001, Number.POSITIVE_INFINITY]],
  ['', ['', 1001, 300_000]],
])('the configuration %j has a name, the largest array and how long jobs are kept, or usual values', (text, facts) => {
  const { clusterName, maxArraySize, jobAge } = parseFacts(`Configuration data as of 2026-03-01T10:00:00\n${text}`)
  expect([clusterName, maxArraySize, jobAge]).toEqual(facts)
})
