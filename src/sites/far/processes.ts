import { type Life, lifeOf, type Machine } from '../../system/process-identity.js'
import type { ProcessQuery } from '../site.js'

/**
 * Whether a process of another machine lives, as far as that tells.
 * @param printed its line in /proc and its variables: see `queriesScript`
 * @param clock the seconds of the machine's clock and since its boot, a line each
 */
export function lifeThere(machine: Machine, { process }: ProcessQuery, printed: string, clock: string): Life {
  const [line = '', ...variables] = printed.split('\n')
  const fields = line.replace(/^.*\) /s, '').split(' ')
  const [now, uptime] = clock.split('\n').map(Number)
  // A machine without /proc tells nothing of a process: it may live.
  if (!Number.isFinite(uptime)) return 'unknown'
  const ticksPerSecond = 100
  return lifeOf(process, {
    machine,
    hasOwnId: false,
    startOf: () => (line === '' || fields[0] === 'Z' ? null : fields[19]!),
    hides: () => false,
    timeOf: start => (now! - uptime! + Number(start) / ticksPerSecond) * 1000,
    storagePathsOf: () => variables.map(variable => variable.replace(/^QANAT_STORAGE_PATH=/, '')),
  })
}
