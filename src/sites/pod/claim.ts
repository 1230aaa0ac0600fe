import type { Claim } from '../../domain/pods/claim.js'
import { ownLabel, type PodVolume } from '../../domain/pods/manifest.js'
import { UserError } from '../../errors.js'
import { askKubectl, findObject } from './kubectl.js'

/** The claim for all that runs of a namespace read and write. */
export interface Volume extends PodVolume {
  readonly claim: string
  /** As in `40Gi`: how large it is made if it is missing; null: it is not made. */
  readonly size: string | null
  readonly class: string | null
}

export function hasClaim(volume: Volume | PodVolume): volume is Volume {
  return volume.claim !== null
}

/** Why pods cannot write to a claim together, and what to do; null if they can. */
export function unfit(name: string, { spec }: Claim, { onOneNode }: PodVolume) {
  const { accessModes = [] } = spec
  if (accessModes.includes('ReadWriteMany') || (onOneNode && accessModes.includes('ReadWriteOnce'))) return null
  const where = onOneNode ? 'several pods' : 'pods on several nodes'
  return {
    reason: `the claim ${name} is ${accessModes.join(', ')}: ${where} cannot write to it together`,
    advice: accessModes.includes('ReadWriteOnce')
      ? "add 'results: node' to the context: all pods are on one node then"
      : `a claim with the access mode ${modeFor(onOneNode)} is needed; who runs the cluster knows the class of storage that has it`,
  }
}

function modeFor(onOneNode: boolean): string {
  return onOneNode ? 'ReadWriteOnce' : 'ReadWriteMany'
}

/** Makes the claim if it is missing. @throws UserError if it cannot be used */
export async function provideClaim(kubectl: readonly string[], volume: Volume): Promise<void> {
  const { claim: name, size } = volume
  const claim = await findObject<Claim>([...kubectl, 'get', 'persistentvolumeclaim', name])
  if (claim === null) {
    if (size === null)
      throw new UserError(
        `there is no claim ${name}`,
        `add how large it is to be made: volume: {claim: ${name}, size: 40Gi}`,
      )
    await askKubectl([...kubectl, 'create', '-f', '-'], JSON.stringify(newClaim(volume, size)))
    return
  }
  if (claim.metadata.deletionTimestamp !== undefined)
    throw new UserError(`the claim ${name} is being deleted`, 'name another one in the context')
  const reason = unfit(name, claim, volume)
  if (reason !== null) throw new UserError(reason.reason, reason.advice)
}

function newClaim({ claim: name, class: kind, onOneNode }: Volume, size: string) {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, labels: ownLabel },
    spec: {
      accessModes: [modeFor(onOneNode)],
      ...(kind !== null && { storageClassName: kind }),
      resources: { requests: { storage: size } },
    },
  }
}
