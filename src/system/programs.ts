import { type ChildProcess, type SpawnOptionsWithStdioTuple, type StdioPipe, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { hasSubscribers, subscribe, unsubscribe } from 'node:diagnostics_channel'
import { constants as access, accessSync, readFileSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'

/** The result of a program. */
export interface ProgramResult {
  readonly stdout: string
  readonly stderr: string
  /** Null if it was missing, was killed, or took too long. */
  readonly exitCode: number | null
  readonly ending: 'exit' | 'missing' | 'timeout'
  /** Of stdout, if that was asked for. */
  readonly digest?: string
}

/** How the environment of a program differs from that of the machine on which it runs: nothing else travels there. */
export interface EnvironmentChange {
  readonly set?: Readonly<Record<string, string>>
  /** Names of variables to take away; one that ends with `*` stands for all that begin so. */
  readonly unset?: readonly string[]
  /** Names that stay although `unset` covers them. */
  readonly keep?: readonly string[]
}

/** Options for running a program. */
export interface ProgramOptions {
  readonly environment?: EnvironmentChange
  readonly cwd?: string
  /** Milliseconds after which it is killed. */
  readonly timeout: number
  /** Whether the result has a digest of stdout, which is computed while the program writes. */
  readonly digests?: boolean
  /** Kills it once it is aborted. */
  readonly ending?: AbortSignal
  /** Its standard input; it usually has none. */
  readonly input?: AsyncIterable<Uint8Array>
  /** Of stdout; `latin1` has a character for each byte, for columns that are counted in bytes. Usually `utf8`. */
  readonly encoding?: 'utf8' | 'latin1'
}

/** Whether a program is in the PATH, or exists at its absolute path. */
export function hasProgram(name: string): boolean {
  if (isAbsolute(name)) return isProgram(name)
  return (process.env.PATH ?? '').split(delimiter).some(folder => isProgram(join(folder, name)))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, access.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/**
 * Runs a program to its end, without a shell, with empty standard input; Ctrl-C does not reach it. It does not use execa,
 * which takes longer to load than a scheduler takes to answer: every poll would wait for it.
 */
export function runProgram(
  [program, ...words]: readonly string[],
  { environment, cwd, timeout, digests, ending, input, encoding = 'utf8' }: ProgramOptions,
): Promise<ProgramResult> {
  const options: SpawnOptionsWithStdioTuple<StdioPipe, StdioPipe, StdioPipe> = {
    env: changedEnvironment(process.env, environment),
    ...(cwd !== undefined && { cwd }),
    stdio: [input ? 'pipe' : ('ignore' as StdioPipe), 'pipe', 'pipe'],
    detached: true,
  }
  const child = spawn(program!, words, options)
  // The reader may go away before the end.
  if (input) pipeline(input, child.stdin).catch(() => {})
  const [stdout, stderr] = [textOf(child.stdout, encoding), textOf(child.stderr, 'utf8')]
  const end = () => child.pid !== undefined && killGroup(child.pid)
  ending?.addEventListener('abort', end, { once: true })
  child.on('close', () => ending?.removeEventListener('abort', end))
  const hash = digests ? createHash('sha256') : null
  if (hash) child.stdout.on('data', (chunk: Buffer) => hash.update(chunk))
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      if (child.pid !== undefined) killGroup(child.pid)
      // Programs that it has started may still be alive and keep the pipes open.
      for (const stream of [child.stdout, child.stderr]) stream.destroy()
    }, timeout)
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      if (error.code !== 'ENOENT' && error.code !== 'EACCES') reject(error)
      else resolve({ stdout: '', stderr: '', exitCode: null, ending: 'missing' })
    })
    child.on('close', exitCode => {
      clearTimeout(timer)
      resolve({
        // Decoded on demand: an answer of a megabyte with the same digest as before is not read.
        get stdout() {
          return stdout()
        },
        stderr: stderr(),
        exitCode,
        ending: isLate ? 'timeout' : 'exit',
        ...(hash && { digest: hash.digest('hex') }),
      })
    })
  })
}

/** The text of a stream that has ended, without the newline at its end. */
function textOf(stream: NodeJS.ReadableStream, encoding: 'utf8' | 'latin1'): () => string {
  const chunks: Buffer[] = []
  let text: string | null = null
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => {
    text ??= Buffer.concat(chunks)
      .toString(encoding)
      .replace(/\r?\n$/, '')
    return text
  }
}

/** The same with its output in two files, which are complete even if this program is killed. */
export async function runProgramInto(
  [stdout, stderr]: readonly [string, string],
  command: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  const redirected = ['sh', '-c', 'exec >"$1" 2>"$2"; shift 2; exec "$@"', 'sh', stdout, stderr, ...command]
  const result = await runProgram(redirected, options)
  return { ...result, stdout: readFileSync(stdout, 'utf8'), stderr: readFileSync(stderr, 'utf8') }
}

/** Options for a program that uses the user's terminal. */
export interface HereOptions {
  readonly environment?: EnvironmentChange
  readonly cwd: string
  /** Where its standard output goes: stderr if stdout is for JSON. */
  readonly output?: 'stdout' | 'stderr'
  /** Aborted with a signal, which is passed on to the program. */
  readonly ending?: AbortSignal
}

/** How a program on the user's terminal has ended. */
export interface HereEnd {
  /** 128 plus the signal if it was killed. */
  readonly code: number
  /** Whether a signal ended it that a terminal sends: by Ctrl-C, or when it is closed. */
  readonly isInterrupted: boolean
}

/** Runs a program on the user's terminal, which sends its signals to the program and to this process. */
export async function runHere(
  [program, ...words]: readonly string[],
  { environment, cwd, output = 'stdout', ending }: HereOptions,
): Promise<HereEnd> {
  const { execa } = await import('execa')
  const stdout = process[output]
  const options = {
    env: changedEnvironment(process.env, environment),
    extendEnv: false,
    cwd,
    reject: false,
    stdin: 'inherit',
    stderr: 'inherit',
    stdout,
    forceKillAfterDelay: false,
  } as const
  const child = execa(program!, words, options)
  ending?.addEventListener('abort', () => child.kill(ending.reason))
  const { exitCode, signal } = await child
  // The end of the program may be seen before a signal that has reached this process at the same time.
  await setImmediate()
  const code = exitCode ?? (signal ? 128 + (constants.signals[signal] ?? 0) : 127)
  return { code, isInterrupted: signal === 'SIGINT' || signal === 'SIGHUP' }
}

/** The environment of a machine with changes. */
function changedEnvironment(
  own: NodeJS.ProcessEnv,
  { set, unset = [], keep = [] }: EnvironmentChange = {},
): NodeJS.ProcessEnv {
  const isMeant = (name: string) =>
    unset.some(each => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each))
  const kept = Object.entries(own).filter(([name]) => keep.includes(name) || !isMeant(name))
  return { ...Object.fromEntries(kept), ...set }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}

/** A program that this process has started. */
export interface CalledProgram {
  readonly command: readonly string[]
  readonly milliseconds: number
  /** Its exit code, or the signal that killed it; null if it is still running, as the keeper of a pool is. */
  readonly ending: number | string | null
}

/** Node.js announces every child process there, also those of libraries. */
const channel = 'child_process'

/** Reports each program when it ends, and at the end of this process those that are still running. */
export function watchPrograms(report: (program: CalledProgram) => void): void {
  if (hasSubscribers(channel)) return
  const started = new Map<ChildProcess, number>()
  const tell = (child: ChildProcess, ending: CalledProgram['ending']) => {
    const since = started.get(child)
    if (since === undefined) return
    started.delete(child)
    report({ command: child.spawnargs, milliseconds: Math.round(performance.now() - since), ending })
  }
  const watch = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess }
    started.set(child, performance.now())
    child.on('exit', (code, signal) => tell(child, code ?? signal))
    child.on('error', () => started.delete(child))
  }
  subscribe(channel, watch)
  process.once('exit', () => {
    unsubscribe(channel, watch)
    for (const child of started.keys()) tell(child, null)
  })
}
