import type { Resources } from '../../domain/job-environment.js'
import type { Site } from '../../sites/site.js'
import { amdGpus, type DealtGpus, dealGpus, nvidiaGpus } from '../gpus.js'

/** How the GPUs of a site are dealt; null if the template says nothing of them. @throws UserError if it asks for what is not there */
export async function findGpus(site: Site, resources: Resources): Promise<DealtGpus | null> {
  if (resources.gpus === undefined) return null
  const { programs } = await site.probe(['nvidia-smi', 'rocminfo'])
  if (programs.has('nvidia-smi')) {
    const listing = await listed(site, ['nvidia-smi', '-L'])
    return dealGpus(resources, 'CUDA_VISIBLE_DEVICES', nvidiaGpus(listing))
  }
  if (!programs.has('rocminfo')) return dealGpus(resources, 'CUDA_VISIBLE_DEVICES', null)
  return dealGpus(resources, 'ROCR_VISIBLE_DEVICES', amdGpus(await listed(site, ['rocminfo'])))
}

async function listed(site: Site, command: readonly string[]): Promise<string> {
  const { stdout } = await site.run(command, { environment: { set: { LC_ALL: 'C' } }, timeout: 30_000 })
  return stdout
}
