import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { processStart } from '../../src/system/process-identity.js'
import { until } from '../e2e/project.js'

/** A shell that runs the job script, and what it has printed. */
export class JobShell {
  stdout = ''
  stderr = ''
  private readonly child: ChildProcess
  private readonly exit: Promise<[code: number | null]>

  /** @param project its folder, which all that the job script starts knows: that is ended after the test */
  constructor(
    private readonly project: string,
    command: string,
    words: readonly string[],
    variables: NodeJS.ProcessEnv = {},
  ) {
    this.child = spawn(command, words, { detached: true, env: { ...process.env, ...variables } })
    this.exit = once(this.child, 'close') as Promise<[code: number | null]>
    this.child.stdin!.on('error', () => {})
    this.child.stdout!.on('data', chunk => (this.stdout += chunk))
    this.child.stderr!.on('data', chunk => (this.stderr += chunk))
    onTestFinished(() => endAllOf(project, this.child.pid!))
  }

  write(text: string): void {
    this.child.stdin!.write(text)
  }

  /** Tells it that nothing follows, and returns the exit code with which it has ended. */
  async end(): Promise<number | null> {
    this.child.stdin!.end()
    return (await this.exit)[0]
  }

  /** To the shell alone, as `--signal=B:…` of sbatch. */
  signal(signal: NodeJS.Signals): void {
    process.kill(this.child.pid!, signal)
  }

  /** Kills all processes of its project, as a scheduler does, or a node that loses its power. */
  async killAll(): Promise<void> {
    endAllOf(this.project, this.child.pid!)
    await this.end()
  }

  endAfter(signal: NodeJS.Signals): Promise<number | null> {
    this.signal(signal)
    return this.end()
  }
}

/** Processes that were killed may take a moment to be gone; their remains do not count. */
export async function expectEnded(...pids: number[]): Promise<void> {
  for (const pid of pids) await until(() => processStart(pid) === null)
}

function endAllOf(project: string, leader: number): void {
  kill(-leader)
  const mark = `QANAT_PROJECT=${project}\0`
  for (const pid of existsSync('/proc') ? readdirSync('/proc').filter(name => /^\d+$/.test(name)) : []) {
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark)) kill(Number(pid))
    } catch {}
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}
