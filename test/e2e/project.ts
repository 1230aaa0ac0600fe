import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

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
    const child = this.start(args, folder)
    let stdout = ''
    let stderr = ''
    child.stdout!.on('data', chunk => (stdout += chunk))
    child.stderr!.on('data', chunk => (stderr += chunk))
    return new Promise(resolve => child.on('close', code => resolve({ stdout, stderr, code })))
  }

  /** Starts `qanat ARGS` and leaves it to the test. Its standard input is empty. */
  start(args: readonly string[], folder = '.'): ChildProcess {
    return spawn(process.execPath, [program, ...args], {
      cwd: join(this.path, folder),
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
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

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.path, env: this.environment, encoding: 'utf8' })
  }

  commit(message = 'A commit'): void {
    this.git('add', '--all')
    this.git('commit', '--quiet', '--message', message)
  }
}

/**
 * A project with one experiment called `it`.
 * @param script of the experiment, run by `command`
 */
export async function projectWith(
  script: string,
  command = 'sh',
  environment: NodeJS.ProcessEnv = {},
): Promise<Folder> {
  const folder = new Folder(environment)
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
  return folder
}

/** Waits until a condition holds, asked every few milliseconds; the time limit of the test is the only one. */
export async function until<Value>(condition: () => Value | Promise<Value>): Promise<NonNullable<Value>> {
  for (;;) {
    const value = await condition()
    if (value) return value as NonNullable<Value>
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
