import { existsSync, readFileSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** What a program left. */
export interface ProgramResult {
  readonly stdout: string
  readonly stderr: string
  /** Null where it was not there, was killed, or took too long. */
  readonly exitCode: number | null
  readonly ending: 'exit' | 'missing' | 'timeout'
}

/** How a program is run. */
export interface ProgramOptions {
  readonly environment: NodeJS.ProcessEnv
  readonly cwd?: string
  /** Milliseconds after which it is ended. */
  readonly timeout: number
}

/** Whether a program is there: in the PATH, or under its absolute path. */
export function hasProgram(name: string): boolean {
  if (isAbsolute(name)) return existsSync(name)
  return (process.env.PATH ?? '').split(delimiter).some(folder => existsSync(join(folder, name)))
}

/** Runs a program to its end, without a shell, with nothing on its standard input. */
export async function runProgram(command: readonly string[], options: ProgramOptions): Promise<ProgramResult> {
  return start(command, options, {})
}

/**
 * The same, with its output straight into two files: they are whole even where this program is killed meanwhile, and
 * Ctrl-C does not reach it.
 */
export async function runProgramInto(
  [stdout, stderr]: readonly [string, string],
  command: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  const redirected = ['sh', '-c', 'exec >"$1" 2>"$2"; shift 2; exec "$@"', 'sh', stdout, stderr, ...command]
  const result = await start(redirected, options, { detached: true, cleanup: false })
  return { ...result, stdout: readFileSync(stdout, 'utf8'), stderr: readFileSync(stderr, 'utf8') }
}

async function start(
  [program, ...words]: readonly string[],
  { environment, ...options }: ProgramOptions,
  how: { detached?: boolean; cleanup?: boolean },
): Promise<ProgramResult> {
  const { execa } = await import('execa')
  const common = { env: environment, extendEnv: false, stdin: 'ignore', reject: false, maxBuffer: 1e9 } as const
  const result = await execa(program!, words, { ...common, ...options, ...how })
  return { stdout: result.stdout, stderr: result.stderr, ...endingOf(result) }
}

function endingOf(result: { exitCode?: number | undefined; code?: string | undefined; timedOut: boolean }) {
  const exitCode = result.exitCode ?? null
  if (result.code === 'ENOENT' || result.code === 'EACCES') return { exitCode, ending: 'missing' as const }
  return { exitCode, ending: result.timedOut ? ('timeout' as const) : ('exit' as const) }
}
