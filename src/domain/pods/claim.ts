/** A claim as Kubernetes tells it. */
export interface Claim {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string }
  readonly spec: { readonly accessModes?: readonly string[]; readonly storageClassName?: string }
  readonly status?: { readonly phase?: string; readonly capacity?: { readonly storage?: string } }
}

/** A claim in words, as in `scratch: Bound, 40Gi, ReadWriteMany`. */
export function claimText({ metadata, spec, status }: Claim): string {
  const { accessModes = [], storageClassName } = spec
  const facts = [status?.phase, status?.capacity?.storage, accessModes.join(' '), storageClassName]
  return `${metadata.name}: ${facts.filter(fact => fact).join(', ')}`
}
