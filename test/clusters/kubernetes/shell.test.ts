import { describe, expect, test } from 'vitest'
import { until } from '../../e2e/project.js'
import { openTerminal } from '../../e2e/terminal.js'
import { saysAndAwaits } from '../lifecycle-project.js'
import { kubectl, objects } from './cluster.js'
import { image, noCluster, type PodProject, podProject, script, withDesk } from './project.js'

/** The pods of shells. */
const shells = () => objects('pods').filter(name => name.startsWith('pod/qanat-shell-'))

const templates = `kubernetes:
  default: {${image}, env: {SETTING: set}, setup: export LINE=setup}
  nowhere: {${image}, pod: {nodeSelector: {disk: none}}}
  missing: {image: "localhost/none:1", pull: Never}
`

function sitDown(it: PodProject, ...words: string[]) {
  const terminal = openTerminal({ path: it.folder, environment: it.environment }, 'shell', ...words)
  return { ...terminal, shows: (text: string) => until(terminal.shown, shown => shown.includes(text)) }
}

/** Types a line into a shell, and returns what was shown, and how it ended. */
async function sit(it: PodProject, line: string, ...words: string[]) {
  const terminal = sitDown(it, ...words)
  await terminal.shows('(qanat)')
  terminal.type(`${line}\r`)
  return { code: await terminal.ended, shown: terminal.shown() }
}

describe.skipIf(noCluster)('a shell', () => {
  const desk = withDesk()
  const make = () => podProject(desk(), script, templates)
  const launched = async () => {
    const it = await make()
    await it.launch('kubernetes', 'it', saysAndAwaits('end'))
    await it.begun()
    return it
  }

  test('has a pod of its own on the terminal, or is in that of a group that runs; only files that somebody has made stay', async () => {
    const it = await launched()
    const [pod] = objects('pods', '-l', 'qanat-run')
    const asks = 'tty; cat it.sh; echo "<$HOSTNAME $SETTING $LINE> <$QANAT_COMMAND>"'
    const own = await sit(it, `${asks}; exit 6`, '1.0')
    expect([own.code, own.shown]).toEqual([
      6,
      expect.stringMatching(/\/dev\/pts\/\d+[\s\S]*eval "\$1"[\s\S]*<qanat-shell-[0-9a-f]{8} set setup> <sh it\.sh /),
    ])
    await until(() => shells().length === 0)
    await it.when(1, run => run.status === 'running')
    const beside = await sit(it, `${asks}; echo kept >"$QANAT_STORAGE_PATH/kept"; exit 7`, '1.0', '--inside')
    expect([beside.code, beside.shown]).toEqual([
      7,
      expect.stringContaining(`<${pod!.slice('pod/'.length)} set setup>`),
    ])
    const [, left] = /The files of the shell are in lab:(\S+)\./.exec(beside.shown)!
    const sees = await sit(it, `cat ${left}/kept; pwd; exit 8`, '--submit_template', 'default')
    expect([sees.code, sees.shown]).toEqual([8, expect.stringMatching(/kept\r?\n[\s\S]*\/scratch\/project-/)])
    it.open('end')
    await it.whenStatus(1, 'finished')
    await until(() => shells().length === 0)
  })

  test('whose pod does not begin is ended by Ctrl-C, or says why, and leaves no pod', async () => {
    const it = await launched()
    const waits = sitDown(it, '1.0', '--submit_template', 'nowhere')
    await waits.shows('Unschedulable')
    expect(shells()).toHaveLength(1)
    waits.type('\x03')
    expect(await waits.ended).toBe(130)
    await until(() => shells().length === 0)
    const fails = sitDown(it, '--submit_template', 'missing')
    expect([await fails.ended, fails.shown()]).toEqual([4, expect.stringContaining('ErrImageNeverPull')])
    await until(() => shells().length === 0)
    it.open('end')
    await it.whenStatus(1, 'finished')
  })

  test('whose window is closed goes with its pod; if the command is killed, the pod ends by itself', async () => {
    const it = await make()
    const closed = sitDown(it, '--submit_template', 'default')
    await closed.shows('(qanat)')
    closed.close()
    await closed.ended
    await until(() => shells().length === 0)
    const killed = sitDown(it, '--submit_template', 'default')
    await killed.shows('(qanat)')
    const [pod] = shells()
    killed.kill()
    await killed.ended
    await until(() => kubectl('get', pod!, '-o', 'jsonpath={.status.phase}') === 'Succeeded')
    // The next one takes it away.
    expect((await sit(it, 'exit', '--submit_template', 'default')).code).toBe(0)
    await until(() => shells().length === 0)
  })
})
