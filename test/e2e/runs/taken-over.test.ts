import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { thisMachine } from '../../../src/system/process-identity.js'
import { expectError } from '../expectations.js'
import { KeptProject } from '../kept-project.js'
import { end, kill, lives } from '../processes.js'
import { type Folder, open, until } from '../project.js'

const lost = ['finished', 'lost vanished', 'lost vanished', 'lost never_started', 'lost never_started']

describe('a local run that a release has left', () => {
  test('whose processes are gone ended as its journals say, is explained, and can be retried', async () => {
    const { folder } = new KeptProject(true)
    expect((await folder.qanat('run_wait', 'it', '1')).code).toBe(1)
    expect(await folder.states()).toEqual([...lost.slice(0, 3), 'pending', 'pending'])
    expect((await folder.qanat('why', '1.1')).stdout).toMatch(/lost/)
    for (const gate of ['first', 'second']) open(folder, gate)
    expect((await folder.qanat('run_cancel', 'it', '1')).code).toBe(0)
    expect((await folder.qanat('run_retry', 'it', '1')).code).toBe(1)
    const again = 'finished attempt 2'
    expect(await folder.states()).toEqual(['finished', again, again, 'failed exit 3 attempt 2', again])
    expect((await folder.json('run', '--json', 'it', '--how', 'ok')).id).toBe(6)
  })

  test('is not called lost by another machine, which says where it may live, and can give it up', async () => {
    const { folder } = new KeptProject(false)
    const open = ['finished', 'running', 'running', 'pending', 'pending']
    expect(await folder.states()).toEqual(open)
    for (const command of ['run_retry', 'run_cancel']) {
      expectError(await folder.qanat(command, 'it', '1'), 1, 'workstation')
    }
    await folder.json('run_cancel', 'it', '1', '--give_up', '--json')
    expect(await folder.states()).toEqual(lost)
  })
})

/** The local run as the release has just launched it: five groups on two slots, of which two wait for gates. */
async function launched(): Promise<{ folder: Folder; keeper: number }> {
  const project = new KeptProject(true)
  const { folder } = project
  const run = join(folder.path, 'results/it/run_1')
  for (const name of ['.run/records', '.run/pool', 'group_0', 'group_1', 'group_2'])
    rmSync(join(run, name), { recursive: true })
  const child = spawn('bash', [join(run, '.run/job.sh'), 'pool', '', thisMachine().host, '-', '0'], {
    env: folder.environment,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  onTestFinished(() => kill(child.pid!))
  child.stdin!.end(`${JSON.stringify(thisMachine())}\n`)
  expect(String((await once(child.stdout!, 'data'))[0])).toBe('ready\n')
  const identity = folder.read('results/it/run_1/.run/pool/keeper')
  folder.inDatabase(database => {
    database.prepare('UPDATE submissions SET job = ?, data = ? WHERE run_id = 1').run(String(child.pid), identity)
    database.exec('DELETE FROM groups WHERE run_id = 1; DELETE FROM refreshes WHERE run_id = 1')
    database.exec('UPDATE runs SET groups_pending = 5, groups_running = 0, groups_finished = 0 WHERE id = 1')
  })
  await until(() => /^1 start 1 /m.test(journals(folder)) && /^1 start 2 /m.test(journals(folder)))
  return { folder, keeper: child.pid! }
}

function journals(folder: Folder): string {
  const records = 'results/it/run_1/.run/records'
  const names = folder.has(records) ? folder.list(records) : []
  return names.map(name => folder.read(`${records}/${name}`)).join('')
}

describe('a local run in the pool of a release', () => {
  test('runs, and is waited for to its end', async () => {
    const { folder, keeper } = await launched()
    expect(await folder.states()).toEqual(['finished', 'running', 'running', 'pending', 'pending'])
    expect((await folder.qanat('run_retry', 'it', '1')).code).toBe(2)
    open(folder, 'first')
    const half = ['finished', 'finished', 'running', 'failed exit 3', 'finished']
    await until(async () => (await folder.states()).join() === half.join())
    const waiting = folder.qanat('run_wait', 'it', '1')
    open(folder, 'second')
    expect((await waiting).code).toBe(1)
    expect(await folder.states()).toEqual(half.with(2, 'finished'))
    await until(() => !lives(keeper))
  })

  test('is cancelled with all of its processes', async () => {
    const { folder, keeper } = await launched()
    const pids = [...journals(folder).matchAll(/^1 start [12] 1 (\d+) /gm)].map(([, pid]) => Number(pid))
    expect((await folder.qanat('run_cancel', 'it', '1')).code).toBe(0)
    expect(await folder.states()).toEqual(['finished', ...Array(4).fill('cancelled')])
    expect([keeper, ...pids].filter(lives)).toEqual([])
  })

  test('goes on with all of its groups if its keeper is killed', async () => {
    const { folder, keeper } = await launched()
    await end(keeper)
    expect((await folder.states()).slice(1, 3)).toEqual(['running', 'running'])
    for (const gate of ['first', 'second']) open(folder, gate)
    expect((await folder.qanat('run_wait', 'it', '1')).code).toBe(1)
    expect(await folder.states()).toEqual(['finished', 'finished', 'finished', 'failed exit 3', 'finished'])
  })
})
