import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outcomeOf } from '../e2e/program.js'

const script = fileURLToPath(new URL('box', import.meta.url))
const checkout = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** Folder in which the projects of the tests are: the same outside and in the box. */
const shared = join(process.env.TMPDIR ?? '/tmp', 'qanat-clusters')

/** How the box was started: the file is there while it is up. */
const startedAs = join(shared, 'started')

/**
 * How the schedulers are set up, see the script; a job that has ended is remembered for `jobAge` seconds, and
 * one that is told to end is killed after `killWait` seconds.
 */
type BoxOptions = Readonly<{ accounting?: boolean; maxArraySize?: number; jobAge?: number; killWait?: number }>

/** Whether the box has the newest schedulers, see the script. */
export const isNewest = process.env.BOX_SUITE === 'sid'

/** Starts the schedulers, unless they are up with these options and have nothing to do. */
export function startBox(given: BoxOptions = {}): void {
  const { accounting = false, maxArraySize = 1001, jobAge = 300, killWait = 300 } = given
  const options = {
    BOX_BIND: `${shared}:${checkout}`,
    BOX_ACCOUNTING: accounting ? '1' : '',
    BOX_MAX_ARRAY: `${maxArraySize}`,
    BOX_JOB_AGE: `${jobAge}`,
    BOX_KILL_WAIT: `${killWait}`,
  }
  const form = JSON.stringify(options)
  if (existsSync(startedAs) && readFileSync(startedAs, 'utf8') === form && isAtRest()) return
  stopBox()
  mkdirSync(shared, { recursive: true })
  const env = { ...process.env, ...options }
  execFileSync('bash', [script, 'up'], { stdio: ['ignore', 'ignore', 'inherit'], env })
  writeFileSync(startedAs, form)
}

/** Whether all nodes of the box are idle, and no job is in a queue. Slurm takes a moment to be done with one that has ended. */
function isAtRest(): boolean {
  const rests = `[ "$(sinfo -h -o %T | sort -u)" = idle ] && jobs=$(squeue -h && condor_q -allusers -af ClusterId)`
  const code = `for look in $(seq 20); do ${rests} && [ -z "$jobs" ] && exit; sleep 0.5; done; exit 1`
  return spawnSync('bash', [script, 'root', 'timeout', '60', 'sh', '-c', code], { stdio: 'ignore' }).status === 0
}

export function stopBox(): void {
  rmSync(startedAs, { force: true })
  execFileSync('bash', [script, 'down'], { stdio: 'ignore' })
}

/** Makes the root folder of the box. @returns why there can be none here, or null */
export function buildBox(): string | null {
  if (process.platform !== 'linux') return 'the schedulers need Linux'
  if (process.getuid?.() !== 0) return 'starting the schedulers needs root'
  try {
    execFileSync('bash', [script, 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
    return null
  } catch {
    return 'their packages could not be installed (see above)'
  }
}

/** A command in the box, as the user `researcher`, in a folder of {@link shared}. @param login name of the login node */
export function inBox(folder: string, command: readonly string[], environment: NodeJS.ProcessEnv = {}, login = '') {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  return outcome('run', folder, ['env', ...variables, ...command], { BOX_HOST: login })
}

/** Waits for ten minutes at the most (a limit against hanging) until shell code succeeds, then says what it printed last. */
const untilSucceeds = `until_succeeds() {
  end=$(($(date +%s) + 600))
  until said=$(sh -c "$1" 2>&1); do
    [ "$(date +%s)" -lt "$end" ] || { echo "still failing: $1: $said" >&2; exit 1; }
    sleep 0.2
  done
}`

/** Shell code in the box, as root; `until_succeeds CODE` waits there. */
export async function asRoot(code: string): Promise<string> {
  const { stdout, stderr, code: exit } = await outcome('root', shared, ['sh', '-c', `${untilSucceeds}\n${code}`])
  if (exit !== 0) throw new Error(`${code}: ${stdout}${stderr}`)
  return stdout
}

function outcome(who: 'run' | 'root', cwd: string, command: readonly string[], settings: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, ...settings }
  return outcomeOf(spawn('bash', [script, who, ...command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }))
}

/** A new folder that belongs to the researcher, as do those above it. */
export function sharedFolder(name = 'project'): string {
  const parent = mkdtempSync(join(shared, 'test-'))
  const folder = join(parent, name)
  mkdirSync(folder, { recursive: true })
  execFileSync('chown', ['-R', '1000:1000', parent])
  return folder
}

export function removeShared(): void {
  rmSync(shared, { recursive: true, force: true })
}
