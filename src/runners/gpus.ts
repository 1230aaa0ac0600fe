import type { Resources } from '../domain/job-environment.js'
import { UserError } from '../errors.js'

/** A GPU of a machine, or a part of a divided one. */
export interface Gpu {
  /** The number of the whole GPU, as people know it. */
  readonly number: number
  /** What a program is given to see it. */
  readonly id: string
}

/** How GPUs are dealt to the groups of a pool. */
export interface DealtGpus {
  readonly variable: 'CUDA_VISIBLE_DEVICES' | 'ROCR_VISIBLE_DEVICES'
  /** Ids of the devices. */
  readonly devices: readonly string[]
  /** Whole devices of a group; 0 for none, or for a share. */
  readonly count: number
  /** Among how many groups a device is shared; null for whole devices. */
  readonly shares: number | null
}

/**
 * The devices that `nvidia-smi -L` lists. The parts of a GPU that is divided (MIG) stand below it, and in its place.
 *
 *     GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-5d5ba0d6-d33d-2b2c-524d-9e3d8d2b8a77)
 *       MIG 1g.5gb      Device  0: (UUID: MIG-c6d4f1ef-42e4-5de3-91c7-45d71c87eb3f)
 */
export function nvidiaGpus(listing: string): Gpu[] {
  const found: (Gpu & { isPart: boolean })[] = []
  for (const line of listing.split('\n')) {
    const [, whole, number, id = ''] = /^(?:(GPU) (\d+)| +MIG ).*\(UUID: ([\w/-]+)\)\s*$/.exec(line) ?? []
    if (id !== '') found.push({ number: whole ? Number(number) : (found.at(-1)?.number ?? 0), id, isPart: !whole })
  }
  const divided = new Set(found.filter(({ isPart }) => isPart).map(each => each.number))
  return found.filter(each => each.isPart || !divided.has(each.number)).map(({ number, id }) => ({ number, id }))
}

/** The devices that `rocminfo` lists: those of its agents that are GPUs and tell an id, numbered in its order. */
export function amdGpus(listing: string): Gpu[] {
  const ids = [...listing.matchAll(/^\s*Uuid:\s+(GPU-[0-9a-f]+)\s*$/gim)].map(([, id]) => id!)
  return ids.filter(id => !/^GPU-(XX|0+)$/i.test(id)).map((id, number) => ({ number, id }))
}

/**
 * What a template asks of the GPUs of a machine.
 * @param found null if the machine has no program that lists any
 * @throws UserError if it cannot have that
 */
export function dealGpus(
  { gpus, gpuDevices }: Resources,
  variable: DealtGpus['variable'],
  found: readonly Gpu[] | null,
): DealtGpus {
  const wanted = readCount(gpus!)
  const shares = wanted > 0 && wanted < 1 ? Math.floor(1 / wanted + 1e-9) : null
  const count = shares === null ? wanted : 0
  if (wanted === 0) return { variable, devices: [], count, shares }
  if (!found || found.length === 0) {
    const why = found ? 'no GPU is found' : 'there is neither nvidia-smi nor rocminfo in the PATH'
    throw new UserError(
      `the submit template asks for GPUs (gpus: ${gpus}), and this machine has none: ${why}`,
      'leave gpus out of its resources, or run it where there are some',
    )
  }
  const devices = chosen(found, gpuDevices)
  if (count <= devices.length) return { variable, devices: devices.map(({ id }) => id), count, shares }
  throw new UserError(
    `the submit template asks for ${count} GPUs for each group, and ${devices.length === 1 ? 'there is one' : `there are ${devices.length}`}`,
    'ask for fewer: resources: {gpus: 1}',
  )
}

function readCount(gpus: number | string): number {
  if (typeof gpus === 'number') return gpus
  throw new UserError(
    `the submit template asks for GPUs of a type (gpus: ${gpus}), which only a scheduler tells apart`,
    'on this machine: resources: {gpus: 1}, and --gpus 0,2 for some of them',
  )
}

function chosen(found: readonly Gpu[], numbers: string | undefined): readonly Gpu[] {
  if (numbers === undefined) return found
  const wanted = numbers.split(',').map(Number)
  const missing = wanted.find(each => !found.some(({ number }) => number === each))
  if (missing === undefined) return found.filter(({ number }) => wanted.includes(number))
  const known = [...new Set(found.map(({ number }) => number))].join(', ')
  throw new UserError(`there is no GPU ${missing} on this machine`, `its GPUs are ${known}; nvidia-smi -L lists them`)
}
