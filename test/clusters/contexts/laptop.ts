import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { LocalProject } from '../../e2e/local-project.js'
import { Folder, program, projectWith } from '../../e2e/project.js'
import { startBox } from '../box.js'

const script = fileURLToPath(new URL('../box', import.meta.url))

/** The root folder of the box, as it is seen from outside. */
export const box = process.env.BOX ?? `/var/tmp/qanat-cluster-box${process.env.BOX_SUITE === 'sid' ? '-sid' : ''}`

/** Where runs live in the box. */
const root = '/home/researcher/qanat'

/**
 * ssh with the configuration of the laptop. At session number $BREAK_AT, which it counts in the file $SESSIONS, something
 * happens: `before` or `after` it the program that asks is killed, or the connection is `cut` in the middle.
 */
const sshThatBreaks = `#!/bin/sh
case $1 in -O|-fNT) exec /usr/bin/ssh -F CONFIG "$@" ;; esac
[ -n "$BREAK_AT" ] || exec /usr/bin/ssh -F CONFIG "$@"
echo session >>"$SESSIONS"
[ "$(wc -l <"$SESSIONS")" -eq "$BREAK_AT" ] || exec /usr/bin/ssh -F CONFIG "$@"
case $BREAK in
  before) kill -KILL "$PPID" ;;
  after) /usr/bin/ssh -F CONFIG "$@"; kill -KILL "$PPID" ;;
  cut) exec timeout -s KILL 0.03 /usr/bin/ssh -F CONFIG "$@" ;;
esac
`

/** A laptop, with an account in the box that it reaches by SSH, and nothing else of it. */
export class Laptop {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'qanat-laptop-')))

  constructor() {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(this.home, 'key')])
    writeFileSync(join(box, 'etc/ssh/user.pub'), readFileSync(join(this.home, 'key.pub')))
    const settings = `Host box
  User researcher
  IdentityFile ${this.home}/key
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile ${this.home}/known_hosts
  ProxyCommand setsid bash ${script} sshd
`
    writeFileSync(join(this.home, 'config'), settings)
    mkdirSync(join(this.home, 'bin'))
    writeFileSync(join(this.home, 'bin/ssh'), sshThatBreaks.replaceAll('CONFIG', `'${this.home}/config'`))
    chmodSync(join(this.home, 'bin/ssh'), 0o755)
    mkdirSync(join(this.home, 'run'), { mode: 0o700 })
    mkdirSync(join(this.home, 'qanat'))
    writeFileSync(join(this.home, 'qanat/contexts.yaml'), `box: {host: box, root: $HOME/qanat, poll_interval: 1}\n`)
  }

  /** The configuration of ssh. */
  get settings(): string {
    return readFileSync(join(this.home, 'config'), 'utf8')
  }

  set settings(text: string) {
    writeFileSync(join(this.home, 'config'), text)
  }

  get environment(): NodeJS.ProcessEnv {
    return {
      PATH: `${this.home}/bin:${process.env.PATH}`,
      XDG_CONFIG_HOME: this.home,
      XDG_STATE_HOME: join(this.home, 'state'),
      XDG_RUNTIME_DIR: join(this.home, 'run'),
      QANAT_CONTEXT: 'box',
    }
  }

  end(): void {
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 })
    rmSync(join(box, root), { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Starts the box and makes a laptop before the tests around this call; both serve all of them. */
export function withLaptop(): () => Laptop {
  let laptop: Laptop
  beforeAll(() => {
    startBox()
    laptop = new Laptop()
  })
  afterAll(() => laptop.end())
  return () => laptop
}

/** A project on the laptop whose runs live in the box. */
export class ContextProject extends LocalProject {
  /** Where runs live there. */
  protected readonly root: string = root

  /** Its folder in the box. */
  private get base(): string {
    const { id } = JSON.parse(readFileSync(this.path('.qanat/clone.json'), 'utf8')) as { id: string }
    return `${this.root}/${basename(this.folder)}-${id.slice(0, 8)}`
  }

  /** Where a path in the box is outside. */
  protected locate(path: string): string {
    return join(box, path)
  }

  override there(...parts: string[]): string {
    return join(this.base, ...parts)
  }

  /** A file in the box, as it is seen from outside. */
  outside(...parts: string[]): string {
    return this.locate(this.there(...parts))
  }

  /** What scripts look for is there. */
  override write(path: string, text: string): void {
    if (/^\.qanat\/(?!config\.yaml$)/.test(path)) this.writeThere(path, text)
    else super.write(path, text)
  }

  override open(...gates: string[]): void {
    for (const gate of gates) this.writeThere(`.qanat/gate_${gate}`, '')
  }

  /** What scripts write beside the results is only there; the results come here. */
  override read(...parts: string[]): string {
    const path = parts.join('/')
    if (path.startsWith('results/')) return super.read(path)
    return existsSync(this.outside(path)) ? readFileSync(this.outside(path), 'utf8') : ''
  }

  writeThere(path: string, text: string): void {
    mkdirSync(dirname(this.outside(path)), { recursive: true })
    writeFileSync(this.outside(path), text)
    execFileSync('chown', ['-R', '1000:1000', this.outside()])
  }
}

/** A project with the experiment `it`, whose runs live in the box. */
export async function contextProject(
  laptop: Laptop,
  code: string,
  templates = '',
  name = 'project',
): Promise<ContextProject> {
  const base = await projectWith(code)
  const path = join(new Folder().path, name)
  execFileSync('cp', ['-a', base.path, path])
  const project = new ContextProject(path, program, { ...base.environment, ...laptop.environment })
  project.write('.qanat/config.yaml', `grace: 9\n${templates}`)
  await project.commit('settings')
  const { stderr, code: exit } = await project.qanat('context', 'login', 'box')
  if (exit !== 0) throw new Error(stderr)
  await project.qanat('run', '--dry_run', 'it')
  // Scripts of tests end with their project.
  project.writeThere('.git/HEAD', '')
  return project
}
