import { existsSync, readFileSync } from 'node:fs'

/** Whether this system tells which processes a process has started, and how much memory they have. */
export function tellsMemory(): boolean {
  try {
    const shares = readFileSync('/proc/self/smaps_rollup', 'utf8')
    return /^Pss: +[1-9]/m.test(shares) && existsSync(`/proc/self/task/${process.pid}/children`)
  } catch {
    return false
  }
}
