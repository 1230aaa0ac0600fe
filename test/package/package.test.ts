import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildBox } from '../clusters/box.js'
import { parentOf, processCalled, tells } from '../e2e/processes.js'
import { awaits, Folder, groups, open, shellProject } from '../e2e/project.js'
import { skips } from '../skips.js'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const archive = 'release/qanat-linux-x64.tar.gz'
let printed = ''
beforeAll(() => {
  printed = output('npm', ['run', '--silent', 'package'])
})

function output(program: string, words: readonly string[], folder?: Folder): string {
  const where = folder && { cwd: folder.path, env: folder.environment }
  return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], ...where })
}

/** Unpacks the archive below a name as users give them. @returns its folder */
function unpack(folder: string): string {
  const programs = join(folder, "Ada's programs")
  mkdirSync(programs, { recursive: true })
  output('tar', ['-xzf', archive, '-C', programs])
  return join(programs, 'qanat-linux-x64')
}

/** Programs that cannot reach the network, where this machine lets us. */
function offline(program: string): [string, string[]] {
  if (process.platform === 'linux' && process.getuid?.() === 0) return ['unshare', ['--net', program]]
  process.stdout.write('not tested: that it works without a network, which needs root on Linux\n')
  return [program, []]
}

test('the package can be installed into an empty folder, and works there without a network', async () => {
  const prefix = new Folder().path
  const tarball = `./release/qanat-${version}.tgz`
  output('npm', ['install', '--global', '--allow-scripts=better-sqlite3', '--prefix', prefix, tarball])
  expect(readdirSync(join(prefix, 'share/man/man1'))).toContain('qanat-run.1')
  const project = await shellProject()
  const [program, words] = offline(join(prefix, 'bin/qanat'))
  expect(output(program, [...words, '--version'])).toContain(`qanat/${version} `)
  output(program, [...words, 'run', 'it', ...groups('echo one', 'echo two')], project)
  expect(await project.show()).toMatchObject({ status: 'finished', groups: { finished: 2 } })
})

const isX64 = process.platform === 'linux' && process.arch === 'x64'

describe.skipIf(skips('the archive', isX64 ? null : 'it is made for Linux x64'))('the archive', () => {
  test('is for systems from glibc 2.28 on, and contains all licences', () => {
    expect(printed).toContain('needs glibc 2.28\n')
    const folder = unpack(new Folder().path)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path => /licen[cs]e/i.test(path))
    expect(files.sort()).toEqual([
      'LICENSE',
      'lib/node/LICENSE',
      'lib/qanat/dist/LICENSES.txt',
      'lib/qanat/node_modules/better-sqlite3/LICENSE',
      'lib/qanat/node_modules/bindings/LICENSE.md',
      'lib/qanat/node_modules/file-uri-to-path/LICENSE',
    ])
  })

  test('has man pages, which man finds beside the program', () => {
    const folder = new Folder({ PATH: `${join(unpack(new Folder().path), 'bin')}:${process.env.PATH}` })
    expect(output('man', ['qanat-why'], folder)).toMatch(/SYNOPSIS\n +qanat why RUN/)
  })

  test('works without Node.js, from a read-only folder, through a link', ({ skip }) => {
    const reason = buildBox()
    if (skips('a machine without Node.js', reason)) skip()
    const [programs, work] = [new Folder(), new Folder()]
    unpack(programs.path)
    chmodSync(programs.path, 0o755)
    work.write('try.sh', inBox)
    mkdirSync(join(work.path, 'bin'))
    symlinkSync("/opt/Ada's programs/qanat-linux-x64/bin/qanat", join(work.path, 'bin/qanat'))
    execFileSync('chown', ['-R', '1000:1000', work.path])
    const box = process.env.BOX ?? '/var/tmp/qanat-cluster-box'
    output('bash', ['test/package/box.sh', box, programs.path, work.path])
    const { runs } = JSON.parse(work.read('status.json'))
    expect(runs).toMatchObject([{ status: 'finished', groups: { finished: 3 } }])
    expect(work.read('project/results/it/run_1/group_2/stdout.txt')).toMatch(/^--seed 2 /)
  })

  test('can be replaced while a run lives', async () => {
    const programs = new Folder().path
    const folder = unpack(programs)
    const qanat = join(folder, 'bin/qanat')
    const project = await shellProject()
    const lasting = `${tells('a')}; ${awaits('end')}`
    output(qanat, ['run', '--detach', '--n_threads', '1', 'it', ...groups(lasting, 'echo next')], project)
    const supervisor = parentOf(parentOf(await processCalled(project, 'a')))
    expect(readlinkSync(`/proc/${supervisor}/exe`)).toBe(join(folder, 'lib/node/bin/node'))
    const state = () => JSON.parse(output(qanat, ['run_show', 'it', '1', '--json'], project)).status
    unpack(programs)
    expect(state()).toBe('running')
    rmSync(folder, { recursive: true })
    unpack(programs)
    expect(state()).toBe('running')
    open(project, 'end')
    output(qanat, ['run_wait', 'it', '1'], project)
    expect(state()).toBe('finished')
    expect(project.read('results/it/run_1/group_1/stdout.txt')).toBe('next\n')
    output(qanat, ['run', 'it', 'true'], project)
  })
})

const inBox = `
if command -v node; then exit 1; fi
if touch /opt/written; then exit 1; fi
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
mkdir /mnt/project; cd /mnt/project; git init --quiet
echo 'echo "$@"' >it.sh; printf 'name: it\\nexecutable: it.sh\\nexecutable_command: sh\\n' >it.yaml
git add --all; git commit --quiet --message 'A script'
qanat init --yes
qanat experiment new -f it.yaml
qanat run it -R '--seed 0 3 1' --n_threads 2
qanat experiment status it --json >/mnt/status.json
`
