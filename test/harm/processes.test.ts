import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { recordVersion } from '../../src/domain/runs/group-record.js'
import { workerLine } from '../../src/runfolder/evidence/slot-journals.js'
import { recordsFolder } from '../../src/runfolder/layout.js'
import { RunProcesses } from '../../src/runners/local/stop.js'
import { identify, isAlive, type ProcessIdentity, thisMachine } from '../../src/system/process-identity.js'
import { folderWith } from '../project/temporary.js'

/** A process of the user's that leads a process group, as every job of a shell does. */
async function innocent(environment: NodeJS.ProcessEnv = {}): Promise<ProcessIdentity> {
  const child = spawn('tail', ['-f', '/dev/null'], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ...environment },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  return identify(child.pid!)!
}

/**
 * Ends the groups of an attempt of a run. The journal of the first attempt names such a process: as its shell, and as a group
 * that began at that time.
 */
async function stopGroups(
  worker: ProcessIdentity,
  begun: number,
  storagePath = folderWith(),
  attempt = 1,
): Promise<void> {
  const start = `${recordVersion} start 0 1 ${worker.pid} ${begun / 1000} ${worker.host} - 0\n`
  mkdirSync(join(storagePath, recordsFolder), { recursive: true })
  writeFileSync(join(storagePath, recordsFolder, 'slot_0'), workerLine(worker) + start)
  const processes = new RunProcesses(storagePath, attempt, worker)
  processes.killGroups()
  await processes.stop(0)
}

const now = () => Date.now()
const anHourAgo = () => Date.now() - 3_600_000

test.each([
  ['before this machine has booted', { bootId: 'an-earlier-boot' }, now],
  ['before this machine has booted, under another name', { bootId: 'an-earlier-boot', host: 'former-name' }, now],
  ['on another machine', { host: 'other', bootId: 'other', machineId: 'other' }, now],
  ['in another container of this machine', { namespace: 'pid:[1]' }, now],
  ['long ago, by a process that has ended since', { start: '1' }, anHourAgo],
])('a process of the user whose id a group had %s is not touched', async (_, recorded, begun) => {
  const own = await innocent()
  await stopGroups({ ...own, ...recorded }, begun())
  expect(isAlive(own)).toBe(true)
})

test.runIf(process.platform === 'linux').each([
  ['', 'its only one'],
  ['/group_0', 'one of several'],
])('a group of a run%s, %s, is ended even where the clock was set forward by an hour since', async place => {
  const storagePath = folderWith()
  const own = await innocent({ QANAT_STORAGE_PATH: `${storagePath}${place}` })
  await stopGroups({ ...own, start: '1' }, anHourAgo(), storagePath)
  expect(isAlive(own)).toBe(false)
})

test('a group that has this id here and now is ended', async () => {
  const own = await innocent()
  expect(own).toMatchObject(thisMachine())
  await stopGroups(own, now())
  expect(isAlive(own)).toBe(false)
})

test('a group of an earlier attempt, which runs beside those of a later one, is not ended with them', async () => {
  const own = await innocent()
  await stopGroups(own, now(), folderWith(), 2)
  expect(isAlive(own)).toBe(true)
})
