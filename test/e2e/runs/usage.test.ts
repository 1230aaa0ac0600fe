import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tellsMemory } from '../../../src/system/processes/memory.js'
import { skips } from '../../skips.js'
import { projectWith } from '../project.js'

const notTold = skips('what groups use', tellsMemory() ? null : 'the system does not tell it')
const megabyte = 1024 ** 2

/** Has so many MB, perhaps frees them, and lives on until they have been noted. */
const script = `
import os, sys, time
wanted = int(sys.argv[1]) * 1024 ** 2
words = bytearray(wanted)
if sys.argv[2] == 'free':
    del words
peak = os.environ['QANAT_STORAGE_PATH'] + '/.run/pool/peak_0'
while not os.path.exists(peak) or int((open(peak).read().split() or [0, 0])[1]) < wanted:
    time.sleep(0.01)
sys.exit(3)
`

test.skipIf(notTold)('what a group has used is shown with what was asked for, and kept', async () => {
  const project = await projectWith(script, 'python3')
  project.write('asks.yaml', 'resources: { memory: 2G }')
  expect((await project.qanat('run', '--submit_template', 'asks.yaml', 'it', '100', 'keep')).code).toBe(1)
  const {
    group_list: [group],
  } = await project.show()
  expect(group.peak_memory_bytes).toBeGreaterThan(100 * megabyte)
  expect(group.peak_memory_bytes).toBeLessThan(200 * megabyte)
  expect(group.cpu_s).toBeGreaterThan(0)
  expect((await project.qanat('why', '1')).stdout).toMatch(/^ {2}used +memory at least 1\d\d M of 2 G, CPU time \d/m)
  expect(await project.json('why', '1', '--json')).toMatchObject({
    peak_memory_bytes: group.peak_memory_bytes,
    asked: { memory_bytes: 2048 * megabyte, time_s: null, cpus: null },
  })
  expect((await project.qanat('run_show', '1')).stdout).toMatch(/ 1\d\d M of 2 G /)
  const used = { peak_memory_bytes: group.peak_memory_bytes, cpu_s: group.cpu_s }
  expect((await project.json('sql', 'select peak_memory_bytes, cpu_s from groups', '--json')).rows).toEqual([used])

  rmSync(join(project.path, '.qanat/database.db'))
  await project.qanat('doctor', '--repair')
  expect((await project.show()).group_list).toMatchObject([used])
})

test.skipIf(notTold)('the most memory of a group is known, also if it was freed before anybody looked', async () => {
  const project = await projectWith(script, 'python3')
  await project.qanat('run', 'it', '220', 'free')
  const {
    group_list: [group],
  } = await project.show()
  expect(group.peak_memory_bytes).toBeGreaterThanOrEqual(220 * megabyte)
  expect(group.peak_memory_bytes).toBeLessThan(320 * megabyte)
})
