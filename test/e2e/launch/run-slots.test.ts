import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lives } from '../processes.js'
import { awaits, groups, open, shellProject, until } from '../project.js'

describe('slots', () => {
  test('are never more than asked for and never idle: one long group does not hold up the short ones', async () => {
    const project = await shellProject()
    const seen = '"$QANAT_PROJECT/.qanat/seen"'
    const enters = `mkdir -p ${seen}; touch ${seen}/$$; ls ${seen} | wc -l; sleep 0.05`
    const short = `${enters}; rm ${seen}/$$`
    const long = `${enters}; ${awaits('end')}; rm ${seen}/$$`
    const running = project.qanat('run', 'it', '--n_threads', '2', ...groups(long, ...Array<string>(12).fill(short)))
    await until(async () => project.has('results/it/run_1') && (await project.show()).groups.finished === 12)
    expect((await project.show()).groups).toMatchObject({ running: 1, pending: 0 })
    open(project, 'end')
    expect((await running).code).toBe(0)
    const atOnce = Array.from({ length: 13 }, (_, group) =>
      Number(project.read(`results/it/run_1/group_${group}/stdout.txt`)),
    )
    expect(Math.max(...atOnce)).toBe(2)
  })

  test('are never idle for quick groups: a long one among them holds up none', async () => {
    const project = await shellProject()
    const code = `[ "$3" != 100 ] || { ${awaits('end')}; }`
    const running = project.qanat('run', 'it', code, '-R', '--n 0 200 1', '--n_threads', '2')
    await until(async () => project.has('results/it/run_1') && (await project.show()).groups.finished === 199)
    open(project, 'end')
    expect((await running).code).toBe(0)
  })

  test('are one by default: the groups run in their order', async () => {
    const project = await shellProject()
    const code = 'echo "begin $3"; sleep 0.05; echo "end $3"'
    await project.qanat('run', 'it', `{ ${code}; } >>"$QANAT_PROJECT/.qanat/order"`, '-R', '--n 0 5 1')
    const expected = [0, 1, 2, 3, 4].flatMap(group => [`begin ${group}`, `end ${group}`])
    expect(project.read('.qanat/order').trim().split('\n')).toEqual(expected)
  })

  test('end only when no group is left: each of 1,000 groups runs once', async () => {
    const project = await shellProject()
    const code = 'echo $QANAT_GROUP_INDEX >>"$QANAT_PROJECT/.qanat/ran"'
    const run = await project.json('run', '--json', '--n_threads', '4', 'it', code, '-R', '--n 0 1000 1')
    expect(run).toMatchObject({ status: 'finished', groups: { total: 1000, finished: 1000 }, progress: 100 })
    const ran = project.read('.qanat/ran').trim().split('\n').map(Number)
    expect(ran.sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, index) => index))
  })

  test('leave no process behind once all groups have ended', async () => {
    const project = await shellProject()
    await project.qanat('run', '--n_threads', '3', 'it', 'true', '-R', '--n 0 200 1')
    const { pid } = JSON.parse(project.read('results/it/run_1/.run/supervisor.json'))
    await until(() => !lives(pid))
    const shells = project.read('results/it/run_1/.run/records/slot_0').match(/"pid":\d+/g)
    expect(shells).toHaveLength(1)
  })

  test('do not make a folder for a group before it starts, nor many files at launch', async () => {
    const project = await shellProject()
    await project.qanat('run', '--detach', 'it', awaits('end'), '-R', '--n 0 500 1')
    await until(() => project.has('results/it/run_1/group_0/stdout.txt'))
    expect(project.list('results/it/run_1')).toEqual(['.run', 'group_0', 'info.yaml'])
    expect(readdirSync(join(project.path, 'results/it/run_1/.run'), { recursive: true }).length).toBeLessThan(12)
    await project.qanat('run_cancel', 'it', '1')
    open(project, 'end')
  })
})

describe('launches at the same time', () => {
  test('get ids, folders and frozen copies of their own, which stay intact', async () => {
    const project = await shellProject()
    project.write('.gitignore', '/results\n/data_*/\n')
    for (let folder = 0; folder < 50; folder++) project.write(`data_${folder}/x`, '')
    project.write('new.txt', 'at this commit')
    project.commit()
    const args = ['run', '--json', 'it', 'cat new.txt; echo "$3"', '-R', '--n 0 2 1']
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => project.qanat(...args)))
    const runs = outcomes.map(({ stdout }) => JSON.parse(stdout))
    expect(runs.filter(run => run.error)).toEqual([])
    expect(runs.map(run => run.id).sort()).toEqual([1, 2, 3, 4])
    for (const { id, status, storage_path } of runs) {
      expect(status).toBe('finished')
      expect(storage_path).toBe(`results/it/run_${id}`)
      expect(project.read(`${storage_path}/group_1/stdout.txt`)).toBe('at this commit1\n')
    }
    const copies = project.copies()
    expect(copies[0]).toBe(project.git('rev-parse', 'HEAD').slice(0, 12))
    expect(copies.filter(copy => !project.has(`.qanat/cache/${copy}/data_49/x`))).toEqual([])
    expect(project.git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1 + copies.length)
    const used = runs.map(({ storage_path }) => JSON.parse(project.read(`${storage_path}/.run/run.yaml`)).frozen)
    expect([...new Set(used)].sort()).toEqual(copies.map(copy => `.qanat/cache/${copy}`))
    expect(project.git('status', '--porcelain')).toBe('')
  })

  test('of one commit have a copy each as long as they live', async () => {
    const project = await shellProject()
    for (const _ of [1, 2]) await project.qanat('run', '--detach', 'it', awaits('end'), '-R', '--n 0 2 1')
    const frozen = [1, 2].map(id => JSON.parse(project.read(`results/it/run_${id}/.run/run.yaml`)).frozen)
    expect(frozen).toEqual(project.copies().map(name => `.qanat/cache/${name}`))
    open(project, 'end')
  })

  test('of single groups in the tree itself do not disturb each other', async () => {
    const project = await shellProject()
    const runs = await Promise.all([1, 2, 3].map(n => project.json('run', '--json', 'it', `echo ${n}`)))
    expect(runs.map(run => run.id).sort()).toEqual([1, 2, 3])
    expect(runs.map(run => project.read(`${run.storage_path}/stdout.txt`))).toEqual(['1\n', '2\n', '3\n'])
    expect(runs.map(run => [run.status, run.code_changed])).toEqual(Array(3).fill(['finished', false]))
  })
})
