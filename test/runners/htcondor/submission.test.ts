import { describe, expect, test } from 'vitest'
import type { RunPlan } from '../../../src/domain/runs/run-plan.js'
import { parseCluster } from '../../../src/runners/htcondor/runner.js'
import { prepareCondor } from '../../../src/runners/htcondor/submission.js'
import { planWith } from '../plans.js'

const limits = { identity: 'schedd', groupsPerSubmission: Number.POSITIVE_INFINITY }

function prepare(facts: Partial<RunPlan>, commands: Record<string, string> = {}) {
  return prepareCondor(planWith({ slots: null, ...facts }), { commands }, limits)
}

/** Lines of the submit file. */
function linesOf(...parts: Parameters<typeof prepare>): string[] {
  const file = prepare(...parts).files.find(({ path }) => path === '.run/htcondor.sub')!
  return [...file.text].join('').split('\n')
}

/** Values of a command, whatever its case. */
function valuesOf(lines: readonly string[], name: string): string[] {
  const assignments = lines.map(line => /^(\S+) = ?(.*)$/.exec(line)).filter(match => match !== null)
  return assignments.filter(match => match[1]!.toLowerCase() === name).map(match => match[2]!)
}

describe('the submission of a run', () => {
  test('is one command for one cluster', () => {
    const run = '/project/results/it/run_1'
    const command = ['condor_submit', '-terse', `${run}/.run/htcondor.sub`]
    expect(prepare({ groupCount: 100_000 }).submissions).toEqual([{ first: 0, count: 100_000, command }])
    expect(linesOf({ groupCount: 12 }, { request_cpus: '2' })).toEqual([
      '# Run 1 of it.',
      `executable = ${run}/.run/htcondor.sh`,
      'arguments = "$(Cluster).$(Process) $(Process)"',
      'batch_name = it_1',
      '+QanatToken = "a-token"',
      `log = ${run}/.run/htcondor.log`,
      `error = ${run}/.run/htcondor/$(Cluster).$(Process).err`,
      'initialdir = /project',
      'should_transfer_files = YES',
      'transfer_output_files =',
      'request_cpus = 2',
      'queue 12',
      '',
    ])
  })

  test('has no macros in its paths except ours', () => {
    const lines = linesOf({ projectRoot: '/$(HOME)/a b', storagePath: '/$ENV(HOME)/$$(x)/run_1' })
    const run = '/$(DOLLAR)ENV(HOME)/$(DOLLAR)$(DOLLAR)(x)/run_1'
    expect(valuesOf(lines, 'initialdir')).toEqual(['/$(DOLLAR)(HOME)/a b'])
    expect(valuesOf(lines, 'executable')).toEqual([`${run}/.run/htcondor.sh`])
    expect(valuesOf(lines, 'log')).toEqual([`${run}/.run/htcondor.log`])
    expect(valuesOf(lines, 'error')).toEqual([`${run}/.run/htcondor/$(Cluster).$(Process).err`])
  })

  test('has the values of the template instead of its own, in upper or lower case', () => {
    const lines = linesOf({}, { Should_Transfer_Files: 'NO', ERROR: '/tmp/$(Cluster).$(Process).err', Rank: 'Mips' })
    expect(valuesOf(lines, 'should_transfer_files')).toEqual(['NO'])
    expect(valuesOf(lines, 'error')).toEqual(['/tmp/$(Cluster).$(Process).err'])
    expect(valuesOf(lines, 'rank')).toEqual(['Mips'])
    expect(lines.at(-2)).toBe('queue 1')
  })

  test.each([
    [10, null, []],
    [10, 4, ['4']],
    [10, 10, []],
    [10, 11, []],
    [20_000, null, []],
    [20_001, null, ['20000']],
    [100_000, 30_000, ['20000']],
    [100_000, 50, ['50']],
  ])('of %i groups, at most %s at a time, makes at most %j jobs at a time', (groupCount, slots, most) => {
    expect(valuesOf(linesOf({ groupCount, slots }), 'max_materialize')).toEqual(most)
  })
})

describe('the answer of condor_submit', () => {
  test.each([
    ['36.0 - 36.9\n', '36'],
    ['Welcome to 1.2 - 3.4\n36.0 - 36.99999\r\nWARNING: x\n', '36'],
    ['36.0 - 37.9\n', null],
    ['1 job(s) submitted to cluster 36.\n', null],
    ['', null],
  ])('%j', (output, cluster) => {
    expect(parseCluster(output)).toBe(cluster)
  })
})
