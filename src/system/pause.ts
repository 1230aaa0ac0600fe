import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves after that many milliseconds, or as soon as `stop` is aborted. */
export async function pause(milliseconds: number, stop: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: stop }).catch(error => {
    if (!stop.aborted) throw error
  })
}
