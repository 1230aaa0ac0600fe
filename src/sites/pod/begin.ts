import type { Manifest } from '../../domain/pods/manifest.js'
import type { Pod } from '../../domain/pods/objects.js'
import { podEnd, podWait } from '../../domain/pods/reasons.js'
import { SchedulerError } from '../../errors.js'
import { askKubectl, findObject, kubectl } from './kubectl.js'

/** Makes a pod. Where a quota demands a limit of its CPU, that is what it asks for. @throws SchedulerError with kubectl's words */
export async function createPod(words: readonly string[], pod: Manifest): Promise<void> {
  const create = (manifest: Manifest) => askKubectl([...words, 'create', '-f', '-'], JSON.stringify(manifest))
  await create(pod).catch((error: unknown) => {
    if (!(error instanceof SchedulerError) || !/must specify [^\n]*limits\.cpu/.test(error.message)) throw error
    return create(withCpuLimit(pod))
  })
}

function withCpuLimit(pod: Manifest): Manifest {
  const { spec } = pod as { readonly spec: Manifest & { readonly containers: readonly Asking[] } }
  const containers = spec.containers.map(container => {
    const { requests, limits } = container.resources
    return { ...container, resources: { requests, limits: { cpu: requests.cpu, ...limits } } }
  })
  return { ...pod, spec: { ...spec, containers } }
}

/** A container that asks for something. */
interface Asking {
  readonly resources: Readonly<Record<'requests' | 'limits', Readonly<Record<string, string>>>>
}

/**
 * Waits until a pod runs.
 * @param goesOn called with what it waits for; no longer if this returns false
 * @param ending ends a wait at once
 * @returns null once it runs; why it does not begin, if it never will, or nobody waits any longer
 */
export async function waitForPod(
  words: readonly string[],
  name: string,
  goesOn: (reason: string) => boolean,
  ending?: AbortSignal,
): Promise<string | null> {
  for (;;) {
    const wait = [...words, 'wait', '--for=condition=Ready', `pod/${name}`, '--timeout=3s']
    const waited = await kubectl(wait, ending && { ending })
    if (waited.exitCode === 0) return null
    const pod = await findObject<Pod>([...words, 'get', 'pod', name])
    if (pod?.status?.phase === 'Running') return null
    const [waits, end] = [pod && podWait(pod), pod && podEnd(pod)]
    const reason = end?.text ?? waits?.text ?? 'somebody has deleted it'
    if (pod === null || end || waits?.isStuck || !goesOn(reason)) return reason
  }
}

/** Removes a pod, which need not have time to end, if it is there. */
export async function removePod(words: readonly string[], name: string): Promise<void> {
  await kubectl([...words, 'delete', 'pod', name, '--wait=false', '--ignore-not-found', '--grace-period=1'])
}

/** Removes pods that have ended, and whose program was killed before it removed them. @param selector as in `label=value` */
export async function removeEnded(words: readonly string[], selector: string): Promise<void> {
  const phases = 'status.phase!=Running,status.phase!=Pending'
  await kubectl([...words, 'delete', 'pods', '--wait=false', '-l', selector, '--field-selector', phases])
}
