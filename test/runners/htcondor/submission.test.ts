import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunPlan } from '../../../src/domain/runs/run-plan.js'
import { lastRecord } from '../../../src/runfolder/evidence/group-journals.js'
import { condorErrors, recordsFolder } from '../../../src/runfolder/layout.js'
import { parseCluster } from '../../../src/runners/htcondor/runner.js'
import { prepareCondor } from '../../../src/runners/htcondor/submission.js'
import { folderWith } from '../../project/temporary.js'
import { placeAt, plainEnvironment, planWith } from '../plans.js'

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
  test('is one command for one cluster, whose submit file has no macros in its paths except ours', () => {
    const command = ['condor_submit', '-terse', '/project/results/it/run_1/.run/htcondor.sub']
    expect(prepare({ groupCount: 100_000 }).submissions).toEqual([{ first: 0, count: 100_000, command }])
    const paths = { projectRoot: '/$(HOME)/a b', place: { here: '/mirror', there: '/$ENV(HOME)/$$(x)/run_1' } }
    const run = '/$(DOLLAR)ENV(HOME)/$(DOLLAR)$(DOLLAR)(x)/run_1'
    expect(linesOf({ ...paths, groupCount: 12 }, { request_cpus: '2' })).toEqual([
      '# Run 1 of it.',
      `executable = ${run}/.run/htcondor.sh`,
      'arguments = "$(Cluster).$(Process) $(Process)"',
      'batch_name = it_1',
      '+QanatToken = "a-token"',
      `log = ${run}/.run/htcondor.log`,
      `error = ${run}/.run/htcondor/$(Cluster).$(Process).err`,
      'initialdir = /$(DOLLAR)(HOME)/a b',
      'should_transfer_files = YES',
      'transfer_output_files =',
      'request_cpus = 2',
      'queue 12',
      '',
    ])
  })

  test('has the values of the template instead of its own, in upper or lower case', () => {
    const lines = linesOf({}, { Should_Transfer_Files: 'NO', ERROR: '/tmp/x.err', Rank: 'Mips' })
    const names = ['should_transfer_files', 'error', 'rank']
    expect(names.map(name => valuesOf(lines, name))).toEqual([['NO'], ['/tmp/x.err'], ['Mips']])
    expect(lines.at(-2)).toBe('queue 1')
  })

  test.each([
    [10, null, []],
    [10, 4, ['4']],
    [10, 10, []],
    [20_000, null, []],
    [20_001, null, ['20000']],
    [100_000, 30_000, ['20000']],
    [100_000, 50, ['50']],
  ])('of %i groups, at most %s at a time, makes at most %j jobs at a time', (groupCount, slots, most) => {
    expect(valuesOf(linesOf({ groupCount, slots }), 'max_materialize')).toEqual(most)
  })
})

/** The folders of a project and of a run in it, as a launch leaves them. */
function launch(files: Readonly<Record<string, string>>, facts: Partial<RunPlan> = {}) {
  const project = folderWith(files)
  const storagePath = join(project, 'results/it/run_1')
  const plan = { ...facts, projectRoot: project, workingDirectory: project, place: placeAt(storagePath) }
  for (const { path, text } of prepare(plan).files) {
    mkdirSync(dirname(join(storagePath, path)), { recursive: true })
    writeFileSync(join(storagePath, path), [...text].join(''))
  }
  for (const folder of [recordsFolder, condorErrors(plan.groupCount ?? 1)]) {
    mkdirSync(join(storagePath, folder), { recursive: true })
  }
  return { project, storagePath, plan }
}

/** Runs the job of the first group, as HTCondor does on a node, and returns what is recorded of it. */
function runJob(storagePath: string, variables: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, ...variables }
  execFileSync('sh', [join(storagePath, '.run/htcondor.sh'), '36.0', '0'], { env })
  return lastRecord(storagePath, 0, 1)
}

describe('a job', () => {
  const claim = '1 job 36.0\n'
  const start = '1 start 0 1 5 1.5 n1 36.0'

  test.each([
    ['for the first time', '', 'NumJobStarts = 0\nNumShadowStarts = 1\n', 0],
    ['of an HTCondor that has not counted yet', '', 'NumShadowStarts = 1\n', 0],
    ['without a ClassAd', '', null, 0],
    ['again', `${claim}${start} 0\n`, 'NumJobStarts = 1\nNumShadowStarts = 2\n', 1],
    ['again, and its schedd had lost it', `${claim}${start} 0\n`, 'NumJobStarts = 1\nNumShadowStarts = 4\n', 1],
    ['again, after a start that recorded nothing', claim, 'NumJobStarts = 1\nNumShadowStarts = 2\n', 1],
    ['again, after a start that its schedd has lost', `${claim}${start} 0\n${start} 1\n`, 'NumJobStarts = 1\n', 2],
  ])('that is started %s counts its starts', (_, journal, ad, restarts) => {
    const { project, storagePath } = launch({ 'it.sh': '', ...(ad !== null && { job_ad: ad }) })
    if (journal !== '') writeFileSync(join(storagePath, recordsFolder, '0'), journal)
    const recorded = runJob(storagePath, { _CONDOR_JOB_AD: join(project, 'job_ad') })
    expect(recorded).toMatchObject({ kind: 'end', code: 0, restarts })
  })

  test.each([
    ['the folder of the run, if its group is the only one', 1, 'rm -r "$QANAT_STORAGE_PATH"'],
    ['that, and has made it again', 1, 'rm -r "$QANAT_STORAGE_PATH"; mkdir "$QANAT_STORAGE_PATH"'],
    ['the folder of its group', 2, 'rm -r "$QANAT_STORAGE_PATH"'],
  ])('leaves the folder to which HTCondor then writes, even if its script has removed %s', (_, groupCount, script) => {
    const { storagePath, plan } = launch({ 'it.sh': script }, { groupCount })
    expect(runJob(storagePath)).toMatchObject({ kind: 'end', code: 0 })
    expect(existsSync(dirname(valuesOf(linesOf(plan), 'error')[0]!))).toBe(true)
  })
})

test.each([
  ['36.0 - 36.9\n', '36'],
  ['Welcome to 1.2 - 3.4\n36.0 - 36.99999\r\nWARNING: x\n', '36'],
  ['36.0 - 37.9\n', null],
  ['1 job(s) submitted to cluster 36.\n', null],
  ['', null],
])('the answer of condor_submit %j', (output, cluster) => {
  expect(parseCluster(output)).toBe(cluster)
})

describe('a run with many groups in a job', () => {
  const environment = { ...plainEnvironment, pack: { groups: 4, slots: 2 }, resources: { memory: '1G', time: '10' } }

  test('has a job for each range, which asks for what its slots need', () => {
    const lines = linesOf({ groupCount: 11, slots: 4, environment }, { request_memory: '1G', rank: 'Memory' })
    expect(lines).toContain('queue 3')
    expect(valuesOf(lines, 'request_cpus')).toEqual(['2'])
    expect(valuesOf(lines, 'request_memory')).toEqual(['2G'])
    expect(valuesOf(lines, '+qanattimelimit')).toEqual(['1200'])
    expect(valuesOf(lines, 'max_materialize')).toEqual(['2'])
    expect(prepare({ groupCount: 11, environment }).submissions).toMatchObject([{ first: 0, count: 11, pack: 4 }])
  })

  test.each([
    [0, 0, '4 4 0'],
    [2, 2, '4 4 2'],
    [1, 3, '4 4 3'],
  ])('counts its starts: %i by HTCondor, %i by folders', (starts, folders, expected) => {
    const names = Array.from({ length: folders }, (_, at) => [`run/.run/pool/4/0.${at}/plan`, ''])
    const folder = folderWith({ ad: `NumJobStarts = ${starts}\n`, ...Object.fromEntries(names) })
    const plan = { groupCount: 11, environment, place: placeAt(join(folder, 'run')) }
    const { text } = prepare(plan).files.find(({ path }) => path === '.run/htcondor.sh')!
    const script = [...text]
      .join('')
      .replace(/^is_there.*$/m, 'is_there() { :; }')
      .replace(/^exec .*$/m, 'echo "$first $count $restarts"')
    const said = execFileSync('sh', ['-c', script, 'sh', '36.1', '1'], {
      encoding: 'utf8',
      env: { ...process.env, _CONDOR_JOB_AD: join(folder, 'ad') },
    })
    expect(said).toBe(`${expected}\n`)
  })
})
