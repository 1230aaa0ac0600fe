import { readdirSync, readFileSync } from 'node:fs'

/** Whether this system tells which processes a process has started, and how much memory they have. */
export function tellsMemory(): boolean {
  return proportionalSize(process.pid) > 0 && readText(`/proc/${process.pid}/task/${process.pid}/children`) !== null
}

/**
 * The memory of all processes that descend from a process, without itself, and of others, in bytes: what several of them
 * share is counted once, and none of them has more. A process that may not be looked at is left out.
 * @param atMost a sum up to which the exact value does not matter: a faster and larger estimate is returned if it is
 * not above this sum
 * @param others ids of further processes, some of which may descend from it
 */
export function memoryBelow(pid: number, atMost: number, others: readonly number[] = []): number {
  const processes = [...new Set([...descendantsOf(pid), ...others])]
  const resident = processes.map(residentSize)
  if (sum(resident) <= atMost) return sum(resident)
  // Shared parts count only in proportion: a file that several groups have in memory would be there without these
  // processes, too.
  return Math.max(0, ...resident, sum(processes.map(proportionalSize)))
}

/** Each thread has a list of the processes that it has started. */
function descendantsOf(pid: number): number[] {
  const found = [pid]
  for (const parent of found) {
    for (const thread of threadsOf(parent)) {
      const children = readText(`/proc/${parent}/task/${thread}/children`) ?? ''
      found.push(...children.split(' ').filter(Boolean).map(Number))
    }
  }
  return found.slice(1)
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Its parts that are shared by N processes count for an N-th; 0 if the process has ended. */
function proportionalSize(pid: number): number {
  const kilobytes = /^Pss: +(\d+) kB$/m.exec(readText(`/proc/${pid}/smaps_rollup`) ?? '')?.[1]
  return 1024 * Number(kilobytes ?? 0)
}

/** Never less than the proportional size, and known at once. */
function residentSize(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readText(`/proc/${pid}/status`) ?? '')?.[1]
  return 1024 * Number(kilobytes ?? 0)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** Null if the process has ended, or belongs to somebody else. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
