import { buildBox, removeShared, stopBox } from './box.js'

/** Makes the machine with the schedulers once, and says so where that cannot be. */
export default function setup({ provide }: { provide(key: 'noBox', value: string | null): void }) {
  const reason = buildBox()
  if (reason) console.warn(`skipped: the tests with real schedulers: ${reason}`)
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
