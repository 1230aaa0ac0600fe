import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commandOf, groupInfo } from '../../src/domain/runs/run-plan.js'
import { groupTaken } from '../../src/domain/runs/verdicts.js'
import { recordsFolder } from '../../src/runfolder/layout.js'
import { cases } from '../cases.js'
import { anyWord, moreShells } from '../domain/text/shells.js'
import { folderWith } from '../project/temporary.js'
import { expectEnded } from './job-shell.js'
import { notes, programsIn, tells } from './run-folder.js'
import { TaskRun } from './task.js'

const waits = `${tells('group')}while :; do sleep 0.01; done`
const templates = [{}, { environment: { setup: 'export A=1', teardown: notes('teardown') } }]

describe.each(moreShells)('a job of a scheduler, run by %s', shell => {
  test('finds the arguments of its group by the index, byte for byte', async () => {
    const groups = fc.sample(fc.array(anyWord(), { maxLength: 8 }), cases(30))
    const run = new TaskRun(shell, { script: 'printf "%s\\0" "$@"', groups, datasetPaths: ["/data/it's $(id)\n*"] })
    for (const index of [...groups.keys()].reverse()) {
      const job = run.start({ index })
      expect([await job.end(), job.stderr]).toEqual([0, ''])
      const words = run.read(`group_${index}/stdout.txt`)!.split('\0').slice(0, -1)
      expect(['sh', 'it.sh', ...words]).toEqual(commandOf(run.plan, index))
      expect(run.read(`group_${index}/group_info.yaml`)).toBe(groupInfo(run.plan, index))
    }
  })

  test('finds the last of ten thousand groups', async () => {
    const groups = Array.from({ length: 10_000 }, (_, index) => [`é${index}`])
    const run = new TaskRun(shell, { script: 'echo "$1"', groups })
    await run.run({ index: 9_999 })
    expect([run.read('group_9999/stdout.txt'), existsSync(run.path('group_999'))]).toEqual(['é9999\n', false])
  })

  test.each(templates)('has the exit code of its group, with the template %j', async facts => {
    const groups = ['exit 0', 'exit 3', 'exit 125', 'exit 255', 'kill -KILL $$'].map(script => [script])
    const run = new TaskRun(shell, { script: 'eval "$1"', groups, ...facts })
    for (const [index, code] of [0, 3, 125, 255, 137].entries()) {
      expect(run.lastOf(index)).toBeNull()
      expect(await run.run({ index, job: '36_7', restarts: 2 })).toBe(code)
      const place = { index, host: 'n1', jobId: '36_7', restarts: 2 }
      expect(run.lastOf(index)).toMatchObject({ kind: 'end', code, outcome: 'exit', ...place })
    }
  })

  test('records the start of its group while that runs', async () => {
    const run = new TaskRun(shell, { script: waits })
    const job = run.start({ job: '36_7', restarts: 1 })
    const [pid] = await run.processes('group')
    expect(run.lastOf()).toMatchObject({ kind: 'start', pid, host: 'n1', jobId: '36_7', restarts: 1 })
    await job.endAfter('SIGTERM')
  })

  test.each(templates.flatMap(facts => [facts, { ...facts, maxFailures: 1 }]))(
    'does not start its group if it is told to end before: %j',
    async facts => {
      const bin = programsIn({ tail: '! mkdir "$0.told" 2>/dev/null || kill -TERM "$JOB"\nexec /usr/bin/tail "$@"' })
      const run = new TaskRun(shell, { script: `echo ran\n${waits}`, ...facts })
      expect(await run.run({ before: `export JOB=$$ PATH=${bin}:$PATH` })).toBe(143)
      expect(run.lastOf()).toMatchObject({ kind: 'end', outcome: 'stopped', code: 143 })
      expect(run.read('stdout.txt') ?? '').toBe('')
    },
  )

  test('leaves alone a group that another job is running or has run', async () => {
    const run = new TaskRun(shell, { script: `echo ran\n${waits}` })
    const { job: first } = await run.begin('group')
    expect(await run.run({ job: '36_00' })).toBe(groupTaken)
    await first.endAfter('SIGTERM')
    const before = run.read(recordsFolder, '0')
    const late = run.start({ job: '37_0' })
    expect([await late.end(), late.stdout]).toEqual([groupTaken, "group 0 is another job's\n"])
    expect([run.read('stdout.txt'), run.read(recordsFolder, '0')]).toEqual(['ran\n', before])
  })

  test('is the only one of many that start at once', async () => {
    const run = new TaskRun(shell, { script: 'echo ran; exit 3' })
    const jobs = Array.from({ length: 8 }, (_, number) => run.run({ job: `${number}_0` }))
    expect((await Promise.all(jobs)).sort()).toEqual([...Array(7).fill(groupTaken), 3])
    expect(run.read('stdout.txt')).toBe('ran\n')
  })

  test('leaves alone a group that a later launch has, and only that', async () => {
    const run = new TaskRun(shell, { script: 'echo ran', groups: [[], []] })
    mkdirSync(run.path('.run/launch_2'))
    writeFileSync(run.path('.run/launch_2/groups'), '1\n')
    const late = run.start({ index: 1 })
    expect([await late.end(), late.stdout]).toEqual([groupTaken, 'group 1 was launched again\n'])
    expect(run.lastOf(1)).toBeNull()
    expect(await run.run({ index: 0 })).toBe(0)
  })

  test('runs its group again when it is requeued, and adds to what was printed', async () => {
    const run = new TaskRun(shell, { script: 'echo ran; echo why >&2; [ -e again ] || { touch again; exit 3; }' })
    expect([await run.run({ restarts: 0 }), await run.run({ restarts: 1 })]).toEqual([3, 0])
    expect([run.read('stdout.txt'), run.read('stderr.txt')]).toEqual(['ran\nran\n', 'why\nwhy\n'])
    expect(run.lastOf()).toMatchObject({ kind: 'end', code: 0, restarts: 1 })
  })

  test('runs its group if it was killed before it could claim it', async () => {
    const run = new TaskRun(shell, { script: 'echo ran' })
    writeFileSync(run.path(recordsFolder, '0'), '')
    expect([await run.run({ restarts: 1 }), run.read('stdout.txt')]).toEqual([0, 'ran\n'])
  })

  test('has a record of its end if its script empties its own folder, and may be requeued', async () => {
    const run = new TaskRun(shell, { script: 'rm -r "$2/.run/records"; echo made >>"$2/made"; exit 3' })
    expect(await run.run()).toBe(3)
    expect(run.lastOf()).toMatchObject({ kind: 'end', code: 3, outcome: 'exit', jobId: '36_0' })
    expect([await run.run({ job: '37_0' }), await run.run({ restarts: 1 })]).toEqual([groupTaken, 3])
    expect(run.read('made')).toBe('made\nmade\n')
  })

  test.each(templates)('passes on what is meant for the script, with the template %j', async facts => {
    const run = new TaskRun(shell, { script: `trap 'echo saved; exit 9' USR1\n${waits}`, ...facts })
    const { job } = await run.begin('group')
    expect(await job.endAfter('SIGUSR1')).toBe(9)
    expect(run.read('stdout.txt')).toBe('saved\n')
    expect(run.lastOf()).toMatchObject({ code: 9, outcome: 'exit' })
  })

  test('has failed at the launch if its setup fails', async () => {
    const environment = { setup: 'false', teardown: notes('teardown') }
    const run = new TaskRun(shell, { script: notes('script'), environment })
    expect(await run.run()).not.toBe(0)
    expect(run.lastOf()).toMatchObject({ kind: 'end', outcome: 'launch' })
    expect(run.order()).toEqual(['teardown'])
  })
})

describe.each(moreShells)('a job that is told to end, run by %s', shell => {
  const signals = [
    ['SIGTERM', 'stopped'],
    ['SIGURG', 'timeout'],
  ] as const

  test.each(signals)('by %s, ends with all processes of its group', async (signal, outcome) => {
    const run = new TaskRun(shell, { script: `sleep 300 &\n${tells('child', '$!')}${tells('group')}wait` })
    const { job, pids } = await run.begin('child', 'group')
    expect(await job.endAfter(signal)).toBe(143)
    await expectEnded(...pids)
    expect(run.lastOf()).toMatchObject({ kind: 'end', code: 143, outcome })
  })

  test.each(signals)('by %s, has not succeeded even if its script exits with 0', async (signal, outcome) => {
    const run = new TaskRun(shell, { script: `trap 'echo saved; exit 0' TERM\n${waits}` })
    const { job } = await run.begin('group')
    expect(await job.endAfter(signal)).toBe(143)
    expect(run.read('stdout.txt')).toBe('saved\n')
    expect(run.lastOf()).toMatchObject({ kind: 'end', code: 0, outcome })
  })

  test.each(signals)('by %s, runs the teardown of the template', async (signal, outcome) => {
    const run = new TaskRun(shell, {
      script: `trap '${notes('saved').trim()}; exit 0' TERM\n${waits}`,
      environment: {
        env: { TMPDIR: folderWith() },
        scratch: true,
        setup: notes('setup'),
        background: [`${tells('task')}exec sleep 300`],
        teardown: notes('teardown $(ls -d "$QANAT_SCRATCH" >/dev/null && echo with scratch)'),
      },
    })
    const { job, pids } = await run.begin('task', 'group')
    expect(await job.endAfter(signal)).toBe(143)
    await expectEnded(...pids)
    expect(run.order()).toEqual(['setup', 'saved', 'teardown with scratch'])
    expect(run.lastOf()).toMatchObject({ kind: 'end', code: 0, outcome })
  })
})

describe.each(moreShells)('a job on a node that cannot reach the run, run by %s', shell => {
  test.each<[string, string, (run: TaskRun) => void]>([
    ['its journal cannot be written', 'cannot write to ', run => rmSync(run.path(recordsFolder), { recursive: true })],
    ['the plan is not there', 'cannot read ', run => rmSync(run.path('.run/plan'))],
    ['the plan is cut', 'cannot read ', run => writeFileSync(run.path('.run/plan'), '')],
    ['the index of the plan is not there', 'cannot read ', run => rmSync(run.path('.run/plan.index'))],
  ])('says so, with its name, if %s', async (_, words, hinder) => {
    const run = new TaskRun(shell, { script: notes('ran'), groups: [[], []] })
    hinder(run)
    const job = run.start({ index: 1 })
    expect(await job.end()).toBe(125)
    expect(job.stderr).toContain(`qanat: the node n1 ${words}${run.path('.run')}`)
    expect(run.order()).toEqual([])
  })

  test('says so if its script makes the journal impossible to write', async () => {
    const folder = `"$QANAT_STORAGE_PATH/${recordsFolder}"`
    const run = new TaskRun(shell, { script: `rm -r ${folder}; touch ${folder}` })
    const job = run.start()
    expect(await job.end()).toBe(125)
    expect(job.stderr).toContain(`qanat: the node n1 cannot write to ${run.path(recordsFolder, '0')}`)
  })

  test('says so if its end cannot be written to the journal, which only has that of an earlier start', async () => {
    const run = new TaskRun(shell, { script: 'exit 5' })
    const journal = `1 job 36_0\n${'1 note\n'.repeat(2_000)}1 end 0 1 0 stopped 10 11 - - - n1 36_0 0\n`
    writeFileSync(run.path(recordsFolder, '0'), journal)
    // No file may be as large as that one.
    const job = run.start({ restarts: 1, before: `trap '' XFSZ; ulimit -f 4` })
    expect(await job.end()).toBe(125)
    expect(job.stderr).toContain(`qanat: the node n1 cannot write to ${run.path(recordsFolder, '0')}`)
    expect(run.read(recordsFolder, '0')).toBe(journal)
  })

  test('has failed at the launch if its own folder cannot be made', async () => {
    const run = new TaskRun(shell, { script: notes('ran'), groups: [[], []] })
    writeFileSync(run.path('group_1'), '')
    expect(await run.run({ index: 1 })).toBe(1)
    expect(run.lastOf(1)).toMatchObject({ kind: 'end', code: 1, outcome: 'launch' })
    expect(run.order()).toEqual([])
  })
})
