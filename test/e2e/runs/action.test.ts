import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { until } from '../project.js'
import { openTerminal } from '../terminal.js'
import { withAction } from './acting.js'

const waits = ': > begun; while [ -e begun ]; do sleep 0.02; done\n'

test('an action is recorded also if it is killed, or works beside another one', async () => {
  const folder = await withAction()
  folder.write('plot.sh', `touch "$3/$1"; [ "$1" = last ] || { ${waits}}\n`)
  const killed = folder.start(['action', 'plot', '1', 'first'])
  await until(() => folder.has('begun'))
  expect((await folder.qanat('action', 'plot', '1', 'last')).code).toBe(0)
  killed.kill('SIGKILL')
  await until(() => killed.signalCode)
  rmSync(`${folder.path}/begun`)
  expect((await folder.json('action', '--list', '1', '--json')).actions).toMatchObject([
    { status: 'finished', shared: true },
    { status: 'interrupted', finished: null, exit_code: null, made: [], complete: false },
  ])
  expect((await folder.qanat('action', '--list', '1')).stdout).toContain('(not recorded')
})

test('an action that Ctrl-C, a signal or the end of its terminal ends is recorded with what it has made until then', async () => {
  const folder = await withAction()
  const calls = async <Started>(name: string, start: (...words: string[]) => Started) => {
    // No later one must take this for its own beginning.
    rmSync(`${folder.path}/begun`, { force: true })
    const started = start('action', 'plot', '1', name)
    await until(() => folder.has('begun'))
    return started
  }
  const inTerminal = (...words: string[]) => openTerminal(folder, ...words)
  folder.write('plot.sh', `echo half > "$3/$1.svg"; ${waits}`)
  const typed = await calls('typed', inTerminal)
  typed.type('\u0003')
  expect(await typed.ended).toBe(130)
  expect(typed.shown()).toContain('the action plot was interrupted')
  const terminated = await calls('terminated', (...words) => folder.start(words))
  terminated.kill('SIGTERM')
  await until(() => terminated.signalCode)
  const closed = await calls('closed', inTerminal)
  closed.close()
  expect(await closed.ended).toBe(129)
  folder.write('plot.sh', `trap 'echo half > "$3/$1.svg"; exit 0' INT; ${waits}`)
  const saves = await calls('saves', inTerminal)
  saves.type('\u0003')
  expect(await saves.ended).toBe(0)
  const half = (name: string) =>
    expect.arrayContaining([expect.objectContaining({ path: `results/acting/run_1/${name}.svg`, size: 5 })])
  const interrupted = { status: 'interrupted', exit_code: null, complete: true, finished: expect.any(String) }
  expect((await folder.json('action', '--list', '--json')).actions).toMatchObject([
    { status: 'finished', exit_code: 0, made: half('saves') },
    ...['closed', 'terminated', 'typed'].map(name => ({ ...interrupted, made: half(name) })),
  ])
  const { stdout } = await folder.qanat('whence', 'results/acting/run_1/typed.svg')
  expect(stdout).toMatch(/called .*; it was interrupted, so the file may be incomplete\n/)
})
