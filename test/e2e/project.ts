import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, onTestFinished } from 'vitest'

export const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url))

/** What a command left: both streams and the exit code. */
export interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
}

const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
}

/** A folder on the real file system in which the built program runs; gone after the test. */
export class Folder {
  readonly path: string
  readonly environment: NodeJS.ProcessEnv
  /** What `qanat` stands for here. */
  program = program

  constructor(environment: NodeJS.ProcessEnv = {}) {
    this.path = realpathSync(mkdtempSync(join(tmpdir(), 'qanat-test-')))
    this.environment = { ...process.env, ...identity, ...environment }
    onTestFinished(() => rmSync(this.path, { recursive: true, force: true, maxRetries: 5 }))
  }

  /** Runs `qanat ARGS` to its end. */
  qanat(...args: string[]): Promise<Outcome> {
    return this.qanatIn('.', ...args)
  }

  /** The same in a subfolder. */
  qanatIn(folder: string, ...args: string[]): Promise<Outcome> {
    return outcomeOf(this.start(args, folder))
  }

  /** Runs shell code here, in which `qanat` is the built program. */
  shell(code: string): Promise<Outcome> {
    const text = `qanat() { "${process.execPath}" "${this.program}" "$@"; }\n${code}`
    return outcomeOf(spawn('sh', ['-c', text], { cwd: this.path, env: this.environment }))
  }

  /** Starts `qanat ARGS` and leaves it to the test. Its standard input is empty. */
  start(args: readonly string[], folder = '.'): ChildProcess {
    const child = spawn(process.execPath, [this.program, ...args], {
      cwd: join(this.path, folder),
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }

  /** `qanat ARGS --json`, read; the exit code must be the expected one. */
  async json<Value = any>(...args: string[]): Promise<Value> {
    const { stdout, stderr } = await this.qanat(...args)
    try {
      return JSON.parse(stdout) as Value
    } catch {
      throw new Error(`not JSON: ${stdout}\n${stderr}`)
    }
  }

  write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(this.path, path)), { recursive: true })
    writeFileSync(join(this.path, path), text)
    chmodSync(join(this.path, path), mode)
  }

  read(path: string): string {
    return readFileSync(join(this.path, path), 'utf8')
  }

  has(path: string): boolean {
    return existsSync(join(this.path, path))
  }

  /** Names in a folder, sorted. */
  list(path: string): string[] {
    return readdirSync(join(this.path, path)).sort()
  }

  /** `run_show` of a run of the experiment `it`. */
  show(id = 1): Promise<any> {
    return this.json('run_show', 'it', String(id), '--json')
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.path, env: this.environment, encoding: 'utf8' })
  }

  commit(message = 'A commit'): void {
    this.git('add', '--all')
    this.git('commit', '--quiet', '--message', message)
  }
}

/** Once both streams of a process have ended, and so has it. */
export function outcomeOf(child: ChildProcess): Promise<Outcome> {
  let stdout = ''
  let stderr = ''
  child.stdout!.setEncoding('utf8').on('data', chunk => (stdout += chunk))
  child.stderr!.setEncoding('utf8').on('data', chunk => (stderr += chunk))
  return new Promise(resolve => child.on('close', code => resolve({ stdout, stderr, code })))
}

/** Projects that were made in this file of tests, by what is in them: a copy is quicker than making another. */
const bases = new Map<string, string>()
afterAll(() => {
  for (const path of bases.values()) rmSync(path, { recursive: true, force: true })
})

/**
 * A project with one experiment called `it`.
 * @param script of the experiment, run by `command`
 */
export async function projectWith(
  script: string,
  command = 'sh',
  environment: NodeJS.ProcessEnv = {},
): Promise<Folder> {
  const key = `${command}\n${script}`
  const base = bases.get(key) ?? (await makeBase(script, command))
  bases.set(key, base)
  const folder = new Folder(environment)
  cpSync(base, folder.path, { recursive: true })
  return folder
}

async function makeBase(script: string, command: string): Promise<string> {
  const folder = new Folder()
  folder.git('init', '--quiet')
  folder.write('it.sh', script)
  folder.write('it.yaml', `name: it\nexecutable: it.sh\nexecutable_command: ${command}\n`)
  folder.commit()
  for (const args of [
    ['init', '--yes'],
    ['experiment', 'new', '-f', 'it.yaml'],
  ]) {
    const { code, stderr } = await folder.qanat(...args)
    if (code !== 0) throw new Error(stderr)
  }
  const base = `${folder.path}-base`
  cpSync(folder.path, base, { recursive: true })
  return base
}

/** A project whose experiment `it` runs its first argument as shell code. */
export function shellProject(environment: NodeJS.ProcessEnv = {}): Promise<Folder> {
  return projectWith('eval "$1"\n', 'sh', environment)
}

/** Options of a run with a group for each piece of shell code. */
export function groups(...codes: string[]): string[] {
  return codes.flatMap(code => ['-g', quote(code)])
}

/** One word of a POSIX shell. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** Shell code that ends once the test has {@link open}ed a gate of that name, or the test is over. */
export function awaits(gate: string): string {
  return `while [ -d "$QANAT_PROJECT/.git" ] && [ ! -e "$QANAT_PROJECT/.qanat/gate_${gate}" ]; do sleep 0.02; done`
}

/** Lets what {@link awaits} a gate go on. */
export function open(folder: Folder, gate: string): void {
  folder.write(`.qanat/gate_${gate}`, '')
}

/** Waits until a condition holds, asked every few milliseconds; the time limit of the test is the only one. */
export async function until<Value>(condition: () => Value | Promise<Value>): Promise<NonNullable<Value>> {
  for (;;) {
    const value = await condition()
    if (value) return value as NonNullable<Value>
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
