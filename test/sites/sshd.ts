import { execFileSync } from 'node:child_process'
import {
  chmodSync,
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
import { join } from 'node:path'
import { lacks } from '../skips.js'

/** Why there can be no server here, or null. */
export function lacksSshd(): string | null {
  return process.getuid?.() === 0 ? lacks('sshd', 'ssh') : 'only root can start a server for logins'
}

/** A real server for SSH, started for each connection by ssh itself (`sshd -i`), so that it needs no port. */
export class Sshd {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'qanat-sshd-')))

  /** @param enter words in front of sshd, which let it run on another machine */
  constructor(enter: readonly string[] = []) {
    for (const name of ['host', 'user']) {
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(this.folder, name)])
    }
    mkdirSync('/run/sshd', { recursive: true })
    this.write(
      'sshd_config',
      `HostKey ${this.folder}/host
AuthorizedKeysFile ${this.folder}/user.pub
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
LogLevel VERBOSE
ForceCommand . ${this.folder}/login; eval "$SSH_ORIGINAL_COMMAND"
`,
    )
    this.says('')
    // It does not ignore that a terminal is closed.
    const proxy = [
      'setsid',
      ...enter,
      '/usr/sbin/sshd',
      '-i',
      '-f',
      `${this.folder}/sshd_config`,
      '-E',
      `${this.folder}/log`,
    ]
    this.write(
      'config',
      `Host box
  User root
  IdentityFile ${this.folder}/user
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile ${this.folder}/known_hosts
  ProxyCommand ${proxy.join(' ')}
`,
    )
    this.write('bin/ssh', `#!/bin/sh\nexec /usr/bin/ssh -F '${this.folder}/config' "$@"\n`)
    chmodSync(join(this.folder, 'bin/ssh'), 0o755)
  }

  /** The variables with which programs use it. */
  get environment() {
    return { PATH: `${this.folder}/bin:${process.env.PATH}`, XDG_RUNTIME_DIR: this.folder }
  }

  /** What the login shell does before each command. */
  says(lines: string): void {
    this.write('login', lines)
  }

  /** The key counts for nothing any more, but with a certificate. @param validity as `ssh-keygen -V` takes it */
  certify(validity: string): void {
    const settings = readFileSync(join(this.folder, 'sshd_config'), 'utf8')
    if (!settings.includes('TrustedUserCAKeys')) {
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(this.folder, 'ca')])
      this.write('sshd_config', `AuthorizedKeysFile none\nTrustedUserCAKeys ${this.folder}/ca.pub\n${settings}`)
    }
    const words = ['-q', '-s', join(this.folder, 'ca'), '-I', 'user', '-n', 'root', '-V', validity]
    execFileSync('ssh-keygen', [...words, join(this.folder, 'user.pub')])
  }

  /** How many connections there were, whether somebody could log in or not. */
  connections(): number {
    return this.logged('Connection from')
  }

  /** The shared connections are cut. */
  cut(): void {
    this.signal('SIGKILL')
  }

  /** How many logins there were. */
  logins(): number {
    return this.logged('Accepted publickey')
  }

  /** How many sessions there were: commands that ran there. */
  sessions(): number {
    return this.logged('Starting session')
  }

  private logged(words: string): number {
    const log = join(this.folder, 'log')
    return existsSync(log) ? readFileSync(log, 'utf8').split(words).length - 1 : 0
  }

  /** The connection is silent, as one whose network is gone, until it goes on. */
  stop(): void {
    this.signal('SIGSTOP')
  }

  goOn(): void {
    this.signal('SIGCONT')
  }

  /** Sends a signal to the shared connections. */
  private signal(signal: NodeJS.Signals): void {
    for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
      const words = wordsOf(pid)
      if (words.includes(`${this.folder}/config`) && words.includes('-fNT')) process.kill(Number(pid), signal)
    }
  }

  end(): void {
    this.signal('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }

  private write(name: string, text: string): void {
    mkdirSync(join(this.folder, name, '..'), { recursive: true })
    writeFileSync(join(this.folder, name), text)
  }
}

/** The words of a process; none of one that has ended. */
function wordsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
