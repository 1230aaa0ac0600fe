import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacksSshd, Sshd } from '../../sites/sshd.js'
import { skips } from '../../skips.js'
import { type Folder, projectWith } from '../project.js'

/** Writes an archive with files that want to be elsewhere, and one that may be where it is. */
const forging = `import io, sys, tarfile
archive = tarfile.open(fileobj=sys.stdout.buffer, mode='w|')
def add(name, kind=tarfile.REGTYPE, target='', text=b'evil', size=None):
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname, entry.mode = kind, target, 0o755
    entry.size = len(text) if kind == tarfile.REGTYPE else 0
    archive.addfile(entry, io.BytesIO(text))
run, evil = sys.argv[1:3]
add(run + '/forged', text=b'forged')
add(evil + '/absolute')
add('../' * 20 + evil + '/climbs')
add(run + '/../../../climbs')
add(run + '/link', tarfile.SYMTYPE, evil)
add(run + '/link/through')
add(run + '/hard', tarfile.LNKTYPE, evil + '/kept')
add(run + '/hard')
add('./results/it/run_2/other')
add('.git/hooks/post-checkout')
add('.qanat/config.yaml')
add('it.sh')
archive.close()
`

const controls = '\\033]0;evil\\007\\033[2J'

describe.skipIf(skips('hostile contexts', lacksSshd()))('a context whose host is hostile', () => {
  let sshd: Sshd
  beforeAll(() => {
    sshd = new Sshd()
  })
  afterAll(() => sshd.end())

  async function project() {
    const folder = await projectWith('echo said\n')
    const home = mkdtempSync(join(sshd.folder, 'home-'))
    Object.assign(folder.environment, sshd.environment, { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home })
    mkdirSync(join(home, 'qanat'))
    writeFileSync(join(home, 'qanat/contexts.yaml'), `box:\n  host: box\n  root: ${home}/root\n  poll_interval: 1\n`)
    const [programs, evil] = [join(home, 'programs'), join(home, 'evil')]
    for (const each of [programs, evil]) mkdirSync(each)
    writeFileSync(join(evil, 'kept'), 'kept')
    /** Puts a program in front of all others there. */
    const forge = (name: string, code: string) => {
      writeFileSync(join(programs, name), `#!/bin/sh\n${code}\n`)
      chmodSync(join(programs, name), 0o755)
    }
    sshd.says(`PATH=${programs}:$PATH\n`)
    return { folder, home, evil, forge }
  }

  const said = async (folder: Folder, ...words: string[]) => {
    const { stdout, stderr, code } = await folder.qanat(...words)
    return { text: stdout + stderr, code }
  }

  test('writes nothing outside of the mirrors of its runs', async () => {
    const { folder, home, evil, forge } = await project()
    await folder.qanat('context', 'login', 'box')
    expect(await folder.qanat('run', '--context', 'box', '--wait', 'it')).toMatchObject({ code: 0 })
    const files = () =>
      execFileSync(
        'sh',
        [
          '-c',
          'find . -path ./.qanat -prune -o -path ./results/it/run_2 -prune -o -type f -exec sha256sum {} + | sort',
        ],
        { cwd: folder.path, encoding: 'utf8' },
      )
    await folder.qanat('run', '--context', 'box', '--detach', 'it')
    const before = files() + folder.read('.qanat/config.yaml')
    writeFileSync(join(home, 'forging.py'), forging)
    forge(
      'tar',
      `case "$*" in *-c*) exec python3 '${home}/forging.py' ./results/it/run_2 '${evil}' ;; esac; exec /bin/tar "$@"`,
    )
    for (const words of [
      ['runs', '--refresh'],
      ['run_fetch', '2'],
      ['run_fetch', '--all', '2'],
    ])
      await folder.qanat(...words)
    expect([
      folder.read('results/it/run_2/forged'),
      readdirSync(evil),
      readFileSync(join(evil, 'kept'), 'utf8'),
    ]).toEqual(['forged', ['kept'], 'kept'])
    expect(execFileSync('find', ['results/it/run_2', '-type', 'l'], { cwd: folder.path, encoding: 'utf8' })).toBe('')
    expect(existsSync(join(folder.path, 'results/it/run_2/link/through')) && existsSync(join(evil, 'through'))).toBe(
      false,
    )
    expect(files() + folder.read('.qanat/config.yaml')).toBe(before)
  })

  test('prints nothing raw, and nothing that it prints is evaluated', async () => {
    const { folder, evil, forge } = await project()
    const line = `printf '${controls}$(touch ${evil}/run) \`touch ${evil}/run\`\\n'`
    for (const name of ['hostname', 'id', 'git', 'sbatch', 'squeue', 'sinfo', 'scontrol']) forge(name, line)
    const texts: string[] = []
    for (const words of [
      ['context', 'login', 'box'],
      ['context', 'test', 'box'],
      ['run', '--context', 'box', '--wait', 'it'],
      ['run', '--context', 'box', '--runner', 'slurm', '--detach', 'it'],
      ['runs', '--refresh'],
      ['run_show', '1'],
      ['why', '1'],
      ['run_logs', '1'],
      ['env', 'show', '1'],
    ])
      texts.push((await said(folder, ...words)).text)
    expect(texts.join('\n')).toContain('\\x1b]0;evil\\x07')
    // Colours are our own, and there are none where nobody sees them.
    expect(texts.filter(text => /[\x00-\x08\x0b-\x1f\x7f]/.test(text))).toEqual([])
    expect(readdirSync(evil)).toEqual(['kept'])
  })

  test('that prints for ever, or packs a file of gigantic length, is refused', async () => {
    const { folder, home, forge } = await project()
    await folder.qanat('context', 'login', 'box')
    await folder.qanat('run', '--context', 'box', '--detach', 'it')
    const cut = `import sys, tarfile
entry = tarfile.TarInfo('./results/it/run_1/huge'); entry.size = 1 << 60
sys.stdout.buffer.write(entry.tobuf() + b'x' * 10000)
`
    writeFileSync(join(home, 'cut.py'), cut)
    forge('tar', `case "$*" in *-cf\\ -*) exec python3 '${home}/cut.py' ;; esac; exec /bin/tar "$@"`)
    await folder.qanat('runs', '--refresh')
    expect(folder.has('results/it/run_1/huge')).toBe(false)
    forge('tar', 'exec /bin/tar "$@"')
    forge('hostname', 'exec cat /dev/zero')
    const { code, text } = await said(folder, 'run', '--context', 'box', 'it')
    expect([code, text]).toEqual([4, expect.stringContaining('box has sent more than')])
    sshd.says('exec cat /dev/zero\n')
    const refused = await said(folder, 'run_fetch', '1')
    expect([refused.code, refused.text]).toEqual([4, expect.stringContaining('box')])
  })

  test('that runs a fixed command for the account is told so', async () => {
    const { folder } = await project()
    await folder.qanat('context', 'logout', 'box')
    sshd.says(`printf '${controls}only rsync is allowed\\n'; exit 0\n`)
    const { code, text } = await said(folder, 'context', 'login', 'box')
    expect([code, text]).toEqual([
      4,
      expect.stringMatching(/box runs no scripts for this account; it says: .*only rsync is allowed\n.*ForceCommand/),
    ])
    expect(text).not.toContain('\x1b')
    sshd.says('')
  })
})
