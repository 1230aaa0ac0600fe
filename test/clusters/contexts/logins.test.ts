import { createHmac, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../e2e/project.js'
import { openTerminal } from '../../e2e/terminal.js'
import { asRoot } from '../box.js'
import { noBox } from '../project.js'
import { box, type ContextProject, contextProject, withLaptop } from './laptop.js'

const delay = fileURLToPath(new URL('delay.py', import.meta.url))

/** Where a server for SSH listens in the box. */
const port = 2222

const log = join(box, 'var/log/sshd.log')

describe.skipIf(noBox)('from a laptop', () => {
  const laptop = withLaptop()
  let plain: string
  beforeAll(() => {
    plain = laptop().settings
  })
  afterAll(() => {
    laptop().settings = plain
  })

  /** A project, and a login that is yet to come, over a way that ssh is told. */
  async function over(settings: (proxy: string) => string): Promise<ContextProject> {
    laptop().settings = plain
    const it = await contextProject(laptop(), 'echo said\n')
    await it.qanat('context', 'logout', 'box')
    const proxy = /ProxyCommand (.*)/.exec(plain)![1]!
    laptop().settings = settings(proxy)
    return it
  }

  const onTerminal = (it: ContextProject) =>
    openTerminal({ path: it.folder, environment: it.environment }, 'context', 'login', 'box')

  const logged = (words: string) => readFileSync(log, 'utf8').split(words).length - 1

  test('a one-time code is asked for once on a terminal, never by fifty commands after, and never in a pipe', async () => {
    const secret = randomBytes(20)
    mkdirSync(join(box, 'var/lib/codes'), { recursive: true })
    const file = join(box, 'var/lib/codes/researcher')
    if (existsSync(file)) chmodSync(file, 0o600)
    writeFileSync(file, `${base32(secret)}\n" RATE_LIMIT 9 30\n" DISALLOW_REUSE\n" TOTP_AUTH\n`)
    chmodSync(file, 0o600)
    writeFileSync(
      join(box, 'etc/pam.d/sshd-codes'),
      'auth required pam_google_authenticator.so secret=/var/lib/codes/${USER} user=root\naccount required pam_permit.so\nsession required pam_permit.so\n',
    )
    const options =
      '-o UsePAM=yes -o KbdInteractiveAuthentication=yes -o PAMServiceName=sshd-codes -o AuthenticationMethods=publickey,keyboard-interactive:pam'
    const it = await over(proxy => plain.replace(proxy, `env 'BOX_SSHD=${options}' ${proxy}`))
    const before = logged('Accepted keyboard-interactive')
    const piped = await it.qanat('context', 'login', 'box')
    expect([piped.code, piped.stdout, piped.stderr]).toEqual([
      1,
      '',
      expect.stringContaining('on a terminal, where ssh can ask'),
    ])
    const terminal = onTerminal(it)
    await until(terminal.shown, text => /Verification code|Error/.test(text))
    terminal.type(`${codeOf(secret)}\r`)
    expect([await terminal.ended, terminal.shown()]).toEqual([0, expect.stringContaining('Connected to box')])
    expect(await it.qanat('run', '--wait', 'it')).toMatchObject({ code: 0 })
    for (let at = 0; at < 50; at++) {
      const { code, stderr } = await it.qanat('runs', '--refresh')
      expect([code, stderr]).toEqual([0, ''])
    }
    expect(logged('Accepted keyboard-interactive') - before).toBe(1)
  })

  test('two jump hosts are passed, also after the terminal of the login was closed, and nobody is banned', async () => {
    await asRoot(`mkdir -p /run/sshd
/usr/sbin/sshd -p ${port} -E /var/log/sshd.log -o LogLevel=VERBOSE -o StrictModes=no -o AuthorizedKeysFile=/etc/ssh/user.pub
# To connect without a login would be a reason for a ban.
until_succeeds 'grep -q ":${port.toString(16).padStart(4, '0').toUpperCase()} .* 0A " /proc/net/tcp'`)
    const bans = logged('penalty')
    const it = await over(
      () => `${plain.replace('Host box', 'Host first')}
Host second box
  HostName 127.0.0.1
  Port ${port}
  User researcher
  IdentityFile ${laptop().home}/key
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile ${laptop().home}/known_hosts
Host second
  ProxyJump first
Host box
  ProxyJump second
`,
    )
    const before = logged('Accepted publickey')
    expect(await onTerminal(it).ended).toBe(0)
    expect(await it.qanat('run', '--runner', 'slurm', '--wait', 'it', '-R', '--seed 0 3 1')).toMatchObject({ code: 0 })
    for (let at = 0; at < 10; at++) expect(await it.qanat('runs', '--refresh')).toMatchObject({ code: 0, stderr: '' })
    expect([logged('Accepted publickey') - before, logged('penalty') - bans]).toEqual([3, 0])
    await it.qanat('context', 'logout', 'box')
  })

  test('a way that takes 300 ms is enough', async () => {
    const it = await over(proxy => plain.replace(proxy, `python3 ${delay} 0.15 ${proxy}`))
    expect(await it.qanat('context', 'login', 'box')).toMatchObject({ code: 0 })
    expect(await it.qanat('run', '--wait', 'it', '-R', '--seed 0 3 1')).toMatchObject({ code: 0 })
    expect(it.read('results/it/run_1/group_2/stdout.txt')).toBe('said\n')
    await it.qanat('context', 'logout', 'box')
  })
})

/** The code of the current half minute, as RFC 6238 has it. */
function codeOf(secret: Buffer): string {
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const digest = createHmac('sha1', secret).update(time).digest()
  const number = digest.readUInt32BE(digest.at(-1)! & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, byte => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{5}/g, five => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)]!)
}
