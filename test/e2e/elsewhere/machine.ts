import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
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

/** Why no other machine can be played on this one, or null. */
export function lacksNamespaces(): string | null {
  const words = ['--pid', '--mount', '--uts', '--fork', 'mount', '-t', 'proc', 'proc', '/proc']
  return spawnSync('unshare', words).status === 0
    ? null
    : 'only root can play another machine, and not in every container'
}

/** What plays the machine: its ids, its own processes, its host name; then it takes in what others have left. */
const begins = `mount -t proc proc /proc && hostname elsewhere &&
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
    mkdirSync(bin)
    for (const name of readdirSync('/usr/bin')) {
      if (name !== 'bash' && name !== 'date') symlinkSync(join('/usr/bin', name), join(bin, name))
    }
    const files = {
      'machine-id': `${'0123456789abcdef'.repeat(2)}\n`,
      'boot-id': '01234567-89ab-cdef-0123-456789abcdef\n',
      'bin/date': date,
      variables: JSON.stringify({ PATH: bin, HOME: this.folder, PLACE: 'there', LC_ALL: 'C.UTF-8' }),
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.folder, name), text)
    chmodSync(join(bin, 'date'), 0o755)
    const words = [
      '--pid',
      '--mount',
      '--uts',
      '--fork',
      '--kill-child',
      '--propagation',
      'private',
      'sh',
      '-c',
      begins,
    ]
    this.init = spawn('unshare', words, { cwd: this.folder, stdio: ['ignore', 'pipe', 'inherit'] })
  }

  /** @param facts bundled program that prints what is known of the machine on which it runs */
  static async begin(facts: string): Promise<Elsewhere> {
    const machine = new Elsewhere()
    await once(machine.init.stdout!, 'data')
    const { pid } = machine.init
    const first = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    writeFileSync(join(machine.folder, 'pid'), first)
    writeFileSync(join(machine.folder, 'facts.cjs'), readFileSync(facts))
    const words = [
      `--target=${first}`,
      '--pid',
      '--mount',
      '--uts',
      process.execPath,
      join(machine.folder, 'facts.cjs'),
      '[]',
    ]
    writeFileSync(join(machine.folder, 'facts.json'), execFileSync('nsenter', words))
    return machine
  }

  /** Ends all of its processes. */
  async end(): Promise<void> {
    this.init.kill('SIGKILL')
    await once(this.init, 'close')
    rmSync(this.folder, { recursive: true, force: true })
  }
}
