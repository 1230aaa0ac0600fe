import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { moreShells } from '../domain/text/shells.js'
import { until } from '../e2e/project.js'
import { expectEnded } from './job-shell.js'
import { PackedRun } from './packed-job.js'
import { notes, pathWith, tells } from './run-folder.js'

const scripts = (...texts: string[]) => texts.map(text => [text])
const script = 'eval "$1"'
const templates = [{}, { environment: { setup: 'export A=1' } }]

describe.each(moreShells)('a job of many groups, run by %s', shell => {
  test.each(templates)('runs its range and nothing else, each group once, and exits with 0: %j', async facts => {
    const groups = scripts(
      ...Array(11).fill('echo "$QANAT_GROUP_INDEX" >>"$QANAT_PROJECT/ran"; exit $((QANAT_GROUP_INDEX % 3))'),
    )
    const run = new PackedRun(shell, { script, groups, pack: { groups: 4, slots: 2 }, ...facts })
    expect(await run.run({ first: 4, job: '36_1' })).toBe(0)
    const ran = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => String(from + at))
    expect(run.read('../../../ran')!.trim().split('\n').sort()).toEqual(ran(4, 8))
    expect(await run.run({ first: 8, job: '36_2' })).toBe(0)
    expect(await run.run({ job: '36_0' })).toBe(0)
    expect(run.ends).toEqual(Array.from({ length: 11 }, (_, index) => `exit ${index % 3}`))
    expect(run.lastOf(9)).toMatchObject({ host: 'n1', jobId: '36_2', restarts: 0 })
    expect(run.journals).toEqual([0, 4, 8].flatMap(first => [0, 1].map(slot => `pack_1_${first}.0.0_${slot}`)))
  })

  test('starts no more workers than it has groups', async () => {
    const run = new PackedRun(shell, { script, groups: scripts('true', 'true', 'true'), pack: { groups: 2, slots: 2 } })
    await run.run({ first: 2 })
    expect([run.ends, run.journals]).toEqual([['', '', 'exit 0'], ['pack_1_2.0.0_0']])
  })

  test('goes on when it is started again: what has ended stays, what was told to end and what waited runs', async () => {
    const waits = `${tells('group')}${notes('waits')}while [ ! -e "$QANAT_PROJECT/go" ]; do sleep 0.05; done`
    const groups = scripts(`${notes('first')}exit 3`, waits, notes('last'))
    const run = new PackedRun(shell, { script, groups, pack: { groups: 3, slots: 1 } })
    const job = run.start()
    const [pid] = await run.processes('group')
    expect(await job.endAfter('SIGTERM')).toBe(143)
    await expectEnded(pid!)
    expect(run.ends).toEqual(['exit 3', 'stopped 143', ''])
    const again = run.start({ restarts: 1 })
    await until(() => run.order().length > 2)
    expect(run.ends[1]).toBe('start')
    run.write('go')
    expect(await again.end()).toBe(0)
    expect(run.ends).toEqual(['exit 3', 'exit 0', 'exit 0'])
    expect(run.order()).toEqual(['first', 'waits', 'waits', 'last'])
    expect(run.lastOf(1)).toMatchObject({ jobId: '36_0', restarts: 1 })
    expect(await run.run({ restarts: 2 })).toBe(0)
    expect(run.order()).toHaveLength(4)
  })

  test('goes on after everything of it was killed', async () => {
    const groups = scripts(notes('done'), `${tells('group')}[ -e "$QANAT_PROJECT/go" ] || sleep 1000`, notes('last'))
    const run = new PackedRun(shell, { script, groups, pack: { groups: 3, slots: 1 } })
    const job = run.start()
    await run.processes('group')
    await job.killAll()
    expect(run.ends).toEqual(['exit 0', 'start', ''])
    run.write('go')
    expect(await run.run({ restarts: 1 })).toBe(0)
    expect([run.ends, run.order()]).toEqual([Array(3).fill('exit 0'), ['done', 'last']])
  })

  test('leaves a later job what it did not reach, and takes nothing once there is one', async () => {
    const groups = scripts(`${tells('group')}sleep 1000`, notes('second'), notes('third'))
    const run = new PackedRun(shell, { script, groups, pack: { groups: 3, slots: 1 } })
    const job = run.start()
    await run.processes('group')
    await job.killAll()
    expect(await run.run({ job: '40_0', generation: 1 })).toBe(0)
    expect([run.ends, run.order()]).toEqual([
      ['start', 'exit 0', 'exit 0'],
      ['second', 'third'],
    ])
    expect(await run.run({ restarts: 1 })).toBe(123)
    expect(run.order()).toHaveLength(2)
  })

  test('keeps the time limit of each group', async () => {
    const environment = { resources: { time: '0:01' } }
    const groups = scripts('sleep 1000', notes('second'))
    const run = new PackedRun(shell, { script, groups, pack: { groups: 2, slots: 1 }, environment })
    expect(await run.run()).toBe(0)
    expect([run.ends, run.order()]).toEqual([['timeout 143', 'exit 0'], ['second']])
  })

  test('starts nothing when the time left is shorter than the longest group so far', async () => {
    const groups = scripts('sleep 4', notes('second'))
    const run = new PackedRun(shell, { script, groups, pack: { groups: 2, slots: 1 }, time: 7 })
    expect(await run.run()).toBe(0)
    expect([run.ends, run.order()]).toEqual([['exit 0', ''], []])
  })

  test('ends its groups when its time is nearly over, and they have reached their limit', async () => {
    const groups = scripts(`${tells('group')}sleep 1000`, notes('second'))
    const run = new PackedRun(shell, { script, groups, pack: { groups: 2, slots: 1 } })
    const job = run.start()
    await run.processes('group')
    expect(await job.endAfter('SIGURG')).toBe(0)
    expect([run.ends, run.order()]).toEqual([['timeout 143', ''], []])
  })

  test('ends all of them when it is told that while it looks at the memory of one', async () => {
    const groups = scripts(...[0, 1, 2].map(index => `${tells(`${index}`)}exec sleep 30`))
    const run = new PackedRun(shell, { script, groups, pack: { groups: 3, slots: 3 } })
    // It is the keeper that leads the session.
    const tellKeeper = `read -r _ _ _ _ _ keeper _ </proc/$$/stat; kill -URG "$keeper"; echo >'${run.path('told')}'`
    const grep = `[ ! -e '${run.path('running')}' ] || [ -e '${run.path('told')}' ] || { ${tellKeeper}; }\nexec /usr/bin/grep "$@"`
    const job = run.start({ variables: pathWith({ grep }) })
    await run.processes('0', '1', '2')
    writeFileSync(run.path('running'), '')
    expect(await job.end()).toBe(0)
    expect(run.ends).toEqual(Array(3).fill('timeout 143'))
  })

  test.each(templates)('gives each slot its share of the GPUs: %j', async facts => {
    const both = `${tells('$QANAT_GROUP_INDEX')}echo "$CUDA_VISIBLE_DEVICES"; until [ -e "$QANAT_PROJECT/pid_0" ] && [ -e "$QANAT_PROJECT/pid_1" ]; do sleep 0.05; done`
    const environment = { ...facts.environment, resources: { gpus: 'v100:2' } }
    const run = new PackedRun(shell, {
      script,
      groups: scripts(both, both),
      pack: { groups: 2, slots: 2 },
      environment,
    })
    const job = run.start({ variables: { CUDA_VISIBLE_DEVICES: 'GPU-a,GPU-b,GPU-c,GPU-d' } })
    expect([await job.end(), job.stderr]).toEqual([0, ''])
    expect([0, 1].map(index => run.read(`group_${index}/stdout.txt`)).sort()).toEqual([
      'GPU-a,GPU-b\n',
      'GPU-c,GPU-d\n',
    ])
    const used = [0, 1]
      .map(index => run.lastOf(index))
      .flatMap(record => (record?.kind === 'end' ? record.used?.gpus : []))
    expect(used.sort()).toEqual(['GPU-a,GPU-b', 'GPU-c,GPU-d'])
  })

  test('has no slot without its GPUs', async () => {
    const groups = scripts('true', 'true', 'true')
    const environment = { resources: { gpus: 1 } }
    const run = new PackedRun(shell, { script, groups, pack: { groups: 3, slots: 2 }, environment })
    const job = run.start({ variables: { CUDA_VISIBLE_DEVICES: '5' } })
    await job.end()
    expect([run.ends, job.stderr]).toEqual([Array(3).fill('exit 0'), expect.stringContaining('too few for slot 1')])
  })

  test.each(templates.flatMap(facts => [1, 2].map(version => [version, facts] as const)))(
    'tells a group that the kernel has killed for its memory from others, by cgroups of version %i: %j',
    async (version, facts) => {
      const kills = (count: number) => `echo oom_kill ${count} >"$QANAT_PROJECT/kills"`
      const groups = scripts(
        'kill -KILL $$',
        `${kills(1)}; kill -KILL $$`,
        'kill -KILL $$',
        `${kills(2)}; exit 0`,
        'exit 0',
      )
      const run = new PackedRun(shell, { script, groups, pack: { groups: 5, slots: 1 }, ...facts }).withCgroup(
        version as 1 | 2,
      )
      expect(await run.run()).toBe(0)
      expect(run.ends).toEqual(['exit 137', 'oom 137', 'exit 137', 'exit 0', 'exit 0'])
      const warning = 'it ended well while the kernel killed a process of its job 36_0, which had too much memory'
      expect(run.read('.run/warnings.txt')).toBe(`group 3: ${warning}\n`)
    },
  )

  test.each(templates)('a group whose worker is killed has ended, and the others go on: %j', async facts => {
    const groups = scripts(`${tells('group')}sleep 1000`, notes('second'))
    const run = new PackedRun(shell, { script, groups, pack: { groups: 2, slots: 1 }, ...facts })
    const job = run.start()
    const [pid] = await run.processes('group')
    process.kill(run.worker(0), 'SIGKILL')
    expect(await job.end()).toBe(0)
    await expectEnded(pid!)
    expect([run.ends, run.order()]).toEqual([['exit 137', 'exit 0'], ['second']])
  })
})
