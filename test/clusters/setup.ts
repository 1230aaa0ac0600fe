import { skips } from '../skips.js'
import { buildBox, removeShared, stopBox } from './box.js'

/** Makes the machine with the schedulers once, and says so where that cannot be. */
export default function setup({ provide }: { provide(key: 'noBox', value: string | null): void }) {
  const reason = buildBox()
  skips('the tests with real schedulers', reason)
  provide('noBox', reason)
  return () => {
    if (reason) return
    stopBox()
    removeShared()
  }
}

declare module 'vitest' {
  export interface ProvidedContext {
    noBox: string | null
  }
}
