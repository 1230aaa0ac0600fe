import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { recordVersion } from '../../src/domain/runs/group-record.js'
import { recordsFolder } from '../../src/runfolder/layout.js'
import { RunProcesses } from '../../src/runners/local/run-processes.js'
import { identify, isAlive, type ProcessIdentity, thisMachine } from '../../src/system/process-identity.js'
import { folderWith } from '../project/temporary.js'
import { workerLine } from '../runfolder/evidence/worker-line.js'

/** A process of the user's that leads a process group, as every job of a shell does. */
async function innocent(environment: NodeJS.ProcessEnv = {}): Promise<ProcessIdentity> {
  const env = { ...process.env, ...environment }
  const child = spawn('tail', ['-f', '/dev/null'], { detached: true, stdio: 'ignore', env })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  return identify(child.pid!)!
}

/** Ends the groups of an attempt. The journal of the first one names a process: as its shell, and as a group begun then. */
async function stopGroups(worker: ProcessIdentity, begun: number, storagePath = folderWith(), attempt = 1) {
  const start = `${recordVersion} start 0 1 ${worker.pid} ${begun / 1000} ${worker.host} - 0\n`
  mkdirSync(join(storagePath, recordsFolder), { recursive: true })
  writeFileSync(join(storagePath, recordsFolder, 'slot_0'), workerLine(worker) + start)
  const processes = new RunProcesses({ runId: 1, place: { there: storagePath }, groupCount: 1, attempt }, worker)
  processes.killGroups()
  await processes.stop(0)
}

const anHour = 3_600_000

test.each([
  ['before this machine has booted', { bootId: 'an-earlier-boot' }, 0],
  ['before this machine has booted, under another name', { bootId: 'an-earlier-boot', host: 'former-name' }, 0],
  ['on another machine', { host: 'other', bootId: 'other', machineId: 'other' }, 0],
  ['in another container of this machine', { namespace: 'pid:[1]' }, 0],
  ['long ago, by a process that has ended since', { start: '1' }, anHour],
])('a process of the user whose id a group had %s is not touched', async (_, recorded, ago) => {
  const own = await innocent()
  await stopGroups({ ...own, ...recorded }, Date.now() - ago)
  expect(isAlive(own)).toBe(true)
})

test.runIf(process.platform === 'linux').each([
  ['', 'its only one'],
  ['/group_0', 'one of several'],
])('a group of a run%s, %s, is ended even where the clock was set forward by an hour since', async place => {
  const storagePath = folderWith()
  const own = await innocent({ QANAT_STORAGE_PATH: `${storagePath}${place}` })
  await stopGroups({ ...own, start: '1' }, Date.now() - anHour, storagePath)
  expect(isAlive(own)).toBe(false)
})

test('a group that has this id here and now is ended', async () => {
  const own = await innocent()
  expect(own).toMatchObject(thisMachine())
  await stopGroups(own, Date.now())
  expect(isAlive(own)).toBe(false)
})

test('a group of an earlier attempt, which runs beside those of a later one, is not ended with them', async () => {
  const own = await innocent()
  await stopGroups(own, Date.now(), folderWith(), 2)
  expect(isAlive(own)).toBe(true)
})
