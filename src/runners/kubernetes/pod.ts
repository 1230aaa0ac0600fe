import { type Container, type Manifest, type PodPlace, podSpec } from '../../domain/pods/manifest.js'
import { UserError } from '../../errors.js'
import type { KubernetesOptions } from './options.js'

/** A pod of a template. @param more fields of ours, which the template may change */
export function templateSpec(
  { image, pull, pullSecrets, requests, limits, pod }: KubernetesOptions,
  place: PodPlace,
  { env = [], ...container }: Omit<Container, 'image' | 'pull' | 'requests' | 'limits'>,
  more: Manifest,
): Manifest {
  // The runtime of some clusters shows all GPUs of a node to pods that ask for none.
  const hidden = Object.keys(limits).some(name => name.includes('gpu'))
    ? []
    : [{ name: 'NVIDIA_VISIBLE_DEVICES', value: 'void' }]
  const asked = { image, ...(pull !== null && { pull }), requests, limits, env: [...env, ...hidden] }
  const own = podSpec(place, { ...container, ...asked })
  return {
    ...own,
    ...more,
    ...(pullSecrets.length > 0 && { imagePullSecrets: pullSecrets.map(name => ({ name })) }),
    ...pod,
    ...(own.affinity && { affinity: { ...affinityOf(pod), ...own.affinity } }),
  }
}

/** @throws UserError if it says beside which pods it is to be: that is ours where all pods are on one node */
function affinityOf({ affinity = {} }: Manifest): Manifest {
  if (!Object.hasOwn(affinity as Manifest, 'podAffinity')) return affinity as Manifest
  throw new UserError(
    'the submit template sets pod.affinity.podAffinity, and with results: node all pods are on one node',
    'leave podAffinity out; that node is chosen by pod: {nodeSelector: {…}}',
  )
}
