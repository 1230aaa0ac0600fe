import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Measures both sides in turn, so that what else the machine does meets both, after one round that does not count.
 * @param rounds at least 5 for a figure of the table
 * @returns medians, and the medians of the ratios and of the differences within each round
 */
export async function inTurn(rounds, ours, reference) {
  const pairs = []
  for (let round = 0; round <= rounds; round++) pairs.push([await ours(), await reference()])
  const counted = pairs.slice(1)
  return {
    ours: median(counted.map(([a]) => a)),
    reference: median(counted.map(([, b]) => b)),
    ratio: median(counted.map(([a, b]) => a / b)),
    difference: median(counted.map(([a, b]) => a - b)),
  }
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Milliseconds from the start of a command, in a session of its own, to its end. @throws Error where it fails */
export function millisecondsOf(program, args, options) {
  const started = performance.now()
  const { status, error, stderr } = spawnSync(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    ...options,
  })
  const took = performance.now() - started
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stderr}`)
  return took
}

/** Peak memory in MB of a process that lives, looked at until it is gone or `isEnough` says so; 0 for none. */
export async function peakMemory(pid, isEnough = () => false) {
  let peak = 0
  for (;;) {
    const now = residentPeak(pid)
    if (now === null) return peak
    peak = now
    if (isEnough()) return peak
    await sleep(5)
  }
}

/** What the kernel has noted as the largest size (proc(5)); null where the process is gone. */
function residentPeak(pid) {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) / 1024
  } catch {
    return null
  }
}
