import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expectError } from '../expectations.js'
import { KeptProject } from '../kept-project.js'
import { kill, lives } from '../processes.js'
import { type Folder, open, until } from '../project.js'

const told = ({ status, cause, exit_code, signal, attempt }: any) =>
  [status, cause, signal ?? (exit_code || null), attempt > 1 && `attempt ${attempt}`].filter(Boolean).join(' ')

/** How each group of every run of the fixture ended, where nothing of it lives any more. */
const ends: Readonly<Record<number, readonly string[]>> = {
  1: ['finished'],
  2: ['finished', 'failed exit 3', 'failed signal SIGKILL', 'lost vanished', 'lost vanished', 'lost never_started'],
  3: ['finished', 'failed exit 3', 'finished'],
  4: ['finished', 'lost vanished attempt 2'],
  5: ['finished', 'lost vanished'],
  6: ['lost vanished', 'lost vanished', 'lost never_started', 'lost never_started'],
  7: ['lost vanished'],
  8: ['cancelled'],
}
const ids = Object.keys(ends).map(Number)

/** The project on the machine that its runs were launched on, which was started again meanwhile. */
function afterReboot(): Folder {
  const project = new KeptProject('live-local')
  project.renameHost('workstation', hostname())
  return project.folder
}

async function groupsOf(folder: Folder): Promise<Record<number, string[]>> {
  const groups: Record<number, string[]> = {}
  for (const id of ids) groups[id] = (await folder.show(id)).group_list.map(told)
  return groups
}

describe('local runs of version 0.1.0 whose processes are gone', () => {
  test('ended as their journals say, and are lost if there is no record', async () => {
    const folder = afterReboot()
    const { runs } = await folder.json('runs', '--json')
    expect(Object.fromEntries(runs.map(({ id, status }: any) => [id, status]))).toEqual({
      1: 'finished',
      2: 'failed',
      3: 'failed',
      4: 'lost',
      5: 'lost',
      6: 'lost',
      7: 'lost',
      8: 'cancelled',
    })
    expect(await groupsOf(folder)).toEqual(ends)
    const journals = folder.list('results/it/run_2/.run/records').map(name => `results/it/run_2/.run/records/${name}`)
    const text = journals.map(path => folder.read(path)).join('')
    const [, started, finished] = /^1 end 2 1 137 exit (\S+) (\S+)/m.exec(text)!
    const time = (seconds?: string) => new Date(Math.round(1000 * Number(seconds))).toISOString()
    expect((await folder.show(2)).group_list[2]).toMatchObject({ started: time(started), finished: time(finished) })
  })

  test('are no longer waited for, and can be explained', async () => {
    const folder = afterReboot()
    expect((await folder.qanat('run_wait', 'it', '3')).code).toBe(1)
    expect((await folder.qanat('run_wait', 'it', '1')).code).toBe(0)
    expect(await folder.qanat('run_logs', 'it', '3', '--group', '1', '--stderr')).toMatchObject({
      code: 0,
      stdout: 'loss is nan\n',
    })
    const why = await folder.qanat('why', 'it', '2.3')
    expect(why.code).toBe(0)
    expect(why.stdout).toMatch(/lost/)
  })

  test('can be retried if they were lost, and not otherwise', async () => {
    const folder = afterReboot()
    open(folder, 'never')
    open(folder, 'first')
    open(folder, 'second')
    await folder.qanat('run_retry', 'it', '2', '--only', 'lost')
    for (const id of [4, 5, 6, 7]) await folder.qanat('run_retry', 'it', String(id))
    const again = 'finished attempt 2'
    expect(await groupsOf(folder)).toEqual({
      ...ends,
      2: ['finished', 'failed exit 3', 'failed signal SIGKILL', again, again, again],
      4: ['finished', 'finished attempt 3'],
      5: ['finished', again],
      6: [again, again, 'failed exit 3 attempt 2', again],
      7: [again],
    })
    expect(folder.list('results/it/run_4/.run/attempts')).toEqual(['1', '2'])
    expect(folder.read('results/it/run_2/group_5/stdout.txt')).toBe('accuracy 0.9\n')
    expect((await folder.json('run', '--json', 'it', '--how', 'ok')).id).toBe(9)
  })

  test('can be deleted, restored and rerun', async () => {
    const folder = afterReboot()
    expect((await folder.qanat('run_delete', 'it', '2-3', '--yes')).code).toBe(0)
    expect(folder.list('results/it')).not.toContain('run_2')
    expect((await folder.qanat('run_delete', 'it', '2-3', '--undo')).code).toBe(0)
    expect(await groupsOf(folder)).toEqual(ends)
    const rerun = await folder.json('rerun', 'it', '3', '--json', '--detach')
    open(folder, 'later')
    expect((await folder.qanat('run_wait', 'it', String(rerun.id))).code).toBe(1)
    expect((await folder.show(rerun.id)).group_list.map(told)).toEqual(ends[3])
  })

  test('are rebuilt from their folders if the database is lost', async () => {
    const folder = afterReboot()
    rmSync(join(folder.path, '.qanat/database.db'))
    expect((await folder.qanat('doctor', '--repair')).code).toBe(0)
    const withoutAttempts = (groups: readonly string[]) => groups.map(each => each.replace(/ attempt \d$/, ''))
    const repaired = Object.values(await groupsOf(folder)).map(withoutAttempts)
    expect(repaired).toEqual(Object.values(ends).map(withoutAttempts))
  })

  test('can be given up from another machine, and then retried, if theirs is gone for good', async () => {
    const { folder } = new KeptProject('live-local')
    const before = await folder.show(6)
    const given = await folder.json('run_cancel', 'it', '6', '--give_up', '--json')
    const { finished, failed, total } = before.groups
    expect(given.groups).toMatchObject({ finished, failed, pending: 0, running: 0, lost: total - finished - failed })
    const lost = (run: any) => run.group_list.filter((group: any) => group.status === 'lost')
    expect(await folder.show(6)).toMatchObject({ groups: given.groups })
    expect(
      lost(await folder.show(6))
        .map((group: any) => group.cause)
        .sort(),
    ).toEqual(
      before.group_list
        .flatMap(({ status }: any) => ({ running: 'vanished', pending: 'never_started' })[status as string] ?? [])
        .sort(),
    )
    expectError(await folder.qanat('run_cancel', 'it', '6', '--give_up'), 2, 'run 6 is over')
    expect((await folder.qanat('run_delete', 'it', '6', '--yes')).code).toBe(0)
  })

  test('are not called lost by another machine, which says where they may live', async () => {
    const { folder } = new KeptProject('live-local')
    await folder.json('runs', '--json')
    for (const id of [2, 6, 7]) {
      const states = (await folder.show(id)).group_list.map((group: any) => group.status)
      const open = ends[id]!.flatMap((end, index) => (end.startsWith('lost') ? [states[index]] : []))
      expect(open.filter(state => state !== 'running' && state !== 'pending')).toEqual([])
      for (const command of ['run_retry', 'run_cancel']) {
        expect(await folder.qanat(command, 'it', String(id))).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('workstation'),
        })
      }
    }
  })
})

const supervisorOf010 = fileURLToPath(new URL('../../fixtures/live-local/supervisor.cjs', import.meta.url))

/** Run 6 of the fixture as version 0.1.0 has just launched it: four groups on two slots, the first two wait for gates. */
async function launchedBy010(): Promise<{ folder: Folder; supervisor: number }> {
  const project = new KeptProject('live-local')
  const { folder } = project
  project.renameHost('workstation', hostname())
  const run = join(folder.path, 'results/it/run_6')
  for (const name of ['.run/records', 'group_0', 'group_1']) rmSync(join(run, name), { recursive: true })
  const child = spawn(process.execPath, [supervisorOf010], {
    cwd: folder.path,
    env: folder.environment,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  onTestFinished(() => kill(child.pid!))
  const order = { storagePath: run, attempt: 1, groupCount: 4, slots: 2, shell: ['bash'], indices: null }
  child.stdin!.end(`${JSON.stringify(order)}\n`)
  expect(String((await once(child.stdout!, 'data'))[0])).toBe('ready\n')
  const identity = folder.read('results/it/run_6/.run/supervisor.json')
  project.inDatabase(database => {
    const sql = "UPDATE launches SET handles = json_set(handles, '$[0].data', json(?), '$[0].id', ?) WHERE run_id = 6"
    database.prepare(sql).run(identity, String(child.pid))
  })
  await until(() => /^1 start 1 /m.test(journals(folder)) && /^1 start 0 /m.test(journals(folder)))
  return { folder, supervisor: child.pid! }
}

function journals(folder: Folder): string {
  const records = 'results/it/run_6/.run/records'
  return folder.has(records)
    ? folder
        .list(records)
        .map(name => folder.read(`${records}/${name}`))
        .join('')
    : ''
}

describe('a local run under a supervisor of version 0.1.0', () => {
  test('runs, and is waited for to its end', async () => {
    const { folder, supervisor } = await launchedBy010()
    expect((await folder.show(6)).group_list.map(told)).toEqual(['running', 'running', 'pending', 'pending'])
    expect((await folder.qanat('run_retry', 'it', '6')).code).toBe(2)
    open(folder, 'first')
    const half = ['finished', 'running', 'failed exit 3', 'finished']
    await until(async () => (await folder.show(6)).group_list.map(told).join() === half.join())
    const waiting = folder.qanat('run_wait', 'it', '6')
    open(folder, 'second')
    expect((await waiting).code).toBe(1)
    expect((await folder.show(6)).group_list.map(told)).toEqual(['finished', 'finished', 'failed exit 3', 'finished'])
    await until(() => !lives(supervisor))
  })

  test('is cancelled with all of its processes, and can be launched again', async () => {
    const { folder, supervisor } = await launchedBy010()
    const groups = [...journals(folder).matchAll(/^1 start \d 1 (\d+) /gm)].map(([, pid]) => Number(pid))
    expect((await folder.qanat('run_cancel', 'it', '6')).code).toBe(0)
    expect((await folder.show(6)).group_list.map(told)).toEqual(Array(4).fill('cancelled'))
    expect([supervisor, ...groups].filter(lives)).toEqual([])
    open(folder, 'first')
    open(folder, 'second')
    await folder.qanat('run_retry', 'it', '6')
    const again = 'finished attempt 2'
    expect((await folder.show(6)).group_list.map(told)).toEqual([again, again, 'failed exit 3 attempt 2', again])
  })

  test('that is killed leaves its groups running, and what they have recorded counts', async () => {
    const { folder, supervisor } = await launchedBy010()
    kill(supervisor)
    await until(() => !lives(supervisor))
    expect((await folder.show(6)).group_list.slice(0, 2).map(told)).toEqual(['running', 'running'])
    open(folder, 'first')
    open(folder, 'second')
    expect((await folder.qanat('run_wait', 'it', '6')).code).toBe(1)
    const ended = ['finished', 'finished', 'lost never_started', 'lost never_started']
    expect((await folder.show(6)).group_list.map(told)).toEqual(ended)
  })
})
