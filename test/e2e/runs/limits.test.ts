import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tellsMemory } from '../../../src/system/processes/memory.js'
import { skips } from '../../skips.js'
import { groups, projectWith } from '../project.js'

const notTold = skips('the memory of groups', tellsMemory() ? null : 'the system does not tell it')

/** Has so many MB until they are noted, or, without ENOUGH, for as long as it may. */
const script = `
import os, sys, time
size = int(sys.argv[1]) * 1024 ** 2
words, peaks = bytearray(size), os.environ['QANAT_STORAGE_PATH'] + '/../.run/peaks/slot_0'
def noted():
    return os.path.exists(peaks) and int(open(peaks).read().split()[1]) >= size
while sys.argv[1] != '1' and not ('ENOUGH' in os.environ and noted()):
    time.sleep(0.01)
`

test.skipIf(notTold)('a limit of memory ends the groups that exceed it, and what they used is kept', async () => {
  const project = await projectWith(script, 'python3')
  const codes = groups('300', '1')
  project.write('limits.yaml', 'resources: { memory: 100M }')
  expect((await project.qanat('run', '--submit_template', 'limits.yaml', 'it', ...codes)).code).toBe(1)
  expect(await project.states()).toEqual(['failed oom 137', 'finished'])
  expect((await project.show()).group_list[0].peak_memory_bytes).toBeGreaterThan(100 * 1024 ** 2)
  expect((await project.qanat('why', '1')).stdout).toMatch(/^ {2}used +memory \d+ M of 100 M, CPU time \d/m)
  project.write('more.yaml', 'resources: { memory: 1G }\nenv: { ENOUGH: 1 }')
  expect((await project.qanat('run', '--submit_template', 'more.yaml', 'it', ...codes)).code).toBe(0)
  expect((await project.qanat('run_show', '2')).stdout).toMatch(/ 3\d\d M of 1 G /)
  const { group_list: list } = await project.show(2)
  const used = list.map(({ peak_memory_bytes, cpu_s }: any) => ({ peak_memory_bytes, cpu_s }))
  expect(used[0].peak_memory_bytes).toBeGreaterThan(300 * 1024 ** 2)
  expect(used[0].peak_memory_bytes).toBeLessThan(400 * 1024 ** 2)
  // It may still have been starting when it was seen, if it was: that is no peak.
  expect(list[1].duration_s > 1.6 || list[1].peak_memory_bytes === null).toBe(true)
  const asked = { memory_bytes: 1024 ** 3, time_s: null, cpus: null }
  expect(await project.json('why', '2.0', '--json')).toMatchObject({ ...used[0], asked })
  expect(
    (await project.json('sql', 'select peak_memory_bytes, cpu_s from groups where run = 2', '--json')).rows,
  ).toEqual(used)
  rmSync(join(project.path, '.qanat/database.db'))
  await project.qanat('doctor', '--repair')
  expect((await project.show(2)).group_list).toMatchObject(used)
})
