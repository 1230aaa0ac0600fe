import { expect, test } from 'vitest'
import { tellsMemory } from '../../../src/system/processes/memory.js'
import { skips } from '../../skips.js'
import { groups, projectWith } from '../project.js'

const notTold = skips('the limit of memory', tellsMemory() ? null : 'the system does not tell it')

const script = `
import sys, time
words = bytearray(int(sys.argv[1]) * 1024 ** 2)
while sys.argv[1] != '1' and not __import__('os').environ.get('ENOUGH'):
    time.sleep(0.1)
`

test.skipIf(notTold)('a limit of memory ends the groups that exceed it, which can be retried with more', async () => {
  const project = await projectWith(script, 'python3')
  project.write('limits.yaml', 'resources: { memory: 100M }')
  const words = ['--submit_template', 'limits.yaml', 'it', ...groups('300', '1')]
  expect((await project.qanat('run', ...words)).code).toBe(1)
  const { group_list: list } = await project.show()
  expect(list).toMatchObject([{ cause: 'oom', exit_code: 137 }, { status: 'finished' }])
  expect(list[0].peak_memory_bytes).toBeGreaterThan(100 * 1024 ** 2)
  expect((await project.qanat('why', '1')).stdout).toMatch(/^ {2}used +memory at least \d+ M of 100 M, /m)
  project.write('more.yaml', 'resources: { memory: 1G }\nenv: { ENOUGH: 1 }')
  expect((await project.qanat('run_retry', '1', '--only', 'oom', '--submit_template', 'more.yaml')).code).toBe(0)
})
