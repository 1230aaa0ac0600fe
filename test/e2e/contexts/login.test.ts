import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacksSshd, Sshd } from '../../sites/sshd.js'
import { skips } from '../../skips.js'
import { type Folder, projectWith, until } from '../project.js'
import { openTerminal } from '../terminal.js'

/** How long the certificate of a test is valid, in seconds: long enough for a launch on a busy machine. */
const validity = 60

describe.skipIf(skips('logins to contexts', lacksSshd()))('a login to a context', () => {
  let sshd: Sshd
  beforeAll(() => {
    sshd = new Sshd()
  })
  afterAll(() => sshd.end())

  /** A project whose groups wait until a file is there. */
  async function project() {
    const home = mkdtempSync(join(sshd.folder, 'home-'))
    const folder = await projectWith(`while [ -d '${home}' ] && [ ! -e '${home}/open' ]; do sleep 0.05; done`)
    Object.assign(folder.environment, sshd.environment, { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home })
    delete folder.environment.SSH_AUTH_SOCK
    mkdirSync(join(home, 'qanat'))
    writeFileSync(join(home, 'qanat/contexts.yaml'), `box:\n  host: box\n  root: ${home}/root\n  poll_interval: 1\n`)
    await folder.qanat('context', 'logout', 'box')
    return { folder, home }
  }

  const onTerminal = async (folder: Folder) => {
    const terminal = openTerminal(folder, 'context', 'login', 'box')
    return { code: await terminal.ended, shown: terminal.shown() }
  }

  test('ends with its certificate: nothing is lost, and it is tried once, then later and later', async () => {
    const { folder, home } = await project()
    sshd.certify(`-1m:+${validity}s`)
    const { code, stdout } = await folder.qanat('context', 'login', 'box')
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/The certificate is valid until \d{4}-\d\d-\d\d \d\d:\d\d\./),
    ])
    expect(
      await folder.qanat('run', '--context', 'box', '--detach', '--n_threads', '3', 'it', '-R', '--seed 0 5 1'),
    ).toMatchObject({ code: 0 })
    await folder.when(1, ({ groups }) => groups.running === 3)
    // The connection lives on when its certificate has expired.
    sshd.certify('-2m:-1m')
    expect(await folder.qanat('runs', '--refresh')).toMatchObject({ code: 0, stderr: '' })
    sshd.cut()
    const before = sshd.connections()
    for (const _ of [1, 2, 3]) {
      const list = await folder.qanat('runs', '--refresh')
      expect([list.code, list.stdout, list.stderr]).toEqual([
        0,
        expect.stringContaining('running'),
        expect.stringContaining('qanat context login box'),
      ])
    }
    expect(sshd.connections() - before).toBe(0)
    const refused = await folder.qanat('context', 'login', 'box')
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/could not log in to box: the certificate was valid until [\s\S]*qanat context login box/),
    ])
    for (const _ of [1, 2]) {
      const { code, stderr } = await folder.qanat('context', 'login', 'box')
      expect([code, stderr]).toEqual([4, expect.stringContaining('the next one is tried in')])
    }
    expect(sshd.connections() - before).toBe(1)
    sshd.certify('-1m:+1d')
    expect(await onTerminal(folder)).toMatchObject({ code: 0 })
    expect(await folder.json('run_show', '1', '--json')).toMatchObject({ groups: { running: 3, pending: 2, lost: 0 } })
    writeFileSync(join(home, 'open'), '')
    expect(await folder.qanat('run_wait', '1')).toMatchObject({ code: 0 })
  })

  test('comes after a command of the site on the terminal, and not if that fails', async () => {
    const { folder, home } = await project()
    sshd.certify('-1m:+1d')
    const file = join(home, 'qanat/contexts.yaml')
    const plain = readFileSync(file, 'utf8')
    const before = (command: string) =>
      writeFileSync(
        file,
        plain.replace('box:', () => `box:\n  login: {before: '${command}'}`),
      )
    before('exit 3')
    const logins = sshd.connections()
    const { code, stderr } = await folder.qanat('context', 'login', 'box')
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('the command before a login to box has failed (exit 3): exit 3'),
    ])
    expect(sshd.connections() - logins).toBe(0)
    before('printf "which code? "; read -r code; echo "<$code>"')
    const terminal = openTerminal(folder, 'context', 'login', 'box')
    await until(terminal.shown, text => text.includes('which code?'))
    terminal.type('123\r')
    expect([await terminal.ended, terminal.shown()]).toEqual([0, expect.stringMatching(/<123>[\s\S]*Connected to box/)])
    // There is a connection: nothing has to come before one.
    expect((await folder.qanat('context', 'login', 'box')).stdout).not.toContain('which code?')
  })
})
