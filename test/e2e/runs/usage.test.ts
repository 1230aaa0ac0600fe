import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tellsMemory } from '../../../src/system/processes/memory.js'
import { skips } from '../../skips.js'
import { groups, projectWith, shellProject } from '../project.js'

const notTold = skips('what groups use', tellsMemory() ? null : 'the system does not tell it')
const megabyte = 1024 ** 2

/** Has 100 MB until that has been noted. */
const script = `
import os, sys, time
words = bytearray(100 * 1024 ** 2)
peaks = os.environ['QANAT_STORAGE_PATH'] + '/.run/peaks/slot_0'
while not os.path.exists(peaks) or int(open(peaks).read().split()[1]) < len(words):
    time.sleep(0.01)
sys.exit(3)
`

test.skipIf(notTold)('what a group has used is shown with what was asked for, and kept', async () => {
  const project = await projectWith(script, 'python3')
  project.write('asks.yaml', 'resources: { memory: 2G }')
  expect((await project.qanat('run', '--submit_template', 'asks.yaml', 'it')).code).toBe(1)
  const {
    group_list: [group],
  } = await project.show()
  expect(group.peak_memory_bytes).toBeGreaterThan(100 * megabyte)
  expect(group.peak_memory_bytes).toBeLessThan(200 * megabyte)
  expect(group.cpu_s).toBeGreaterThan(0)
  expect((await project.qanat('why', '1')).stdout).toMatch(/^ {2}used +memory 1\d\d M of 2 G, CPU time \d/m)
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

test.skipIf(notTold)(
  'what was seen of a group never or only once, as its script may still have been starting, is no peak',
  async () => {
    const project = await shellProject()
    await project.qanat('run', 'it', ...groups('true', 'sleep 1.2'))
    const { launched, finished, group_list } = await project.show()
    // It is looked at a second after it was given to its shell, and again a second later if the machine is that slow.
    const isSeenTwice = Date.parse(finished) - Date.parse(launched) > 2_000
    for (const { peak_memory_bytes: peak, cpu_s: time } of group_list) {
      expect(time).toEqual(expect.any(Number))
      expect(isSeenTwice || peak === null).toBe(true)
    }
  },
)
