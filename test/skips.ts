import { spawnSync } from 'node:child_process'

/**
 * For `describe.skipIf` and `test.skipIf`: says why tests of something are not run on this machine.
 * @param reason null where they can be run
 * @returns whether they are skipped; `.ci/run` fails then, unless `.ci/may-skip` names them
 */
export function skips(what: string, reason: string | null): boolean {
  if (reason !== null) process.stdout.write(`skipped: ${what}: ${reason}\n`)
  return reason !== null
}

/** Why tests that start these programs cannot be run on this machine, or null. */
export function lacks(...programs: string[]): string | null {
  const missing = programs.filter(program => spawnSync('sh', ['-c', 'command -v "$0"', program]).status !== 0)
  return missing.length === 0 ? null : `there is no ${missing.join(' and no ')} on this machine`
}

/** Why tests that mount a disk cannot be run on this machine, or null. */
export function lacksMounts(): string | null {
  const mount = ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']
  return spawnSync('unshare', mount).status === 0 ? null : 'only root can mount a disk, and not in every container'
}
