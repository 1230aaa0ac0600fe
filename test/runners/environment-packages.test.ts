import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../project/temporary.js'
import { pathOf, pythonWith, record, treeOf, withNumpy } from './environment-record.js'

test('an environment that is only active does not count, and what a script of the shell starts is not known', () => {
  const active = treeOf({ ...withNumpy, 'pyvenv.cfg': '', 'conda-meta/r-base-4.3.1-h1_0.json': '' })
  const env = { VIRTUAL_ENV: active, CONDA_PREFIX: active, LOADEDMODULES: 'gcc/12.2:a/b/1:plain' }
  const own = treeOf({ ...pythonWith('six-1.0.dist-info/x'), 'pyvenv.cfg': '' })
  const { named } = record(own, ['bin/python3'], env)
  expect([named('package'), named('conda'), named('unknown')]).toEqual([{ six: '1.0' }, {}, {}])
  expect(named('module')).toEqual({ gcc: '12.2', 'a/b': '1', plain: '' })
  const shell = record(own, ['sh'], env)
  expect([shell.named('interpreter'), shell.named('unknown')]).toEqual([{}, { interpreter: 'behind sh' }])
})

test.each([
  ['none', [], { added: '1.0', user: '1.0', six: '1.0' }],
  ['without the folder of the user', ['-us'], { added: '1.0', six: '1.0' }],
  ['without variables', ['-W', '-s', '-E'], { user: '1.0', six: '1.0' }],
  ['isolated', ['-X', 'dev', '-I', 'x.py', '-S'], { six: '1.0' }],
  ['without packages', ['-S'], { added: '1.0' }],
])('the options of Python count: %s', (_, options, packages) => {
  const folder = treeOf({
    ...pythonWith('six-1.0.dist-info/x'),
    'added/added-1.0.dist-info/x': '',
    '.local/lib/python3.11/site-packages/user-1.0.dist-info/x': '',
  })
  const { named } = record(folder, ['bin/python3', ...options], { PYTHONPATH: 'added' })
  expect(named('package')).toEqual(packages)
})

test('of two versions the one counts that comes first on the path, to which .pth files add', () => {
  const further = treeOf({ 'six-3.0.dist-info/x': '', 'far-1.0.dist-info/x': '' })
  const base = treeOf(pythonWith('six-2.0.dist-info/x', 'base-1.0.dist-info/x'))
  const overlay = `import site; site.addsitedir(__import__("os").fsdecode(b"${base}/lib/python3.11/site-packages"))`
  const folder = treeOf({
    ...pythonWith('six-1.0.dist-info/x'),
    'lib/python3.11/site-packages/a.pth': `# a remark\n\nimport os\n${further}\n`,
    'lib/python3.11/site-packages/_uv.pth': overlay,
    'pyvenv.cfg': '',
  })
  expect(record(folder, ['bin/python3']).named('package')).toEqual({ six: '1.0', base: '1.0', far: '1.0' })
})

test.each([
  ['in its first line', '#!BASE/bin/python3\n'],
  ['where a first line would be too long', `#!/bin/sh\n'''exec' "BASE/bin/python3" "$0" "$@"\n' '''\n`],
])('the Python of a script that pip has made is found %s', (_, text) => {
  const folder = treeOf(withNumpy)
  treeOf({ 'bin/torchrun': `${text.replace('BASE', folder)}import torch\n` }, folder)
  expect(record(folder, ['bin/torchrun', '--nproc', '2']).named('package')).toEqual({ numpy: '2.0' })
})

test.each<[string, string[], Record<string, string>, string]>([
  ['its folder', ['uv', 'run', 'python3'], {}, ''],
  ['nothing that it would install', ['uv', 'run', '--no-sync', '-q'], {}, ''],
  ['packages of its own', ['uv', 'run', '--with', 'six', 'python3'], {}, 'uv'],
  ['packages in the script', ['uv', 'run'], { 'exp/it.py': '# /// script\n' }, 'uv'],
  ['another launcher that has it there', ['poetry', 'run', 'python3'], {}, ''],
  ['one that keeps it elsewhere', ['hatch', 'run', 'python3'], {}, 'hatch'],
  ['the folders of pixi', ['pixi', 'run', 'python3'], {}, 'pixi'],
  ['one that does not run it', ['uv', 'tool', 'x'], {}, 'uv'],
])('the environment of a launcher is known before it runs only if that is certain: %s', (_, words, files, behind) => {
  const folder = treeOf({ '.venv/pyvenv.cfg': '', ...files })
  treeOf({ ...withNumpy, 'bin/python': '#!/bin/sh\necho Python 3.11.7\n' }, join(folder, '.venv'))
  const { named } = record(folder, words)
  const expected = behind === '' ? [{ numpy: '2.0' }, {}] : [{}, { interpreter: `behind ${behind}` }]
  expect([named('package'), named('unknown')]).toEqual(expected)
})

const commit = 'c'.repeat(40)
const hash = 'a'.repeat(64)
const content = expect.stringMatching(/^1\.0 content [0-9a-f]{64}$/)

test.each([
  ['of a commit', `{"url": "x", "vcs_info": {"commit_id": "${commit}", "vcs": "git"}}`, `1.0 commit ${commit}`],
  ['as uv writes it', `{"url":"x","vcs_info":{"vcs":"git","commit_id":"${commit}"}}`, `1.0 commit ${commit}`],
  ['of an archive', `{"archive_info": {"hash": "sha256=${hash}", "hashes": {}}, "url": "x"}`, `1.0 sha256 ${hash}`],
  ['of another', `{"url":"x","archive_info":{"hashes":{"sha256":"${hash}"}}}`, `1.0 sha256 ${hash}`],
  ['of an archive without a hash', '{"url":"file:///x.whl","archive_info":{}}', content],
  ['of a folder', '{"dir_info": {}, "url": "file:///x"}', content],
])('a package that is from no index has more than a version: %s', (_, text, value) => {
  const info = 'lib/python3.11/site-packages/six-1.0.dist-info'
  const listed = (of: string) => `../../../bin/six,sha256=${of},9\nsix.py,sha256=x,9\nsix-1.0.dist-info/RECORD,,\n`
  const folder = treeOf({ ...pythonWith(), [`${info}/direct_url.json`]: text, [`${info}/RECORD`]: listed('a') })
  const six = () => record(folder, ['bin/python3']).named('package').six!
  const before = six()
  expect(before).toEqual(value)
  // Scripts have the path of their environment.
  treeOf({ [`${info}/RECORD`]: listed('b') }, folder)
  expect(six()).toBe(before)
  treeOf({ [`${info}/RECORD`]: listed('b').replace('=x', '=y') }, folder)
  expect(six() === before).toBe(!before.includes('content'))
})

test('of an editable package the state of its own repository is recorded; without one it is not known', () => {
  const git = (folder: string, ...words: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { encoding: 'utf8' })
  const installed = (name: string, path: string) => ({
    [`lib/python3.11/site-packages/${name}-1.0.dist-info/direct_url.json`]: `{"dir_info": {"editable": true}, "url": "file://${encodeURI(path)}"}`,
  })
  const folder = treeOf({ ...pythonWith(), 'libs/own/x.py': '' })
  const apart = treeOf({ 'x.py': 'V = 1' }, join(folderWith(), 'ä part'))
  const plain = folderWith({ 'x.py': '' })
  for (const each of [folder, apart]) git(each, 'init', '--quiet')
  git(apart, 'add', '.')
  git(apart, 'commit', '--quiet', '-m', 'one')
  treeOf(
    { ...installed('own', join(folder, 'libs/own')), ...installed('apart', apart), ...installed('plain', plain) },
    folder,
  )
  const values = () => record(folder, ['bin/python3'])
  const clean = values().named('package')
  const head = git(apart, 'rev-parse', 'HEAD').trim()
  expect([clean.own, clean.apart]).toEqual(['1.0 editable ./libs/own', `1.0 editable ${apart} commit ${head}`])
  expect(values().named('unknown')).toEqual({ plain: `editable in ${plain}, which is in no repository of git` })
  writeFileSync(join(apart, 'new.py'), '')
  const withFile = values().named('package').apart
  writeFileSync(join(apart, 'x.py'), 'V = 2')
  const changed = values().named('package').apart
  expect(changed).toMatch(/ \+ changes [0-9a-f]{64}$/)
  expect(new Set([clean.apart, withFile, changed]).size).toBe(3)
})

test('the packages of Node are those above its script, as npm has written them', () => {
  const packages = {
    'node_modules/ms': { version: '2.1.3', license: 'MIT', engines: { node: '>=4' } },
    'node_modules/a/node_modules/ms': { version: '1.0.0', dependencies: { version: '9' } },
    'node_modules/own': { resolved: 'packages/own', link: true },
    'node_modules/@x/from.git': {
      version: '1.2.0',
      resolved: `git+ssh://git@x/y.git#${commit}`,
      integrity: 'sha512-A',
    },
    'node_modules/packed': { version: '0.1.0', resolved: 'file:packed.tgz', integrity: 'sha512-B==' },
    'packages/own': { version: '1.0.0' },
  }
  const folder = treeOf({
    'bin/node': '#!/bin/sh\necho v20.1.0\n',
    'exp/it.py': '',
    'packages/own/x.js': '',
    'node_modules/.package-lock.json': JSON.stringify({ name: 'x', lockfileVersion: 3, packages }, null, 2),
  })
  execFileSync('git', ['-C', folder, 'init', '--quiet'])
  expect(record(folder, ['node'], pathOf(folder)).named('npm')).toEqual({
    ...{ ms: '2.1.3', 'a/node_modules/ms': '1.0.0', own: 'editable ./packages/own' },
    ...{ '@x/from.git': `1.2.0 commit ${commit}`, packed: '0.1.0 sha512-B==' },
  })
  const other = treeOf({ 'x.yml': '' }, join(folder, 'exp/node_modules'))
  expect(record(folder, ['node'], pathOf(folder)).named('unknown')).toEqual({
    npm: `in ${other}, which npm has not made`,
  })
})

test('the packages of R are those in its libraries, by their content if they are from no repository', () => {
  const described = (more: string) => `Package: x\nVersion: 1.0\n${more}`
  const folder = treeOf({
    'lib/R/bin/R': '',
    'lib/R/library/base/DESCRIPTION': 'Version: 4.2.2\nPriority: base\n',
    'own/cran/DESCRIPTION': described('Repository: CRAN\nRemoteSha: 1.0\n'),
    'own/hub/DESCRIPTION': described(`RemoteSha: ${commit}\n`),
    'own/local/DESCRIPTION': described('Built: R 4.2.2\n'),
    'own/local/R/local.rdb': 'code',
    'bin/Rscript': 'no script',
  })
  const { named } = record(folder, ['Rscript'], {
    ...pathOf(folder),
    R_LIBS: join(folder, 'own'),
    R_LIBS_SITE: '/none',
  })
  expect(named('interpreter')).toEqual({ path: join(folder, 'lib/R/bin/R'), version: 'R version 4.2.2' })
  expect(named('r')).toEqual({ base: '4.2.2', cran: '1.0', hub: `1.0 commit ${commit}`, local: content })
})

test('of an interpreter whose packages cannot be listed this is said', () => {
  const folder = treeOf({ 'bin/julia': '#!/bin/sh\necho julia version 1.9\n' })
  const { named } = record(folder, ['julia'], pathOf(folder))
  expect([named('interpreter').version, named('unknown')]).toEqual(['julia version 1.9', { packages: 'of julia' }])
})
