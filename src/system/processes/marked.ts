import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { identify, type ProcessIdentity, processStart } from '../process-identity.js'
import { signalProcess } from '../signals.js'

/** The variable that job.sh sets for the processes of a group, and nothing else does: `RUN.GROUP.ATTEMPT FOLDER`. */
const markVariable = 'QANAT_MARK'

/** A process of a group, wherever it has gone: what it has started has its environment, even in a session of its own. */
export interface MarkedProcess extends ProcessIdentity, Mark {
  /** Of its program, as the system shows it. */
  readonly name: string
}

interface Mark {
  readonly run: number
  readonly group: number
  readonly attempt: number
  /** Folder of the group when it was launched, absolute. */
  readonly folder: string
}

/** Milliseconds that a group, and what has left it, is given to end by itself after SIGTERM. */
export const gracePeriod = 10_000

/** How often to look whether processes have ended, in milliseconds, and how long after they were killed. */
const interval = 100
const patience = 2_000

/** All processes of groups of this user on this machine; none where the system does not tell environments. */
export function markedProcesses(): MarkedProcess[] {
  return processIds().flatMap(pid => {
    if (pid === process.pid || !hasMark(pid)) return []
    const identity = identify(pid)
    const mark = markOf(pid)
    // Its id may have been used again meanwhile.
    if (identity === null || mark === null || processStart(pid) !== identity.start) return []
    return [{ ...identity, ...mark, name: readText(`/proc/${pid}/comm`).trim() }]
  })
}

/**
 * Ends processes: SIGTERM, after the grace SIGKILL. Those that have been found are looked for again before each signal.
 * @param find those that still live
 * @param grace milliseconds; 0 kills at once
 * @returns those that could not be ended
 */
export async function endProcesses(
  find: () => readonly MarkedProcess[],
  grace = gracePeriod,
): Promise<readonly MarkedProcess[]> {
  const told = new Set<string>()
  const begun = performance.now()
  for (;;) {
    const living = find()
    const passed = performance.now() - begun
    if (living.length === 0 || passed > grace + patience) return living
    for (const each of living) {
      const key = `${each.pid} ${each.start}`
      if (passed >= grace) signalProcess(each, 'SIGKILL')
      else if (!told.has(key)) signalProcess(each, 'SIGTERM')
      told.add(key)
    }
    await sleep(interval)
  }
}

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter(name => /^\d/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

const buffer = Buffer.alloc(65_536)
const sought = Buffer.from(`${markVariable}=`)

/** Whether it is this user's and may have a mark. Few have one: this looks at the others as fast as can be. */
function hasMark(pid: number): boolean {
  let file: number | null = null
  try {
    file = openSync(`/proc/${pid}/environ`, 'r')
    if (fstatSync(file).uid !== process.geteuid!()) return false
    const size = readSync(file, buffer)
    return size === buffer.length || buffer.subarray(0, size).includes(sought)
  } catch {
    return false
  } finally {
    if (file !== null) closeSync(file)
  }
}

function markOf(pid: number): Mark | null {
  const entry = readText(`/proc/${pid}/environ`)
    .split('\0')
    .find(each => each.startsWith(`${markVariable}=`))
  const [, run, group, attempt, folder] = /^\w+=(\d+)\.(\d+)\.(\d+) (\/.*)$/s.exec(entry ?? '') ?? []
  if (folder === undefined) return null
  return { run: Number(run), group: Number(group), attempt: Number(attempt), folder }
}

/** Empty if the process has ended. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
