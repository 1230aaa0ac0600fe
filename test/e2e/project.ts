import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import Database from 'better-sqlite3'
import { inject, onTestFinished } from 'vitest'
import { stampOf } from '../../src/project/definitions.js'
import { type Outcome, outcomeOf, program, runProgram } from './program.js'
import { endProcessesIn } from './working-processes.js'

export { type Outcome, program }

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
    onTestFinished(() => this.remove())
  }

  /** Removes the folder once the processes that worked in it have ended: they would write there meanwhile. */
  private async remove(): Promise<void> {
    await until(() => endProcessesIn(this.path))
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Runs `qanat ARGS` to its end. */
  qanat(...args: string[]): Promise<Outcome> {
    return this.qanatIn('.', ...args)
  }

  /** The same in a subfolder. */
  qanatIn(folder: string, ...args: string[]): Promise<Outcome> {
    // Options of Node are read at its start, and only the program of users is run by processes that are reused.
    if (this.environment.NODE_OPTIONS !== undefined || this.program !== program)
      return outcomeOf(this.start(args, folder))
    return runProgram(args, join(this.path, folder), this.environment)
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

  /** Names of the frozen copies of a project in a subfolder, sorted; links to what lies beside the project are left out. */
  copies(project = '.'): string[] {
    const cache = join(this.path, project, '.qanat/cache')
    const entries = existsSync(cache) ? readdirSync(cache, { withFileTypes: true }) : []
    return entries.flatMap(entry => (entry.isDirectory() ? entry.name : [])).sort()
  }

  /** `run_show` of a run of the experiment `it`. */
  show(id = 1): Promise<any> {
    return this.json('run_show', 'it', String(id), '--json')
  }

  /** The state of each group of that run, with its cause, its exit code and its attempt: `failed exit 3 attempt 2`. */
  async states(id = 1): Promise<string[]> {
    const stateOf = ({ status, cause, exit_code: code, attempt }: any) =>
      [status, cause, code || null, attempt > 1 && `attempt ${attempt}`].filter(Boolean).join(' ')
    return (await this.show(id)).group_list.map(stateOf)
  }

  /** What `run_show` says of that run, once it is as expected. */
  when(id: number, isExpected: (run: any) => boolean): Promise<any> {
    return until(() => this.show(id), isExpected)
  }

  /** The same once the run has that status. */
  whenStatus(id: number, status: string): Promise<any> {
    return this.when(id, run => run.status === status)
  }

  /** Works on the database, as another program may. */
  inDatabase<Result>(work: (database: Database.Database) => Result): Result {
    const database = new Database(join(this.path, '.qanat/database.db'))
    try {
      return work(database)
    } finally {
      database.close()
    }
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.path, env: this.environment, encoding: 'utf8' })
  }

  commit(message = 'A commit'): void {
    this.git('add', '--all')
    this.git('commit', '--quiet', '--message', message)
  }
}

/**
 * A project with one experiment called `it`: a copy of one that is made once for all tests, which is quicker.
 * @param script of the experiment, run by `command`
 */
export async function projectWith(
  script: string,
  command = 'sh',
  environment: NodeJS.ProcessEnv = {},
): Promise<Folder> {
  const name = createHash('sha256').update(`${command}\n${script}`).digest('hex')
  const base = join(inject('bases'), name)
  if (!existsSync(base)) await makeBase(base, script, command)
  const folder = new Folder(environment)
  cpSync(base, folder.path, { recursive: true })
  // A copy has other inodes and times: without this, its first command would read the definition again.
  const files = ['.qanat/definitions/experiment/it.yaml', 'it.yaml'].map(file => join(folder.path, file))
  folder.inDatabase(database => database.prepare('UPDATE experiments SET stamp = ?').run(stampOf(files)))
  return folder
}

async function makeBase(base: string, script: string, command: string): Promise<void> {
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
  folder.git('add', '.qanat')
  folder.git('commit', '--quiet', '--amend', '--no-edit')
  const copy = `${base}.${process.pid}`
  cpSync(folder.path, copy, { recursive: true })
  try {
    renameSync(copy, base)
  } catch {
    // Another worker was quicker; what it made is the same.
    if (!existsSync(base)) throw new Error(`${base} could not be made`)
  }
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
  return `while [ -d "$QANAT_PROJECT/.git" ] && [ ! -e "$QANAT_PROJECT/.qanat/gate_${gate}" ]; do sleep 0.05; done`
}

/** Lets what {@link awaits} a gate go on. */
export function open(folder: Folder, gate: string): void {
  folder.write(`.qanat/gate_${gate}`, '')
}

/**
 * Asks, less and less often, until the answer is the expected one, and returns it.
 * @throws after ten minutes (a limit against hanging, not a measure of speed), with the last answer
 */
export async function until<Value>(
  ask: () => Value | Promise<Value>,
  isExpected: (answer: Value) => unknown = Boolean,
): Promise<NonNullable<Value>> {
  const end = performance.now() + 600_000
  for (let pause = 10; ; pause = Math.min(1.5 * pause, 200)) {
    const answer = await ask()
    if (isExpected(answer)) return answer as NonNullable<Value>
    if (performance.now() > end) throw new Error(`after ten minutes it is still ${inspect(answer, { depth: 4 })}`)
    await new Promise(resolve => setTimeout(resolve, pause))
  }
}
