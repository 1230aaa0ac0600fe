import { ownLabel } from '../../domain/pods/manifest.js'
import { UserError } from '../../errors.js'
import { askKubectl, findObject } from './kubectl.js'

/** The claim for all that runs of a namespace read and write. */
export interface Volume {
  readonly claim: string
  readonly path: string
  /** As in `40Gi`: how large it is made if it is missing; null: it is not made. */
  readonly size: string | null
  readonly class: string | null
}

/** A claim as Kubernetes tells it. */
export interface Claim {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string }
  readonly spec: { readonly accessModes?: readonly string[]; readonly storageClassName?: string }
  readonly status?: { readonly phase?: string; readonly capacity?: { readonly storage?: string } }
}

/** Whether pods on several nodes can write to a claim. */
export function isShared({ spec }: Claim): boolean {
  return spec.accessModes?.includes('ReadWriteMany') ?? false
}

/** Makes the claim if it is missing. @throws UserError if it cannot be used */
export async function provideClaim(
  kubectl: readonly string[],
  { claim: name, size, class: kind }: Volume,
): Promise<void> {
  const claim = await findObject<Claim>([...kubectl, 'get', 'persistentvolumeclaim', name])
  if (claim === null) {
    if (size === null)
      throw new UserError(
        `there is no claim ${name}`,
        `add how large it is to be made: volume: {claim: ${name}, size: 40Gi}`,
      )
    await askKubectl([...kubectl, 'create', '-f', '-'], JSON.stringify(newClaim(name, size, kind)))
    return
  }
  if (claim.metadata.deletionTimestamp !== undefined)
    throw new UserError(`the claim ${name} is being deleted`, 'name another one in the context')
  if (!isShared(claim))
    throw new UserError(
      `the claim ${name} is ${claim.spec.accessModes?.join(', ')}: pods on several nodes cannot write to it together`,
      'a claim with the access mode ReadWriteMany is needed; who runs the cluster knows the class of storage that has it',
    )
}

function newClaim(name: string, size: string, kind: string | null) {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, labels: ownLabel },
    spec: {
      accessModes: ['ReadWriteMany'],
      ...(kind !== null && { storageClassName: kind }),
      resources: { requests: { storage: size } },
    },
  }
}
