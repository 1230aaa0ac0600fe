import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { Folder, program, until } from '../e2e/project.js'
import { lacksMounts, skips } from '../skips.js'

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** What is as on a Mac: programs of its own, and those of BSD that differ from GNU's. */
const own = ['bash', 'sh', 'ps', 'sysctl', 'ioreg']
const differing = ['cp', 'mv', 'rm', 'mkdir', 'head', 'tail', 'mktemp', 'readlink', 'sed', 'stat', 'date']
/** What is there, too, and used in ways that all have in common. No setsid, timeout, nproc, flock or xdg-open. */
const common =
  'awk basename cat chmod cut dirname env expr false find git grep hostname id kill less ln ls more nohup perl printf ' +
  'python3 rmdir sleep sort tee test touch tr true uniq wc which xargs'

/** Whether the tests on the simulated Mac are skipped here. */
export const noMac = skips('the simulated Mac', lacksMounts())

/**
 * A folder in which the program runs as on a Mac, as far as one can be simulated on Linux: no /proc, the host name that the
 * network gives, BSD's programs and no others, what bash 3.2 has not is taken away, and Node says `darwin`. What is not
 * simulated: the kernel, the file system (which ignores case), bash 3.2 itself.
 */
export class Mac extends Folder {
  /** Name of the machine, which changes with the network. */
  name = 'ada.local'
  /** The folder by a path with a link in it, as those below /tmp are. */
  readonly linked: string

  constructor(private readonly box = makeBox()) {
    super({
      PATH: join(box, 'bin'),
      HOME: join(box, 'Users/ada'),
      TMPDIR: `${join(box, temporary)}/`,
      LANG: 'de_DE.UTF-8',
      NODE_OPTIONS: `--require=${pathOf('platform.cjs')}`,
    })
    this.linked = join(box, 'tmp/project')
    symlinkSync(this.path, this.linked)
    this.move()
  }

  override start(args: readonly string[], folder = '.'): ChildProcess {
    const words = ['--mount', '--uts', '/bin/bash', pathOf('enter'), this.box, this.name, process.execPath, program]
    const child = spawn('/usr/bin/unshare', [...words, ...args], {
      cwd: join(this.linked, folder),
      env: { ...this.environment, PWD: join(this.linked, folder) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }

  /** What a start of the machine changes, beside that all processes are gone. */
  boot(): void {
    this.is('boot', randomUUID())
  }

  /** Goes to another machine with the same folder. */
  move(): void {
    this.is('machine', randomUUID())
    this.boot()
  }

  /** Has ps fail, as any program does where a user has too many processes; the result puts it back. */
  breakPs(): () => void {
    const ps = join(this.box, 'bin/ps')
    rmSync(ps)
    writeFileSync(ps, '#!/bin/bash\necho "ps: fork: Resource temporarily unavailable" >&2\nexit 1\n', { mode: 0o755 })
    return () => {
      rmSync(ps)
      symlinkSync(pathOf('userland/ps'), ps)
    }
  }

  private is(name: string, id: string): void {
    writeFileSync(join(this.box, name), `${id.toUpperCase()}\n`)
  }
}

const temporary = 'var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T'

function makeBox(): string {
  const box = realpathSync(mkdtempSync(join(tmpdir(), 'qanat-mac-')))
  onTestFinished(() => rmSync(box, { recursive: true, force: true, maxRetries: 5 }))
  for (const folder of ['bin', 'kernel', 'private/tmp', 'Users/ada', temporary])
    mkdirSync(join(box, folder), { recursive: true })
  symlinkSync('private/tmp', join(box, 'tmp'))
  const put = (name: string, target: string) => symlinkSync(target, join(box, name))
  for (const name of ['bash-3.2.sh', 'sh-3.2.sh']) put(name, pathOf(name))
  for (const name of own) put(`bin/${name}`, pathOf(`userland/${name}`))
  for (const name of differing) put(`bin/${name}`, pathOf('userland/bsd'))
  for (const name of common.split(' ')) put(`bin/${name}`, `/usr/bin/${name}`)
  return box
}

const lastPid = '/proc/sys/kernel/ns_last_pid'

/** Starts a process of the user's that gets the id of one that has ended, as it happens when the ids have gone round. */
export async function processWithId(pid: number): Promise<void> {
  await until(() => {
    const last = readFileSync(lastPid, 'utf8')
    // The next process gets the next id that is free. Those behind it must not be used again, too: other tests know them.
    writeFileSync(lastPid, String(pid - 1))
    const child = spawn('tail', ['-f', '/dev/null'], { detached: true, stdio: 'ignore' })
    writeFileSync(lastPid, last)
    onTestFinished(() => void child.kill('SIGKILL'))
    if (child.pid !== pid) child.kill('SIGKILL')
    return child.pid === pid
  })
}
