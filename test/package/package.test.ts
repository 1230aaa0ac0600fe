import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { buildBox } from '../clusters/box.js'
import { processCalled, tells } from '../e2e/processes.js'
import { awaits, Folder, groups, open, shellProject } from '../e2e/project.js'
import { skips } from '../skips.js'

const { version, man } = JSON.parse(readFileSync('package.json', 'utf8'))
const archive = 'release/qanat-linux-x64.tar.gz'
const tag = 'py3-none-manylinux_2_28_x86_64'
const wheel = `release/qanat-${version}-${tag}.whl`
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

/** The line by which both pages of the documentation install with this program, in a clone. */
function documented(program: string): string {
  const lines = ['README.md', 'docs/how-to/install.md'].map(
    path => new RegExp(`^${program} .* \\S*release/.*`, 'm').exec(readFileSync(path, 'utf8'))![0],
  )
  expect(lines[0]).toBe(lines[1])
  return lines[0]!
}

/** Types it. @param variables of its environment */
function typed(line: string, variables: NodeJS.ProcessEnv): void {
  execFileSync('sh', ['-ec', line], { env: { ...process.env, ...variables }, stdio: 'pipe' })
}

/** Runs a script in the box, see box.sh. @returns what it has printed */
function inBox(script: string, opt: Folder, work: Folder): string {
  chmodSync(opt.path, 0o755)
  work.write('try.sh', script)
  execFileSync('chown', ['-R', '1000:1000', work.path])
  return output('bash', ['test/package/box.sh', process.env.BOX ?? '/var/tmp/qanat-cluster-box', opt.path, work.path])
}

/** Paths of the licences in a folder, sorted. */
function licencesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter(path => /^licen[cs]es?(\.|$)/i.test(basename(path)) && !statSync(join(folder, path)).isDirectory())
    .sort()
}

const programLicences = [
  'share/qanat/dist/LICENSES.txt',
  'share/qanat/node/LICENSE',
  'share/qanat/node_modules/better-sqlite3/LICENSE',
  'share/qanat/node_modules/bindings/LICENSE.md',
  'share/qanat/node_modules/file-uri-to-path/LICENSE',
]

/** Programs that cannot reach the network, where this machine lets us. */
function offline(program: string): [string, string[]] {
  if (process.platform === 'linux' && process.getuid?.() === 0) return ['unshare', ['--net', program]]
  process.stdout.write('not tested: that it works without a network, which needs root on Linux\n')
  return [program, []]
}

test('the package can be installed into an empty folder, and works there without a network', async () => {
  const prefix = new Folder().path
  typed(documented('npm'), { npm_config_prefix: prefix })
  const project = await shellProject()
  const [program, words] = offline(join(prefix, 'bin/qanat'))
  expect(output(program, [...words, '--version'])).toContain(`qanat/${version} `)
  output(program, [...words, 'run', 'it', ...groups('echo one', 'echo two')], project)
  expect(await project.show()).toMatchObject({ status: 'finished', groups: { finished: 2 } })
  expect(readdirSync(join(prefix, 'share/man/man1'))).toContain('qanat-run.1')
})

const isX64 = process.platform === 'linux' && process.arch === 'x64'

describe.skipIf(skips('the archive', isX64 ? null : 'it is made for Linux x64'))('the archive', () => {
  test('is for systems from glibc 2.28 on, and contains all licences', () => {
    expect(printed).toContain('needs glibc 2.28\n')
    expect(licencesIn(unpack(new Folder().path))).toEqual(['LICENSE', ...programLicences])
  })

  test('is unpacked and linked as the documentation says', () => {
    const home = new Folder()
    for (const folder of ['programs', 'bin']) mkdirSync(join(home.path, folder), { recursive: true })
    typed(documented('tar'), { HOME: home.path })
    expect(output(join(home.path, 'bin/qanat'), ['--version'])).toContain(`qanat/${version} `)
  })

  test('has the man pages of the package where man looks for those of a program in bin', () => {
    const pages = readdirSync(join(unpack(new Folder().path), 'share/man/man1'))
    expect(pages.map(name => `dist/man/${name}`).sort()).toEqual(man)
  })

  test('works without Node.js, from a read-only folder, through a link', ({ skip }) => {
    const reason = buildBox()
    if (skips('a machine without Node.js', reason)) skip()
    const [programs, work] = [new Folder(), new Folder()]
    unpack(programs.path)
    mkdirSync(join(work.path, 'bin'))
    symlinkSync("/opt/Ada's programs/qanat-linux-x64/bin/qanat", join(work.path, 'bin/qanat'))
    inBox(fromArchive, programs, work)
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
    await processCalled(project, 'a')
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

describe.skipIf(skips('the wheel', isX64 ? null : 'it is tested on Linux x64'))('the wheel', () => {
  const uvx = (...words: string[]) => output(join(inject('tools'), 'uvx'), ['--quiet', ...words])

  /** Makes the wheel of another version, of what is in the archive. @returns its path */
  function wheelOf(other: string, folder: string): string {
    const root = unpack(new Folder().path)
    const file = join(root, 'share/qanat/package.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace(`"version": "${version}"`, `"version": "${other}"`))
    return output('python3', ['bin/packaging/wheel.py', root, tag, folder]).trim()
  }

  test('has the bytes of what it is made of, for the systems that it names', () => {
    expect(statSync(wheel).size).toBeLessThan(60e6)
    const folder = new Folder().path
    expect(readFileSync(wheelOf(version, folder)).equals(readFileSync(wheel))).toBe(true)

    expect(uvx('auditwheel==6.8.2', 'show', wheel).replace(/\s+/g, ' ')).toContain(
      'platform tag: "manylinux_2_28_x86_64"',
    )
    // It compares each file with its hash.
    uvx('wheel==0.46.1', 'unpack', '--dest', folder, wheel)
    const name = `qanat-${version}`
    expect(licencesIn(join(folder, name))).toEqual([
      ...programLicences.map(path => `${name}.data/data/${path}`),
      `${name}.dist-info/licenses/LICENSE`,
    ])
    const [fields, text] = readFileSync(join(folder, name, `${name}.dist-info/METADATA`), 'utf8').split('\n\n# ')
    expect(fields).toContain(`\nVersion: ${version}\n`)
    expect(fields).toMatch(/^Project-URL: Repository, https:.*\.git$/m)
    expect(text).toMatch(/^Qanat\n/)
  })

  test('is installed by uv, pipx and pip without Node.js, compiler or network, and replaced under live runs', ({
    skip,
  }) => {
    const reason = buildBox()
    if (skips('a machine without Node.js', reason)) skip()
    const [opt, work] = [new Folder(), new Folder()]
    const tools = join(opt.path, 'tools')
    for (const name of ['release', 'new', 'tools']) mkdirSync(join(opt.path, name))
    copyFileSync(wheel, join(opt.path, wheel))
    wheelOf('0.2.0', join(opt.path, 'new'))
    copyFileSync(join(inject('tools'), 'uv'), join(tools, 'uv'))
    uvx(...'pip==26.3 download --quiet pip==26.3 pipx==1.18.4 --dest'.split(' '), tools)
    work.write('line', documented('uv'))
    inBox(readFileSync('test/package/wheels.sh', 'utf8'), opt, work)
    for (const project of ['by-uv', 'by-pipx', 'by-pip']) {
      expect(JSON.parse(work.read(`${project}/.qanat/before.json`))).toMatchObject({ status: 'running' })
      const { runs } = JSON.parse(work.read(`${project}/.qanat/after.json`))
      expect(runs).toMatchObject([
        { id: 2, status: 'finished', groups: { finished: 1 } },
        { id: 1, status: 'finished', groups: { finished: 2 } },
      ])
    }
  })
})

const fromArchive = `
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
