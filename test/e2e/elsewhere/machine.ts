import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const namespaces = ['--pid', '--mount', '--uts']

/** Why no other machine can be played on this one, or null. */
export function lacksNamespaces(): string | null {
  const { status } = spawnSync('unshare', [...namespaces, '--fork', 'mount', '-t', 'proc', 'proc', '/proc'])
  return status === 0 ? null : 'only root can play another machine, and not in every container'
}

/** What plays the machine: its ids, its own processes, its host name; then it takes in what others have left. */
const begins = `mount -t proc proc /proc && hostname elsewhere && mount -t tmpfs tmpfs root &&
mount --bind machine-id /etc/machine-id && mount --bind boot-id /proc/sys/kernel/random/boot_id &&
echo ready; while :; do sleep 3600 & wait $!; done`

/** Its clock is ahead of ours. */
const date = `#!/bin/sh
exec /usr/bin/date -d '+1 hour' "$@"
`

/**
 * Another machine, played in namespaces of this one: with its own id, boot, host name, processes, clock, and programs, of which
 * bash is none.
 */
export class Elsewhere {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'qanat-elsewhere-')))
  private readonly init: ChildProcess

  private constructor() {
    const bin = join(this.folder, 'bin')
    for (const made of [bin, join(this.folder, 'root')]) mkdirSync(made)
    for (const name of readdirSync('/usr/bin')) {
      if (name !== 'bash' && name !== 'date') symlinkSync(join('/usr/bin', name), join(bin, name))
    }
    this.write('machine-id', `${'0123456789abcdef'.repeat(2)}\n`)
    this.write('boot-id', '01234567-89ab-cdef-0123-456789abcdef\n')
    this.write('bin/date', date)
    this.write('variables', JSON.stringify({ PATH: bin, HOME: this.folder, PLACE: 'there', LC_ALL: 'C.UTF-8' }))
    chmodSync(join(bin, 'date'), 0o755)
    const words = [...namespaces, '--fork', '--kill-child', '--propagation', 'private', 'sh', '-c', begins]
    this.init = spawn('unshare', words, { cwd: this.folder, stdio: ['ignore', 'pipe', 'inherit'] })
  }

  /** @param facts bundled program that prints what is known of the machine on which it runs */
  static async begin(facts: string): Promise<Elsewhere> {
    const machine = new Elsewhere()
    await once(machine.init.stdout!, 'data')
    const { pid } = machine.init
    machine.write('pid', readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())
    const program = join(machine.folder, 'facts.cjs')
    copyFileSync(facts, program)
    machine.write('facts.json', machine.run(process.execPath, program, '[]'))
    return machine
  }

  /**
   * Gives it the folder of a project, which has another path there, but for the results. There is nothing at our path there, nor
   * at that path here.
   */
  share(path: string): void {
    const given = 'mkdir -p "$1" && mount --bind "$0" "$1" && mount -t tmpfs tmpfs "$0"'
    mkdirSync(join(path, 'results'))
    this.run('sh', '-c', `${given} && mount -t tmpfs tmpfs "$1/results"`, path, this.there(path))
  }

  /** What was opened here by a path of there, and what was made there at the path that a folder has here. */
  mixedUp(path: string): string {
    const opened = join(this.folder, 'opened')
    return (existsSync(opened) ? readFileSync(opened, 'utf8') : '') + this.run('ls', '-A', path)
  }

  /** The path there of a folder that it was given, or of what is in it. */
  there(path: string): string {
    return `${this.folder}/root${path}`
  }

  /** Ends all of its processes. */
  async end(): Promise<void> {
    this.init.kill('SIGKILL')
    await once(this.init, 'close')
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }

  private run(...command: string[]): Buffer {
    const pid = readFileSync(join(this.folder, 'pid'), 'utf8')
    return execFileSync('nsenter', [`--target=${pid}`, ...namespaces, ...command])
  }

  private write(name: string, text: string | Buffer): void {
    writeFileSync(join(this.folder, name), text)
  }
}
