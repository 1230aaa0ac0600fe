import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../e2e/project.js'
import * as crash from './crash.js'

const { crashes, isKilled, moments, projectIn, settled, tellsTheTruth } = crash

const several = ['run', 'it', '-R', '--n 0 4 1', '--n_threads', '2']

/** Moments of any launch, in their order, at which the command dies; then those of groups that run in frozen code. */
const ofAny =
  moments(`run-folder-made run-inserted run-stored file-new file-new:2 file-new:3 launch-file launch-file:2 run-files
  order-ready order-given order-taken handle-known handle-stored launch-submitted launch-end refresh-polled refresh-stored`)
const ofGroups = moments('lock-wanted lock-taken copy-made copy-in-place copy-linked file-new:4 refresh-end')

test.each([
  ...[...ofAny, ...ofGroups].map(at => ({ at, what: 'of several groups', launch: several })),
  ...ofAny.map(at => ({ at, what: 'of one group', launch: ['run', 'it'] })),
])('a launch $what that is killed at $at', async ({ at, launch }) => {
  const folder = await projectIn('works')
  expect((await crashes(folder, [at], ...launch)).code).toBe(null)
  tellsTheTruth(folder, await settled(folder))
  await crash.goesOn(folder)
  await crash.leavesNothing(folder)
})

const ofDrop = moments('drop-begin drop-folder drop-reference')

test.each(ofDrop)('a launch whose pool cannot start, and which is killed itself at %s', async moment => {
  const folder = await projectIn('works')
  const { PATH } = folder.environment
  folder.write('.qanat/bin/bash', '#!/bin/sh\nexit 1\n')
  chmodSync(join(folder.path, '.qanat/bin/bash'), 0o755)
  folder.environment.PATH = `${folder.path}/.qanat/bin:${PATH}`
  await isKilled(folder, [moment], ...several)
  folder.environment.PATH = PATH
  await crash.goesOn(folder)
  await crash.leavesNothing(folder)
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
  crash.enter(folder, 'waits')
  const dying = isKilled(folder, ['refresh-data'], 'run', 'it')
  await until(() => folder.has('.qanat/log'))
  folder.write('data/a.csv', 'longer')
  folder.write('.qanat/gate', '')
  await dying
  expect((await folder.show()).status).toBe('finished')
  const notes = async () => (await folder.show()).data[0].notes
  expect(await notes()).toEqual([])
  const ends = join(folder.path, '.qanat/data/ends')
  writeFileSync(join(ends, readdirSync(ends)[0]!), String(Date.now() - 120_000))
  expect((await folder.qanat('runs')).code).toBe(0)
  expect(await notes()).toEqual([expect.stringMatching(/^dataset flowers changed while run 1 ran.*: 1 file changed$/)])
  expect(readdirSync(ends)).toEqual([])
})

const ofSecrets = moments('file-new:6 file-new:7 run-files order-taken')

test.each(ofSecrets)('a launch with a secret that is killed at %s leaves no file with its value', async moment => {
  const folder = await projectIn('works')
  folder.environment.KEY = 'k3y-of-the-launch'
  folder.write('.qanat/config.yaml', 'poll_interval: 0.05\ngrace: 0.45\nlocal: {default: {secrets: [KEY]}}\n')
  await isKilled(folder, [moment], 'run', 'it')
  await settled(folder)
  expect((await folder.shell('grep -rlF "$KEY" results .qanat')).stdout).toBe('')
})

test('a launch that is killed before it has told its pool to begin runs nothing', async () => {
  const folder = await projectIn('works')
  await crashes(folder, ['order-ready'], ...several)
  expect((await settled(folder)).map(({ status }) => status)).not.toContain('finished')
  expect(crash.executions(folder).size).toBe(0)
})
