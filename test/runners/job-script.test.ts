import { existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commandOf, groupInfo } from '../../src/domain/runs/run-plan.js'
import { SlotJournals } from '../../src/runfolder/evidence/slot-journals.js'
import { cases } from '../cases.js'
import { anyWord, moreLocalShells } from '../domain/text/shells.js'
import { folderWith } from '../project/temporary.js'
import { expectEnded } from './job-shell.js'
import { tells } from './run-folder.js'
import { ran, Worker } from './worker.js'

describe.each(moreLocalShells)('a plain group, run by %s', shell => {
  test('gets its arguments, its folder and its datasets byte for byte', async () => {
    const groups = fc.sample(fc.array(anyWord(), { maxLength: 8 }), cases(40))
    const script = 'printf "%s\\0" "$@"'
    const worker = await ran(shell, { script, groups, datasetPaths: ["/data/it's $(id)\n*", '/d'] })
    for (const index of groups.keys()) {
      const words = worker.read(`group_${index}/stdout.txt`)!.split('\0').slice(0, -1)
      expect(['sh', 'it.sh', ...words]).toEqual(commandOf(worker.plan, index))
      expect(worker.read(`group_${index}/group_info.yaml`)).toBe(groupInfo(worker.plan, index))
      expect(worker.endOf(index)).toMatchObject({ code: 0, outcome: 'exit' })
    }
    expect(worker.shell.stderr).toBe('')
  })

  test('gets the variables QANAT_…, and keeps the variables of the user', async () => {
    const worker = await ran(shell, {
      script: 'env -0 | grep -z "^QANAT\\|^MINE\\|^TEMPLATE" | sort -z; pwd',
      groups: [[], []],
      runId: 12,
      environment: { env: { TEMPLATE: "two\n'lines' $HOME" } },
      variables: { MINE: 'my "own"', HOME: '/h' },
    })
    const { projectRoot } = worker.plan
    expect(worker.read('group_1/stdout.txt')!.split('\0')).toEqual([
      ...[
        'MINE=my "own"',
        'QANAT_COMMIT=c0ffee',
        'QANAT_GROUP_INDEX=1',
        `QANAT_MARK=12.1.1 ${worker.path('group_1')}`,
        `QANAT_PROJECT=${projectRoot}`,
      ],
      ...['QANAT_RUN_ID=12', `QANAT_STORAGE_PATH=${worker.path('group_1')}`, "TEMPLATE=two\n'lines' /h"],
      `${projectRoot}\n`,
    ])
  })

  test('writes to its own files, with an empty input and the umask of the user', async () => {
    const script = 'cat; echo out; echo err >&2; touch "$QANAT_STORAGE_PATH/made"'
    const worker = await ran(shell, { script, umask: 0o027 })
    expect([worker.read('stdout.txt'), worker.read('stderr.txt')]).toEqual(['out\n', 'err\n'])
    for (const file of ['made', 'stdout.txt', 'group_info.yaml']) {
      expect(statSync(worker.path(file)).mode & 0o777).toBe(0o640)
    }
  })

  test('is recorded with its exit code or the signal that ended it, its host and its times', async () => {
    const before = Date.now()
    const scripts = ['exit 0', 'exit 3', 'exit 255', 'kill -KILL $$', 'kill -SEGV $$', 'kill -TERM $$']
    const worker = await ran(shell, { script: 'eval "$1"', groups: scripts.map(script => [script]) })
    const place = { outcome: 'exit', attempt: 1, host: 'n1', jobId: null }
    expect(worker.ends()).toMatchObject([0, 3, 255, 137, 139, 143].map((code, index) => ({ index, code, ...place })))
    for (const end of worker.ends()) {
      // A shell without a finer clock has whole seconds.
      expect(end!.started).toBeGreaterThan(before - 1000)
      expect(end!.ended).toBeGreaterThanOrEqual(end!.started)
      expect(end!.ended).toBeLessThanOrEqual(Date.now())
    }
  })

  test('is recorded with the process that leads it while it runs', async () => {
    const worker = new Worker(shell, { script: `${tells('group')}exec sleep 300` })
    const [pid] = await worker.begin('group')
    const { starts } = new SlotJournals(worker.plan.place.here, null).readOn()
    expect(starts).toMatchObject([{ pid, host: 'n1', attempt: 1 }])
    process.kill(-pid!, 'SIGKILL')
    await worker.shell.end()
    expect(worker.endOf()).toMatchObject({ code: 137, outcome: 'exit' })
  })

  test('ends completely: processes that it left running are ended', async () => {
    const worker = await ran(shell, { script: `sleep 300 &\n${tells('left', '$!')}` })
    await expectEnded(...(await worker.processes('left')))
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'exit' })
  })

  test.each([
    ['its folder cannot be made', { groups: [[], []] }, (worker: Worker) => writeFileSync(worker.path('group_0'), '')],
    ['its working folder is not there', { workingDirectory: '/no/such/folder' }, () => {}],
  ])('has failed at the launch if %s', async (_, facts, hinder) => {
    const worker = new Worker(shell, facts)
    hinder(worker)
    await worker.runAll()
    expect(worker.endOf(0)).toMatchObject({ outcome: 'launch', code: 1 })
  })

  test.each([
    ['empties its own folder', 'rm -r "$2" && mkdir "$2" && echo result >"$2/made"; exit 3', 'result\n'],
    ['removes its own folder', 'rm -r "$2"; exit 3', null],
  ])('has a record of its end if its script %s', async (_, script, made) => {
    const worker = await ran(shell, { script })
    expect([worker.endOf()?.code, worker.endOf()?.outcome, worker.read('made')]).toEqual([3, 'exit', made])
  })

  test('does not bring back the folders of a whole experiment that somebody has deleted', async () => {
    const worker = await ran(shell, { script: 'rm -r "${2%/*}"' })
    expect(existsSync(dirname(worker.plan.place.here))).toBe(false)
  })

  test('fails with 127 if its program does not exist', async () => {
    const worker = await ran(shell, { executableCommand: ['no-such-program'] })
    expect(worker.endOf()).toMatchObject({ outcome: 'exit', code: 127 })
    expect(worker.read('stderr.txt')).toContain('no-such-program')
  })

  test('has ~ and variables in its command expanded, and the launcher before it', async () => {
    const home = folderWith({ 'my tools/run': 'printf "%s\\0" "$@"' })
    const worker = await ran(shell, {
      executableCommand: ['sh', '~/my tools/run', '$HOME', '$(id)'],
      environment: { launcher: ['env', 'A=*'] },
      variables: { HOME: home },
      groups: [['x']],
    })
    const words = [home, '$(id)', 'it.sh', 'x', '--storage_path', worker.plan.place.there, '']
    expect([worker.read('stderr.txt'), worker.read('stdout.txt')!.split('\0')]).toEqual(['', words])
  })

  test('ends with all its processes when its worker is told to end, and no other group starts', async () => {
    const script = `sleep 300 &\n${tells('child', '$!')}${tells('group')}wait`
    const worker = new Worker(shell, { script, groups: [[], []] })
    const pids = await worker.begin('group', 'child')
    await worker.stop()
    await expectEnded(...pids)
    expect(worker.endOf()).toMatchObject({ code: 143, outcome: 'stopped' })
    expect(existsSync(worker.path('group_1'))).toBe(false)
  })

  test('may take its time to end when it is told to', async () => {
    const script = `trap 'echo saved; exit 7' TERM\n${tells('group')}while :; do sleep 0.01; done`
    const worker = new Worker(shell, { script })
    await worker.begin('group')
    await worker.stop()
    expect(worker.read('stdout.txt')).toBe('saved\n')
    expect(worker.endOf()).toMatchObject({ code: 7, outcome: 'stopped' })
  })
})
