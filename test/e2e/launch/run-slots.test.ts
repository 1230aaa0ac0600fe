import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lives } from '../processes.js'
import { awaits, type Folder, groups, open, shellProject, until } from '../project.js'
import { openTerminal } from '../terminal.js'

/** Waits until so many groups of run 1 have finished. */
const finished = (project: Folder, count: number) =>
  until(async () => project.has('results/it/run_1') && (await project.show()).groups.finished === count)

describe('slots', () => {
  test('are never more than asked for and never idle: one long group does not hold up the short ones', async () => {
    const project = await shellProject()
    const seen = '"$QANAT_PROJECT/.qanat/seen"'
    const enters = `mkdir -p ${seen}; touch ${seen}/$$; ls ${seen} | wc -l; sleep 0.05`
    const [short, long] = ['', `${awaits('end')}; `].map(waits => `${enters}; ${waits}rm ${seen}/$$`) as [
      string,
      string,
    ]
    const running = project.qanat('run', 'it', '--n_threads', '2', ...groups(long, ...Array<string>(12).fill(short)))
    await finished(project, 12)
    expect((await project.show()).groups).toMatchObject({ running: 1, pending: 0 })
    open(project, 'end')
    expect((await running).code).toBe(0)
    const folders = Array.from({ length: 13 }, (_, group) => `results/it/run_1/group_${group}`)
    expect(Math.max(...folders.map(folder => Number(project.read(`${folder}/stdout.txt`))))).toBe(2)
  })

  test('run each of 1,000 quick groups once, whatever a long one among them does, and leave no process', async () => {
    const project = await shellProject()
    const code = `echo $QANAT_GROUP_INDEX >>"$QANAT_PROJECT/.qanat/ran"; [ "$3" != 100 ] || { ${awaits('end')}; }`
    const running = project.qanat('run', '--n_threads', '3', 'it', code, '-R', '--n 0 1000 1')
    await finished(project, 999)
    open(project, 'end')
    expect((await running).code).toBe(0)
    expect(await project.show()).toMatchObject({ groups: { total: 1000, finished: 1000 }, progress: 100 })
    const ran = project.read('.qanat/ran').trim().split('\n').map(Number)
    expect(ran.sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, index) => index))
    const { pid } = JSON.parse(project.read('results/it/run_1/.run/pool/keeper'))
    await until(() => !lives(pid))
    expect(project.read('results/it/run_1/.run/records/slot_0').match(/"pid":\d+/g)).toHaveLength(1)
  })

  test('are one by default: the groups run in their order', async () => {
    const project = await shellProject()
    const code = 'echo "begin $3"; sleep 0.05; echo "end $3"'
    await project.qanat('run', 'it', `{ ${code}; } >>"$QANAT_PROJECT/.qanat/order"`, '-R', '--n 0 3 1')
    expect(project.read('.qanat/order')).toBe('begin 0\nend 0\nbegin 1\nend 1\nbegin 2\nend 2\n')
  })

  test('do not make a folder for a group before it starts, nor many files at launch', async () => {
    const project = await shellProject()
    await project.qanat('run', '--detach', 'it', awaits('end'), '-R', '--n 0 500 1')
    await until(() => project.has('results/it/run_1/group_0/stdout.txt'))
    expect(project.list('results/it/run_1')).toEqual(['.run', 'group_0', 'info.yaml'])
    expect(readdirSync(join(project.path, 'results/it/run_1/.run'), { recursive: true }).length).toBeLessThan(20)
    await project.qanat('run_cancel', 'it', '1')
  })

  test('are shown on a terminal: how many groups have ended, and how far the running ones are', async () => {
    const project = await shellProject()
    const half = 'printf "count_total=4\\n2\\n" >"$QANAT_STORAGE_PATH/progress.txt"'
    const codes = ['exit 1', 'true', `${half}; ${awaits('end')}`, 'true']
    const terminal = openTerminal(project, 'run', 'it', ...groups(...codes))
    await until(() => terminal.shown().includes('2/4 (62%) · 1 failed'))
    open(project, 'end')
    expect(await terminal.ended).toBe(1)
  })
})

test('launches at the same time get ids, folders and frozen copies of their own, which stay intact', async () => {
  const project = await shellProject()
  project.write('.gitignore', '/results\n/data_*/\n')
  for (let folder = 0; folder < 50; folder++) project.write(`data_${folder}/x`, '')
  project.write('new.txt', 'at this commit')
  project.commit()
  const args = ['run', '--json', 'it', 'cat new.txt; echo "$3"', '-R', '--n 0 2 1']
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => project.qanat(...args)))
  const runs = outcomes.map(({ stdout }) => JSON.parse(stdout))
  expect(runs.map(({ id, status }) => [id, status]).sort()).toEqual([1, 2, 3, 4].map(id => [id, 'finished']))
  for (const { id, storage_path } of runs) {
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

test('launches of one commit have a copy each as long as they live', async () => {
  const project = await shellProject()
  for (const _ of [1, 2]) await project.qanat('run', '--detach', 'it', awaits('end'), '-R', '--n 0 2 1')
  const frozen = [1, 2].map(id => JSON.parse(project.read(`results/it/run_${id}/.run/run.yaml`)).frozen)
  expect(frozen).toEqual(project.copies().map(name => `.qanat/cache/${name}`))
  open(project, 'end')
})
