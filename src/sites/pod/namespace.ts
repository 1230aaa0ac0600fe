import { setTimeout as sleep } from 'node:timers/promises'
import { ownLabel } from '../../domain/pods/manifest.js'
import { SchedulerError } from '../../errors.js'
import { askKubectl, findObject, kubectl } from './kubectl.js'

/** How long a new namespace may take until pods can be made in it, in milliseconds. */
const patience = 30_000

/** Whether a namespace is missing, as far as one may know. */
export async function isMissing(words: readonly string[], name: string): Promise<boolean> {
  const { exitCode, stderr } = await kubectl([...words, 'get', 'namespace', name])
  return exitCode !== 0 && /\(NotFound\)/.test(stderr)
}

/** Whether something was refused since its namespace is missing. */
export function lacksNamespace(error: unknown): boolean {
  return error instanceof SchedulerError && /namespaces "[^"]*" not found/.test(error.message)
}

/**
 * Makes a namespace if it is missing.
 * @param words with which kubectl is called for it
 * @param name null for that which kubectl has now
 * @throws SchedulerError with kubectl's words if that is not allowed
 */
export async function provideNamespace(words: readonly string[], name: string | null): Promise<void> {
  if (name === null || !(await isMissing(words, name))) return
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: ownLabel } }
  await askKubectl([...words, 'create', '-f', '-'], JSON.stringify(object))
  // The server refuses pods before the namespace has its service account.
  const until = Date.now() + patience
  while ((await findObject([...words, 'get', 'serviceaccount', 'default'])) === null && Date.now() < until)
    await sleep(200)
}
