import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commandOf, groupInfo } from '../../src/domain/runs/run-plan.js'
import { groupTaken } from '../../src/domain/runs/verdicts.js'
import { recordsFolder } from '../../src/runfolder/layout.js'
import { cases } from '../cases.js'
import { anyWord, shells } from '../domain/text/shells.js'
import { folderWith } from '../project/temporary.js'
import { TaskRun } from './task.js'
import { expectEnded, notes, orderOf, tells } from './worker.js'

const waits = `${tells('group')}while :; do sleep 0.01; done`

describe.each(shells)('a job of a scheduler, run by %s', shell => {
  test('finds the arguments of its group by the index, byte for byte', async () => {
    const groups = fc.sample(fc.array(anyWord(), { maxLength: 8 }), cases(30))
    const run = new TaskRun(shell, { script: 'printf "%s\\0" "$@"', groups, datasetPaths: ["/data/it's $(id)\n*"] })
    for (const index of [...groups.keys()].reverse()) {
      const job = run.start({ index })
      expect(await job.end()).toBe(0)
      expect(job.stderr).toBe('')
      const words = run.read(`group_${index}`, 'stdout.txt')!.split('\0').slice(0, -1)
      expect(['sh', 'it.sh', ...words]).toEqual(commandOf(run.plan, index))
      expect(run.read(`group_${index}`, 'group_info.yaml')).toBe(groupInfo(run.plan, index))
    }
  })

  test('finds the last of ten thousand groups', async () => {
    const groups = Array.from({ length: 10_000 }, (_, index) => [`é${index}`])
    const run = new TaskRun(shell, { script: 'echo "$1"', groups })
    await run.run({ index: 9_999 })
    expect(run.read('group_9999/stdout.txt')).toBe('é9999\n')
    expect(existsSync(run.path('group_999'))).toBe(false)
  })

  test.each([0, 3, 125, 255])('has the exit code of its group: %i', async code => {
    const run = new TaskRun(shell, { script: `exit ${code}`, groups: [[], []] })
    expect(await run.run({ index: 1, job: '36_7', restarts: 2 })).toBe(code)
    const place = { index: 1, host: 'n1', jobId: '36_7', restarts: 2 }
    expect(run.lastOf(1)).toMatchObject({ kind: 'end', code, outcome: 'exit', ...place })
    expect(run.lastOf(0)).toBeNull()
  })

  test('has the exit code of a shell whose group was killed', async () => {
    const run = new TaskRun(shell, { script: 'kill -KILL $$' })
    expect(await run.run()).toBe(137)
    expect(run.lastOf()).toMatchObject({ code: 137, outcome: 'exit' })
  })

  test('records the start of its group while that runs', async () => {
    const run = new TaskRun(shell, { script: waits })
    const job = run.start({ job: '36_7', restarts: 1 })
    const pid = await run.process('group')
    expect(run.lastOf()).toMatchObject({ kind: 'start', pid, host: 'n1', jobId: '36_7', restarts: 1 })
    await job.endAfter('SIGTERM')
  })

  const environment = { setup: 'export A=1' }
  test.each([{}, { environment }, { maxFailures: 1 }, { environment, maxFailures: 1 }])(
    'does not start its group if it is told to end before: %j',
    async facts => {
      const [script, bin] = ['echo ran; while :; do sleep 0.01; done', folderWith()]
      writeFileSync(`${bin}/tail`, '#!/bin/sh\nkill -TERM "$JOB"\nexec /usr/bin/tail "$@"\n', { mode: 0o755 })
      const run = new TaskRun(shell, { script, ...facts })
      expect(await run.run({ before: `export JOB=$$ PATH=${bin}:$PATH` })).toBe(143)
      expect(run.lastOf()).toMatchObject({ kind: 'end', outcome: 'stopped', code: 143 })
      expect(run.read('stdout.txt') ?? '').toBe('')
    },
  )

  test('leaves alone a group that another job has run', async () => {
    const run = new TaskRun(shell, { script: 'echo ran; exit 3' })
    await run.run({ job: '36_0' })
    const before = run.read(recordsFolder, '0')
    const second = run.start({ job: '37_0' })
    expect(await second.end()).toBe(groupTaken)
    expect(second.stdout).toBe("group 0 is another job's\n")
    expect(run.read('stdout.txt')).toBe('ran\n')
    expect(run.read(recordsFolder, '0')).toBe(before)
  })

  test('leaves alone a group that another job is running', async () => {
    const run = new TaskRun(shell, { script: `echo ran\n${waits}` })
    const first = run.start({ job: '36_0' })
    await run.process('group')
    expect(await run.run({ job: '36_00' })).toBe(groupTaken)
    expect(run.read('stdout.txt')).toBe('ran\n')
    await first.endAfter('SIGTERM')
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
    expect(await late.end()).toBe(groupTaken)
    expect(late.stdout).toBe('group 1 was launched again\n')
    expect(run.lastOf(1)).toBeNull()
    expect(await run.run({ index: 0 })).toBe(0)
  })

  test('runs its group again when it is requeued, and adds to what was printed', async () => {
    const run = new TaskRun(shell, { script: 'echo ran; echo why >&2; [ -e again ] || { touch again; exit 3; }' })
    expect(await run.run({ restarts: 0 })).toBe(3)
    expect(await run.run({ restarts: 1 })).toBe(0)
    expect(run.read('stdout.txt')).toBe('ran\nran\n')
    expect(run.read('stderr.txt')).toBe('why\nwhy\n')
    expect(run.lastOf()).toMatchObject({ kind: 'end', code: 0, restarts: 1 })
  })

  test('runs its group if it was killed before it could claim it', async () => {
    const run = new TaskRun(shell, { script: 'echo ran' })
    writeFileSync(run.path(recordsFolder, '0'), '')
    expect(await run.run({ restarts: 1 })).toBe(0)
    expect(run.read('stdout.txt')).toBe('ran\n')
  })

  test('has a record of its end if its script empties its own folder, and may be requeued', async () => {
    const run = new TaskRun(shell, { script: 'rm -r "$2/.run/records"; echo made >>"$2/made"; exit 3' })
    expect(await run.run()).toBe(3)
    expect(run.lastOf()).toMatchObject({ kind: 'end', code: 3, outcome: 'exit', jobId: '36_0' })
    expect(await run.run({ job: '37_0' })).toBe(groupTaken)
    expect(await run.run({ restarts: 1 })).toBe(3)
    expect(run.read('made')).toBe('made\nmade\n')
  })

  test('passes on what is meant for the script', async () => {
    const run = new TaskRun(shell, { script: `trap 'echo saved; exit 9' USR1\n${waits}` })
    const job = run.start()
    await run.process('group')
    expect(await job.endAfter('SIGUSR1')).toBe(9)
    expect(run.read('stdout.txt')).toBe('saved\n')
    expect(run.lastOf()).toMatchObject({ code: 9, outcome: 'exit' })
  })
})

describe.each(shells)('a job that is told to end, run by %s', shell => {
  const signals = [
    ['SIGTERM', 'stopped'],
    ['SIGURG', 'timeout'],
  ] as const

  test.each(signals)('by %s, ends with all processes of its group', async (signal, outcome) => {
    const run = new TaskRun(shell, { script: `sleep 300 &\n${tells('child', '$!')}${tells('group')}wait` })
    const job = run.start()
    const pids = [await run.process('child'), await run.process('group')]
    expect(await job.endAfter(signal)).toBe(143)
    for (const pid of pids) await expectEnded(pid)
    expect(run.lastOf()).toMatchObject({ kind: 'end', code: 143, outcome })
  })

  test.each(signals)('by %s, has not succeeded even if its script exits with 0', async (signal, outcome) => {
    const run = new TaskRun(shell, { script: `trap 'echo saved; exit 0' TERM\n${waits}` })
    const job = run.start()
    await run.process('group')
    expect(await job.endAfter(signal)).toBe(143)
    expect(run.read('stdout.txt')).toBe('saved\n')
    expect(run.lastOf()).toMatchObject({ kind: 'end', code: 0, outcome })
  })

  test.each(signals)('by %s, runs the teardown of the template', async (signal, outcome) => {
    const temporary = folderWith()
    const run = new TaskRun(shell, {
      script: `trap '${notes('saved').trim()}; exit 0' TERM\n${waits}`,
      environment: {
        env: { TMPDIR: temporary },
        scratch: true,
        setup: notes('setup'),
        background: [`${tells('task')}exec sleep 300`],
        teardown: notes('teardown $(ls -d "$QANAT_SCRATCH" >/dev/null && echo with scratch)'),
      },
    })
    const job = run.start()
    const pids = [await run.process('task'), await run.process('group')]
    expect(await job.endAfter(signal)).toBe(143)
    for (const pid of pids) await expectEnded(pid)
    expect(orderOf(run)).toEqual(['setup', 'saved', 'teardown with scratch'])
    expect(run.lastOf()).toMatchObject({ kind: 'end', code: 0, outcome })
  })

  test('during the setup, does not run the script', async () => {
    const run = new TaskRun(shell, {
      script: notes('script'),
      environment: { setup: `sh -c '${tells('setup').trim()}; exec sleep 300'`, teardown: notes('teardown') },
    })
    const job = run.start()
    const pid = await run.process('setup')
    expect(await job.endAfter('SIGTERM')).toBeGreaterThan(0)
    await expectEnded(pid)
    expect(orderOf(run)).toEqual(['teardown'])
    expect(run.lastOf()).toMatchObject({ kind: 'end', outcome: 'stopped' })
  })
})

describe.each(shells)('a job with a template, run by %s', shell => {
  const environment = { setup: 'A=set; export A', teardown: notes('teardown') }

  test('has the exit code of its group', async () => {
    const run = new TaskRun(shell, { script: 'echo "$A $1"; exit 3', groups: [["it's"]], environment })
    expect(await run.run({ job: '36_7', restarts: 1 })).toBe(3)
    expect(run.read('stdout.txt')).toBe("set it's\n")
    expect(orderOf(run)).toEqual(['teardown'])
    expect(run.lastOf()).toMatchObject({ kind: 'end', code: 3, outcome: 'exit', jobId: '36_7', restarts: 1 })
  })

  test('has failed at the launch if its setup fails', async () => {
    const run = new TaskRun(shell, { script: notes('script'), environment: { ...environment, setup: 'false' } })
    expect(await run.run()).not.toBe(0)
    expect(run.lastOf()).toMatchObject({ kind: 'end', outcome: 'launch' })
    expect(orderOf(run)).toEqual(['teardown'])
  })

  test('passes on what is meant for the script', async () => {
    const run = new TaskRun(shell, { script: `trap 'echo saved; exit 9' USR1\n${waits}`, environment })
    const job = run.start()
    await run.process('group')
    expect(await job.endAfter('SIGUSR1')).toBe(9)
    expect(run.read('stdout.txt')).toBe('saved\n')
    expect(orderOf(run)).toEqual(['teardown'])
  })
})

describe.each(shells)('a job on a node that cannot reach the run, run by %s', shell => {
  const cases: [string, string, (run: TaskRun) => void][] = [
    [
      'its journal cannot be written',
      `cannot write to `,
      run => {
        rmSync(run.path(recordsFolder), { recursive: true })
        writeFileSync(run.path(recordsFolder), '')
      },
    ],
    ['the plan is not there', 'cannot read ', run => rmSync(run.path('.run/plan'))],
    ['the plan is cut', 'cannot read ', run => writeFileSync(run.path('.run/plan'), '')],
    ['the index of the plan is not there', 'cannot read ', run => rmSync(run.path('.run/plan.index'))],
  ]

  test.each(cases)('says so, with its name, if %s', async (_name, words, hinder) => {
    const run = new TaskRun(shell, { script: notes('ran'), groups: [[], []] })
    hinder(run)
    const job = run.start({ index: 1 })
    expect(await job.end()).toBe(125)
    expect(job.stderr).toContain(`qanat: the node n1 ${words}${run.path('.run')}`)
    expect(orderOf(run)).toEqual([])
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
    const journal = `1 job 36_0\n${'1 note\n'.repeat(2_000)}1 end 0 1 0 stopped 10 11 n1 36_0 0\n`
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
    expect(orderOf(run)).toEqual([])
  })
})
