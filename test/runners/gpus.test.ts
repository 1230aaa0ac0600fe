import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amdGpus, type DealtGpus, dealGpus, type Gpu, nvidiaGpus } from '../../src/runners/gpus.js'

const listing = `GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-5d5ba0d6-d33d-2b2c-524d-9e3d8d2b8a77)
  MIG 3g.20gb     Device  0: (UUID: MIG-c6d4f1ef-42e4-5de3-91c7-45d71c87eb3f)
  MIG 1g.5gb      Device  1: (UUID: MIG-GPU-5d5ba0d6-d33d-2b2c-524d-9e3d8d2b8a77/7/0)
GPU 1: Quadro (RTX) 4000 (UUID: GPU-0f0f0f0f-0000-1111-2222-333333333333)
`

test('the parts of a divided GPU stand in its place', () => {
  expect(nvidiaGpus(listing)).toEqual([
    { number: 0, id: 'MIG-c6d4f1ef-42e4-5de3-91c7-45d71c87eb3f' },
    { number: 0, id: 'MIG-GPU-5d5ba0d6-d33d-2b2c-524d-9e3d8d2b8a77/7/0' },
    { number: 1, id: 'GPU-0f0f0f0f-0000-1111-2222-333333333333' },
  ])
  expect(nvidiaGpus('No devices were found\n')).toEqual([])
  expect(nvidiaGpus('')).toEqual([])
})

test('GPUs of AMD are those agents that tell an id', () => {
  const agents = ['CPU-XX', 'GPU-8d5bb4a2f5a1f5e2', 'GPU-XX'].map(
    id => `  Uuid:                    ${id}               \n`,
  )
  expect(amdGpus(`Agent 1\n${agents.join('Agent\n')}`)).toEqual([{ number: 0, id: 'GPU-8d5bb4a2f5a1f5e2' }])
})

const four: Gpu[] = [0, 1, 2, 3].map(number => ({ number, id: `GPU-${number}` }))
const ids = (dealt: DealtGpus) => dealt.devices.join(' ')
const deal = (gpus: number | string, gpuDevices?: string, found: readonly Gpu[] | null = four) =>
  dealGpus({ gpus, ...(gpuDevices !== undefined && { gpuDevices }) }, 'CUDA_VISIBLE_DEVICES', found)

test.each([
  [1, undefined, 'GPU-0 GPU-1 GPU-2 GPU-3', 1, null],
  [2, '3,1', 'GPU-1 GPU-3', 2, null],
  [0.5, '0', 'GPU-0', 0, 2],
  [0.3, undefined, 'GPU-0 GPU-1 GPU-2 GPU-3', 0, 3],
  [0, undefined, '', 0, null],
])('%s GPUs, of %s', (gpus, numbers, devices, count, shares) => {
  const dealt = deal(gpus, numbers)
  expect([ids(dealt), dealt.count, dealt.shares]).toEqual([devices, count, shares])
})

test.each([
  [1, undefined, null, 'this machine has none: there is neither nvidia-smi nor rocminfo'],
  [0.5, undefined, [], 'this machine has none: no GPU is found'],
  [5, undefined, four, '5 GPUs for each group, and there are 4'],
  [2, '1', four, '2 GPUs for each group, and there is one'],
  [1, '1,7', four, 'there is no GPU 7 on this machine'],
  ['v100:2', undefined, four, 'GPUs of a type (gpus: v100:2)'],
] as const)('%s GPUs, of %s, cannot be dealt', (gpus, numbers, found, message) => {
  expect(() => deal(gpus, numbers, found)).toThrow(message)
})

test('the shares of a device are never more than it has, and no fewer than fit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99 }), hundredths => {
      const { shares } = deal(hundredths / 100)
      expect(shares! * hundredths).toBeLessThanOrEqual(100)
      expect((shares! + 1) * hundredths).toBeGreaterThan(100)
    }),
  )
})
