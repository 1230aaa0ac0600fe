// Makes what is handed out, in release/: the package for npm, and, on Linux, an archive and a wheel for machines without
// Node.js. Their Node.js is the one that runs this script; the native module is compiled for systems as old as that takes.
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const release = 'release'
const archive = `qanat-linux-${process.arch}`
/** Python's names of the processors. */
const machine = { x64: 'x86_64', arm64: 'aarch64' }[process.arch]

rmSync(release, { recursive: true, force: true })
mkdirSync(release)
const tarball = `${release}/${run('npm', ['pack', '--silent', '--pack-destination', release]).trim().split('\n').at(-1)}`
console.log(tarball)
if (process.platform !== 'linux' || !machine) {
  console.log('no archive and no wheel: these are made on Linux, on x86-64 or ARM64')
} else {
  const stage = mkdtempSync(join(tmpdir(), 'qanat-package-'))
  try {
    makeArchive(stage)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

/** The archive has the folders that an environment has, so that the wheel is made of the same. */
function makeArchive(stage) {
  const root = `${stage}/${archive}`
  const program = `${root}/share/qanat`
  const node = `${program}/node`
  for (const folder of [`${root}/bin`, `${root}/share/man`, `${node}/bin`]) mkdirSync(folder, { recursive: true })
  copyFileSync('bin/packaging/qanat', `${root}/bin/qanat`)
  run('tar', ['-xzf', tarball, '-C', program, '--strip-components=1'])
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE']) renameSync(`${program}/${file}`, `${root}/${file}`)
  // Where man looks for the pages of a program in bin.
  renameSync(`${program}/dist/man`, `${root}/share/man/man1`)
  copyFileSync(process.execPath, `${node}/bin/node`)
  copyFileSync(licenceOfNode(), `${node}/LICENSE`)

  // What better-sqlite3 loads at run time; the rest of its dependencies is for its installation.
  for (const name of ['bindings', 'file-uri-to-path']) {
    cpSync(`node_modules/${name}`, `${program}/node_modules/${name}`, { recursive: true })
  }
  const [module, built] = [`${program}/node_modules/better-sqlite3`, 'build/Release/better_sqlite3.node']
  mkdirSync(dirname(`${module}/${built}`), { recursive: true })
  for (const path of ['package.json', 'LICENSE', 'lib']) {
    cpSync(`node_modules/better-sqlite3/${path}`, `${module}/${path}`, { recursive: true })
  }
  copyFileSync(join(compileModule(stage), built), `${module}/${built}`)

  const anyone = ['--owner=0', '--group=0', '--mode=u=rwX,go=rX', '--sort=name']
  run('tar', ['-czf', `${release}/${archive}.tar.gz`, ...anyone, '-C', stage, archive])
  const files = [`${node}/bin/node`, `${module}/${built}`]
  const glibc = newest('GLIBC', files)
  console.log(`${release}/${archive}.tar.gz: ${process.version}, needs glibc ${glibc}`)
  console.log(`  and a libstdc++ with GLIBCXX_${newest('GLIBCXX', files)}`)
  const tag = `py3-none-manylinux_${glibc.replace('.', '_')}_${machine}`
  process.stdout.write(run('python3', ['bin/packaging/wheel.py', root, tag, release]))
}

/** Compiles better-sqlite3 apart from the one that is installed here. @returns its folder */
function compileModule(stage) {
  const folder = `${stage}/better-sqlite3`
  cpSync('node_modules/better-sqlite3', folder, { recursive: true, filter: path => !path.endsWith('/build') })
  copyFileSync('bin/packaging/glibc-2.28.h', `${folder}/glibc-2.28.h`)
  // Relative to the folder in which make runs.
  const flags = '-include ../glibc-2.28.h'
  run('npm', ['run', 'build-release'], { cwd: folder, env: { ...process.env, CFLAGS: flags, CXXFLAGS: flags } })
  return folder
}

/** Where Node.js has it: beside the program in the builds of nodejs.org, among the documentation in packages. */
function licenceOfNode() {
  const prefix = dirname(dirname(process.execPath))
  const found = ['LICENSE', 'share/doc/nodejs/LICENSE'].map(path => join(prefix, path)).find(existsSync)
  if (!found) throw new Error(`no licence of Node.js in ${prefix}; use a build of nodejs.org`)
  return found
}

/** The newest version of a library that the symbols of these files ask for. */
function newest(library, files) {
  const symbols = run('objdump', ['-T', ...files])
  const versions = Array.from(symbols.matchAll(new RegExp(`\\(${library}_([0-9.]+)\\)`, 'g')), ([, version]) => version)
  return versions.sort(new Intl.Collator('en', { numeric: true }).compare).at(-1)
}

/** @returns what the program has printed; where it fails, its complaints are in the error */
function run(program, words, options = {}) {
  return execFileSync(program, words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1e9,
    ...options,
  })
}
