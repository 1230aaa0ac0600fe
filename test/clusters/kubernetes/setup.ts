import { skips } from '../../skips.js'
import { buildCluster, startCluster, stopCluster } from './cluster.js'

/** Makes and starts the cluster, and says so where that cannot be. */
export default function setup({ provide }: { provide(key: 'noCluster', value: string | null): void }) {
  const reason = buildCluster()
  skips('the tests with a real Kubernetes', reason)
  provide('noCluster', reason)
  if (reason) return
  startCluster()
  return stopCluster
}

declare module 'vitest' {
  export interface ProvidedContext {
    noCluster: string | null
  }
}
