import { expect, test } from 'vitest'
import { failureKey } from '../../../src/domain/runs/cause-label.js'

const killed = { state: 'failed', cause: 'signal', signal: 'SIGKILL' } as const

/** The last line of stderr of a script that was killed while tqdm drew this. */
const key = (line: string) => failureKey(killed, line)

test('failures are alike wherever their progress bars stood', () => {
  const start = key('Epoch 1:   0%|          | 0/10 [00:00<?, ?it/s]')
  expect(key('Epoch 1:  40%|████      | 4/10 [00:02<00:03,  2.00it/s]')).toBe(start)
  expect(key('Epoch 12: 100%|##########| 10/10 [01:20<00:00,  8.00s/it, loss=0.3]')).toBe(start)
  expect(key('Epoch 1:  40%|████      | 4/10 [00:02<00:03,  2.00it/s]sh: foo: not found')).not.toBe(start)
  expect(key('Test 1:  40%|████      | 4/10 [00:02<00:03,  2.00it/s]')).not.toBe(start)
})

test('failures are alike whatever numbers they name, and differ in anything else', () => {
  expect(key('loss is nan at step 7 of 0xff')).toBe(key('loss is nan at step 12.5 of 0x1'))
  expect(key('100% | x')).not.toBe(key('100% | y'))
  expect(failureKey({ ...killed, signal: 'SIGTERM' }, 'x')).not.toBe(key('x'))
})
