import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { until } from '../../e2e/project.js'
import {
  crashes,
  enter,
  type Fault,
  goesOn,
  leavesNothing,
  projectIn,
  sayCounts,
  settled,
  tellsTheTruth,
} from './crash.js'

sayCounts('a launch that is killed')

const several = ['run', 'it', '-R', '--n 0 4 1', '--n_threads', '2']

/** Moments of a launch of several groups, in their order, at which the command dies. */
const moments: Fault[] = [
  'lock-wanted',
  'lock-taken',
  'copy-made',
  'copy-in-place',
  'copy-linked',
  'run-folder',
  'run-inserted',
  'run-stored',
  'file-new',
  'file-new:2',
  'file-new:3',
  'file-new:4',
  'launch-file',
  'launch-file:2',
  'run-files',
  'order-ready',
  'order-given',
  'order-taken',
  'handle-known',
  'handle-stored',
  'launch-submitted',
  'launch-end',
  'refresh-polled',
  'refresh-stored',
  'refresh-end',
]

/** Moments at which its supervisor dies. */
const supervisorMoments: Fault[] = [
  'supervisor-ordered',
  'supervisor-known',
  'supervisor-ready',
  'slot-started',
  'slot-started:2',
  'slot-known',
  'slot-known:2',
  'slot-given',
  'slot-given:2',
  'slot-given:3',
  'slot-answered',
  'slot-answered:2',
  'slot-answered:3',
  'slot-closed',
  'slot-closed:2',
]

describe('a launch that is killed', () => {
  test.each(moments)('at %s', async moment => {
    const folder = await projectIn('works')
    expect((await crashes(folder, [moment], ...several)).code).toBe(null)
    tellsTheTruth(folder, await settled(folder))
    await goesOn(folder)
    await leavesNothing(folder)
  })

  const notOfOne = ['lock-', 'copy-', 'file-new:4', 'refresh-end']
  test.each(moments.filter(moment => !notOfOne.some(name => moment.startsWith(name))))(
    'at %s, of one group',
    async moment => {
      const folder = await projectIn('works')
      expect((await crashes(folder, [moment], 'run', 'it')).code).toBe(null)
      await goesOn(folder)
      await leavesNothing(folder)
    },
  )
})

test('data that changed while a run ran are told by a later command if the first one is killed', async () => {
  const folder = await projectIn('works')
  folder.write('.gitignore', `${folder.read('.gitignore')}\n/data\n`)
  folder.write('data/a.csv', 'a')
  folder.write('flowers.yaml', 'name: flowers\npath: data\n')
  folder.write('reads.yaml', 'datasets: [flowers]\n')
  folder.commit()
  await folder.qanat('dataset', 'new', 'flowers.yaml')
  await folder.qanat('experiment', 'update', 'it', '-f', 'reads.yaml')
  enter(folder, 'waits')
  const dying = crashes(folder, ['refresh-data'], 'run', 'it')
  await until(() => folder.has('.qanat/log'))
  folder.write('data/a.csv', 'longer')
  folder.write('.qanat/gate', '')
  expect((await dying).code).toBe(null)
  expect((await folder.show()).status).toBe('finished')
  const notes = async () => (await folder.show()).data[0].notes
  expect(await notes()).toEqual([])
  const [left] = readdirSync(join(folder.path, '.qanat/data/ends'))
  const past = new Date(Date.now() - 120_000)
  utimesSync(join(folder.path, '.qanat/data/ends', left!), past, past)
  expect((await folder.qanat('runs')).code).toBe(0)
  expect(await notes()).toEqual([expect.stringMatching(/^dataset flowers changed while run 1 ran.*: 1 file changed$/)])
  expect(readdirSync(join(folder.path, '.qanat/data/ends'))).toEqual([])
})

test.each<Fault>(['file-new:6', 'file-new:7', 'run-files', 'order-taken'])(
  'a launch with a secret that is killed at %s leaves no file with its value',
  async moment => {
    const folder = await projectIn('works')
    folder.environment.KEY = 'k3y-of-the-launch'
    folder.write('.qanat/config.yaml', 'poll_interval: 0.05\ngrace: 0.45\nlocal: {default: {secrets: [KEY]}}\n')
    expect((await crashes(folder, [moment], 'run', 'it')).code).toBe(null)
    await settled(folder)
    expect((await folder.shell('grep -rlF "$KEY" results .qanat')).stdout).toBe('')
  },
)

test('a launch that is killed while its supervisor is still starting is not lost, and runs once', async () => {
  const folder = await projectIn('works')
  const gate = join(folder.path, '.qanat/started')
  const pause = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)'
  const waiting = `existsSync('${folder.path}/.git') && !existsSync('${gate}')`
  const waits = `const { existsSync } = require('fs')
if (process.argv[1].includes('supervisor')) while (${waiting}) ${pause}`
  folder.write('.qanat/slow.cjs', waits)
  folder.environment.NODE_OPTIONS = `--require ${join(folder.path, '.qanat/slow.cjs')}`
  await crashes(folder, ['order-given'], ...several)
  expect((await folder.show()).group_list.map(({ status }: { status: string }) => status)).toEqual(
    Array(4).fill('pending'),
  )
  folder.write('.qanat/started', '')
  const runs = await settled(folder)
  expect(runs.map(({ status }) => status)).toEqual(['finished'])
  tellsTheTruth(folder, runs)
})

describe('a launch whose supervisor is killed', () => {
  test.each(supervisorMoments)('at %s', async moment => {
    const folder = await projectIn('works')
    await crashes(folder, [moment], ...several)
    tellsTheTruth(folder, await settled(folder))
    await goesOn(folder)
    await leavesNothing(folder)
  })

  test.each<Fault>(['drop-begin', 'drop-folder', 'drop-reference'])(
    'and which is killed itself at %s',
    async moment => {
      const folder = await projectIn('works')
      expect((await crashes(folder, ['supervisor-known', moment], ...several)).code).toBe(null)
      await goesOn(folder)
      await leavesNothing(folder)
    },
  )
})
