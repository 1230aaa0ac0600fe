import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Folder, until } from '../project.js'
import { openTerminal } from '../terminal.js'
import { withAction } from './acting.js'

/** A file that an action has made in the folder of run 1. */
function made(file: string, size: number): unknown {
  return expect.objectContaining({ path: `results/acting/run_1/${file}`, size, change: 'made' })
}

const waits = ': > begun; while [ -e begun ]; do sleep 0.02; done\n'

/** Waits until the script has begun, and has no later one take that for its own beginning. */
async function begun(folder: Folder): Promise<void> {
  await until(() => folder.has('begun'))
}

test('an action is recorded also if it is killed, or works beside another one', async () => {
  const folder = await withAction()
  folder.write('plot.sh', `touch "$3/$1"; [ "$1" = last ] || { ${waits}}\n`)
  const killed = folder.start(['action', 'plot', '1', 'first'])
  await begun(folder)
  expect((await folder.qanat('action', 'plot', '1', 'last')).code).toBe(0)
  killed.kill('SIGKILL')
  await new Promise(resolve => killed.on('exit', resolve))
  rmSync(`${folder.path}/begun`)
  expect((await folder.json('action', '--list', '1', '--json')).actions).toMatchObject([
    { status: 'finished', shared: true },
    { status: 'interrupted', finished: null, exit_code: null, made: [], complete: false },
  ])
  expect((await folder.qanat('action', '--list', '1')).stdout).toContain('(not recorded')
})

test('an action that Ctrl-C, a signal or the end of its terminal ends is recorded with what it has made until then', async () => {
  const folder = await withAction()
  const call = async (name: string) => {
    rmSync(`${folder.path}/begun`, { force: true })
    const terminal = openTerminal(folder, 'action', 'plot', '1', name)
    await begun(folder)
    return terminal
  }
  folder.write('plot.sh', `echo half $1 > "$3/$1.svg"; ${waits}`)
  const typed = await call('typed')
  typed.type('\u0003')
  expect(await typed.ended).toBe(130)
  expect(typed.shown()).toContain('the action plot was interrupted')
  rmSync(`${folder.path}/begun`)
  const terminated = folder.start(['action', 'plot', '1', 'terminated'])
  const ended = new Promise(resolve => terminated.on('exit', (code, signal) => resolve([code, signal])))
  await begun(folder)
  terminated.kill('SIGTERM')
  expect(await ended).toEqual([null, 'SIGTERM'])
  const closed = await call('closed')
  closed.close()
  expect(await closed.ended).toBe(129)
  folder.write('plot.sh', `trap 'echo saved > "$3/$1.svg"; exit 0' INT; ${waits}`)
  const saves = await call('saves')
  saves.type('\u0003')
  expect(await saves.ended).toBe(0)
  const interrupted = { status: 'interrupted', exit_code: null, complete: true, finished: expect.any(String) }
  expect((await folder.json('action', '--list', '--json')).actions).toMatchObject([
    { status: 'finished', exit_code: 0, made: expect.arrayContaining([made('saves.svg', 6)]) },
    ...['closed', 'terminated', 'typed'].map(name => ({
      ...interrupted,
      made: expect.arrayContaining([made(`${name}.svg`, 6 + name.length)]),
    })),
  ])
  expect((await folder.json('whence', 'results/acting/run_1/typed.svg', '--json')).matches).toMatchObject([
    { kind: 'action', run: 1, action: 'plot' },
  ])
  expect((await folder.qanat('whence', 'results/acting/run_1/typed.svg')).stdout).toMatch(
    /called .*; it was interrupted, so the file may be incomplete\n/,
  )
})
