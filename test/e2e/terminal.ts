import { spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { type Folder, program } from './project.js'

/** A terminal in which one command runs. */
export interface Terminal {
  /** Everything that was shown so far. */
  readonly shown: () => string
  type(keys: string): void
  /** Closes the window: the command is hung up. */
  close(): void
  /** Kills the command at once, like `kill -9`. */
  kill(): void
  /** The exit code, as a shell tells it. */
  readonly ended: Promise<number | null>
}

/** Its standard input is typed on the terminal; the end of it closes the terminal. */
const driver = `
import os, pty, select, signal, sys
pid, terminal = pty.fork()
if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])
signal.signal(signal.SIGUSR1, lambda *_: os.kill(pid, signal.SIGKILL))
sources = [0, terminal]
while terminal in sources:
    for source in select.select(sources, [], [])[0]:
        try: data = os.read(source, 65536)
        except OSError: data = b''
        if source == 0 and data: os.write(terminal, data)
        elif data: os.write(1, data)
        elif source == 0: os.close(terminal); sources = []
        else: sources = []
status = os.waitpid(pid, 0)[1]
sys.exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
`

/** Runs `qanat ARGS` in a terminal of its own, which needs python3. */
export function openTerminal(folder: Pick<Folder, 'path' | 'environment'>, ...args: string[]): Terminal {
  const child = spawn('python3', ['-c', driver, process.execPath, program, ...args], {
    cwd: folder.path,
    env: { ...folder.environment, TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', chunk => (shown += chunk))
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  onTestFinished(async () => {
    child.stdin.end()
    await ended
  })
  return {
    shown: () => shown,
    type: keys => child.stdin.write(keys),
    close: () => child.stdin.end(),
    kill: () => child.kill('SIGUSR1'),
    ended,
  }
}
