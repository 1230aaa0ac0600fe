import { execFileSync, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../kube', import.meta.url))

/** The root folder of the cluster, see the script. */
export const kube = process.env.KUBE ?? '/var/tmp/kube-box-1.36'

/** Makes the root folder of the cluster. @returns why there can be none here, or null */
export function buildCluster(): string | null {
  if (process.platform !== 'linux') return 'the cluster needs Linux'
  if (process.getuid?.() !== 0) return 'starting the cluster needs root'
  try {
    execFileSync('bash', [script, 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
    return null
  } catch {
    return 'it could not be built (see above)'
  }
}

export function startCluster(): void {
  execFileSync('bash', [script, 'up'], { stdio: ['ignore', 'ignore', 'inherit'] })
}

export function stopCluster(): void {
  execFileSync('bash', [script, 'down'], { stdio: 'ignore' })
}

/** The configuration of kubectl for somebody who has the role `edit` in the namespace of the tests, and nothing else. */
export function kubeconfig(): string {
  return execFileSync('bash', [script, 'config', 'researcher'], { encoding: 'utf8' }).trim()
}

/** The same for the administrator. */
export function adminConfig(): string {
  return execFileSync('bash', [script, 'config'], { encoding: 'utf8' }).trim()
}

/** What kubectl prints for the administrator in the namespace of the tests. */
export function kubectl(...words: string[]): string {
  return execFileSync('bash', [script, 'kubectl', '--namespace', 'lab', ...words], { encoding: 'utf8' })
}

/** The names of objects in the namespace of the tests, as in `pod/x`. */
export function objects(kind: string, ...words: string[]): string[] {
  return kubectl('get', kind, '-o', 'name', ...words)
    .split('\n')
    .filter(name => name !== '')
}

/** The couriers that run, of whatever test: one whose command was killed ends by itself later. */
export function couriers(): string[] {
  return objects('pods', '-l', 'qanat-courier', '--field-selector', 'status.phase=Running')
}

/** Makes objects in the namespace of the tests, until what is returned is called. @param yaml of one of that kind and name */
export function withObject(kind: string, name: string, yaml: string): () => void {
  const words = [script, 'kubectl', '--namespace', 'lab', 'create', '-f', '-']
  execFileSync('bash', words, { input: yaml, stdio: ['pipe', 'ignore', 'inherit'] })
  return () => void kubectl('delete', kind, name)
}

/** Kills a server of the cluster, as `kube-apiserver`. */
export function killServer(name: string): void {
  execFileSync('bash', [script, 'root', 'pkill', '-KILL', name])
}

/** Starts it again. */
export function restartServer(name: string): void {
  const words = [script, 'root', 'bash', '/etc/kube/start', name]
  spawn('bash', words, { stdio: 'ignore', detached: true }).unref()
}

/** Whether the API server answers, and the node is ready. */
export function isReady(): boolean {
  try {
    return kubectl('get', 'nodes').includes(' Ready')
  } catch {
    return false
  }
}
