import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inTurn, millisecondsOf } from './measure.js'
import { Project, temporaryFolder } from './project.js'

const delay = fileURLToPath(new URL('../test/clusters/contexts/delay.py', import.meta.url))

/** Runs on a machine that is 100 ms away, and back: what counts is how often something goes there. */
export const contextRows = [
  {
    name: 'context-launch',
    what: 'launch of 1,000 groups in a context, 100 ms away',
    reference: 'four bare `ssh` calls over its connection',
    target: '≤ 1.3×',
    needs: { program: '/usr/sbin/sshd', words: ['-V'], package: 'openssh-server' },
    measure: () => inContext(far => [() => far.launch(), () => far.calls(4)]),
  },
  {
    name: 'context-refresh',
    what: 'refresh of a live run of 1,000 groups there, nothing new',
    reference: 'one such call',
    target: '≤ 1.3×',
    needs: { program: '/usr/sbin/sshd', words: ['-V'], package: 'openssh-server' },
    measure: () =>
      inContext(far => {
        far.launch()
        return [() => far.project.qanat('runs', '--refresh'), () => far.calls(1)]
      }),
  },
]

async function inContext(sidesOf) {
  const far = new Far()
  try {
    return await inTurn(5, ...sidesOf(far))
  } finally {
    far.end()
  }
}

/** A server for SSH that ssh starts itself, behind a long way. */
class Far {
  project = new Project(['noop'])
  home = temporaryFolder()
  launches = 0

  constructor() {
    const { home, project } = this
    const file = (name, text, mode = 0o600) => writeFileSync(join(home, name), text, { mode })
    for (const name of ['host', 'user'])
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(home, name)])
    for (const folder of ['/run/sshd', join(home, 'bin'), join(home, 'qanat'), join(home, 'run')])
      mkdirSync(folder, { recursive: true, mode: 0o700 })
    file('sshd', `HostKey ${home}/host\nAuthorizedKeysFile ${home}/user.pub\nStrictModes no\nUsePAM no\n`)
    const server = `setsid python3 ${delay} 0.05 /usr/sbin/sshd -i -f ${home}/sshd`
    const known = `StrictHostKeyChecking no\nUserKnownHostsFile ${home}/known\n`
    file('config', `Host box\nIdentityFile ${home}/user\nIdentitiesOnly yes\n${known}ProxyCommand ${server}\n`)
    file('bin/ssh', `#!/bin/sh\nexec /usr/bin/ssh -F ${home}/config "$@"\n`)
    chmodSync(join(home, 'bin/ssh'), 0o755)
    file('qanat/contexts.yaml', `box: {host: box, root: ${home}/root}\n`)
    const path = `${home}/bin:${process.env.PATH}`
    Object.assign(project.environment, { PATH: path, XDG_CONFIG_HOME: home, XDG_RUNTIME_DIR: join(home, 'run') })
    // They live as long as anything is measured.
    writeFileSync(join(project.path, 'noop.sh'), 'sleep 600\n')
    project.git('commit', '--quiet', '--all', '--message', 'Sleep')
    project.qanat('context', 'login', 'box')
    this.socket = readdirSync(join(home, 'run/qanat')).find(name => /^[0-9a-f]{16}$/.test(name))
  }

  /** A launch of a commit that is new there. */
  launch() {
    const { project } = this
    this.launches++
    writeFileSync(join(project.path, 'number'), String(this.launches))
    project.git('add', 'number')
    project.git('commit', '--quiet', '--message', 'A number')
    return project.qanat('run', '--context', 'box', '--detach', 'noop', '-R', '--seed 0 1000 1')
  }

  calls(count) {
    const socket = join(this.home, 'run/qanat', this.socket)
    const words = ['-o', 'ControlMaster=no', '-o', `ControlPath=${socket}`, '-o', 'BatchMode=yes', 'box', 'true']
    let sum = 0
    for (let call = 0; call < count; call++) sum += millisecondsOf(join(this.home, 'bin/ssh'), words)
    return sum
  }

  end() {
    for (let run = 1; run <= this.launches; run++) this.project.qanat('run_cancel', String(run))
    this.project.qanat('context', 'logout', 'box')
  }
}
