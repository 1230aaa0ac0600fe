import {
  type Dirent,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { importsFolder } from '../../src/code/imports/imports-folder.js'
import { interpreterOf } from '../../src/code/imports/interpreter.js'
import { lockSentences } from '../../src/code/imports/locked-packages.js'
import { provideNodeModules } from '../../src/code/imports/node-modules.js'
import { ownPackages, replaceModules } from '../../src/code/imports/python-packages.js'
import { rowsOf } from '../cases.js'
import { folderWith } from '../project/temporary.js'

test.each(
  rowsOf(`
    env/bin/python                   |                             | env    |
    ./env/bin/python3.12 -u          |                             | env    |
    $AT/env/bin/python -Iu           |                             | env    | -Iu
    env/bin/python -W ignore -m app  |                             | env    |
    env/bin/python -c -I             |                             | env    |
    env/bin/python -sE               |                             | env    | -sE
    nice -n 5 env X=1 env/bin/python |                             | env    |
    python                           |                             | onpath |
    env/bin/tool                     |                             | env    |
    env/bin/long                     |                             | env    |
                                     | #!/usr/bin/env python       | onpath |
                                     | #!/usr/bin/env -S python -I | onpath | -I
    sh                               |                             |        |
    uv run python -I                 |                             | .venv  | -I
    poetry run python                |                             |        |
    missing/bin/python               |                             |        |
  `),
)('the command "%s" of a script with the first line "%s" runs the Python of "%s"', (words, line, prefix, option) => {
  const root = folderWith({ 's.py': `${line}\n`, 'env/pyvenv.cfg': '', 'onpath/pyvenv.cfg': '' })
  const programs = {
    ...{ 'env/bin/python': '', 'env/bin/python3.12': '', 'onpath/bin/python': '' },
    'env/bin/tool': `#!${root}/env/bin/python\n`,
    'env/bin/long': `#!/bin/sh\n'''exec' "${root}/env/bin/python" "$0" "$@"\n`,
  }
  for (const [path, text] of Object.entries(programs)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { mode: 0o755 })
  }
  const places = {
    root,
    copy: root,
    tree: root,
    repository: root,
    worktrees: [],
    isPrepared: false,
    script: join(root, 's.py'),
  }
  const variables = { PATH: `${root}/onpath/bin`, AT: root }
  const given = {
    words: words!.split(' ').filter(Boolean),
    venv: '',
    conda: '',
    changesPath: false,
    set: {},
    variables,
  }
  const expected = { prefix: prefix ? join(root, prefix) : null, option: option || null }
  expect(interpreterOf({ ...places, ...given })).toEqual(expected)
})

test.each([
  ['poetry.lock', '[[package]]\nname = "Six"\nversion = "1.16.0"\ndescription = "x"\n', 'six 1.15.0 instead of 1.16.0'],
  ['uv.lock', '[[package]]\nname = "six"\nversion = "1.15.0"\n\n[[package]]\nname = "six"\nversion = "1.16.0"\n', null],
  ['pdm.lock', '[[package]]\nname = "under-score"\nversion = "2024.01.3"\n', null],
  ['pylock.toml', '[[packages]]\nname = "other"\nversion = "9"\n', null],
  [
    'Pipfile.lock',
    JSON.stringify({ default: { six: { hashes: ['sha256:0'], version: '==1.14.0' } } }, null, 4),
    'six 1.15.0 instead of 1.14.0',
  ],
  ['pixi.lock', '- conda: https://x.org/conda-forge/noarch/six-1.17.0-pyh_0.conda\n', 'six 1.15.0 instead of 1.17.0'],
])('packages in other versions than %s says are told', (name, text, expected) => {
  const root = folderWith({ [name]: text, 'env/pyvenv.cfg': '' })
  const site = join(root, 'env/lib/python3.12/site-packages')
  for (const info of ['six-1.15.0', 'under_score-2024.1.3', 'app-1'])
    mkdirSync(join(site, `${info}.dist-info`), { recursive: true })
  const sentence = `${name} of this commit is not what ${root}/env holds, which the groups use: ${expected}`
  expect(lockSentences({ root, copy: root, variables: {} }, join(root, 'env'))).toEqual(expected ? [sentence] : [])
})

test('packages of the repository are told by their origin, not by the beginning of a path', () => {
  const root = realpathSync(folderWith({ 'pfx/sub/x': '', 'pfx-other/x': '', 'site/none-1.dist-info/RECORD': '' }))
  const origins = {
    app: { url: `file://${root}/pfx`, dir_info: { editable: true } },
    sub: { url: `file://${root}/pfx/sub`, dir_info: {} },
    wheel: { url: `file://${root}/pfx/wheel-1.whl`, archive_info: {} },
    other: { url: `file://${root}/pfx-other`, dir_info: { editable: true } },
    remote: { url: 'https://example.org/remote.git', vcs_info: {} },
    frozen: { url: `file://${root}/pfx/.qanat/cache/0123456789ab`, dir_info: { editable: true } },
  }
  for (const [name, origin] of Object.entries(origins)) {
    mkdirSync(join(root, `site/${name}-1.dist-info`))
    writeFileSync(join(root, `site/${name}-1.dist-info/direct_url.json`), JSON.stringify(origin))
  }
  const found = ownPackages(join(root, 'site'), [join(root, 'pfx')])
  expect(found.map(({ name, source, editable }) => [name, source, editable])).toEqual([
    ['app', '', true],
    ['sub', 'sub', false],
    ['wheel', '', false],
  ])
})

test('modules that were installed as a copy have their sources in src, beside the project, or nowhere', () => {
  const root = realpathSync(folderWith({ 'copy/src/app/__init__.py': '', 'copy/single.py': '', 'site/x': '' }))
  const modules = ['app/__init__.py', 'app/fast.cpython-312.so', 'single.py', 'gone/__init__.py']
  const files = [...modules, '__pycache__/x.pyc', 'app-1.dist-info/RECORD', '../../../bin/app']
  const installed = { name: 'app', site: join(root, 'site'), source: '', editable: false, files }
  expect(replaceModules(installed, join(root, 'copy'))).toEqual({
    sources: { [`${root}/site/app`]: `${root}/copy/src/app`, [`${root}/site/single.py`]: `${root}/copy/single.py` },
    missing: ['gone'],
    compiled: ['app/fast.cpython-312.so'],
  })
})

test('links of node_modules into the repository lead into the copy, and others to the tree', () => {
  const files = ['packages/model/cli.js', 'packages/lab/x', 'node_modules/ms/bin.js', 'other/node_modules/ms/x']
  const root = realpathSync(
    folderWith({ 'beside/x': '', ...Object.fromEntries(files.map(file => [`tree/${file}`, ''])) }),
  )
  const [tree, copy] = [join(root, 'tree'), join(root, 'tree/.qanat/cache/0123456789ab')]
  const modules = join(tree, 'node_modules')
  const links = {
    ...{ model: '../packages/model', beside: '../../beside', gone: '../packages/gone' },
    ...{ '@lab/x': '../../packages/lab', '@far/ms': '../ms', '.bin/cli': '../model/cli.js', '.bin/ms': '../ms/bin.js' },
  }
  for (const name of ['@lab', '@far', '.bin']) mkdirSync(join(modules, name))
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(modules, name))
  const folder = join(importsFolder(copy), 'node/node_modules')
  const provided = () => {
    const found = provideNodeModules(tree, copy, ['node_modules', 'other/node_modules', 'data'])
    const paths = ['node_modules', 'other/node_modules']
    expect(found).toEqual(new Map(paths.map(path => [path, join(importsFolder(copy), 'node', path)])))
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }) as Dirent[]
    const places = entries.filter(entry => entry.isSymbolicLink()).map(entry => join(entry.parentPath, entry.name))
    return places.map(place => [relative(folder, place), relative(root, readlinkSync(place))]).sort()
  }
  const expected = [
    ['.bin/cli', 'tree/.qanat/cache/0123456789ab/packages/model/cli.js'],
    ['.bin/ms', 'tree/node_modules/.bin/ms'],
    ['@far/ms', 'tree/node_modules/@far/ms'],
    ['@lab/x', 'tree/.qanat/cache/0123456789ab/packages/lab'],
    ['beside', 'tree/node_modules/beside'],
    ['gone', 'tree/node_modules/gone'],
    ['model', 'tree/.qanat/cache/0123456789ab/packages/model'],
    ['ms', 'tree/node_modules/ms'],
  ]
  expect(provided()).toEqual(expected)
  // What has changed since the last launch is changed here, too.
  rmSync(join(modules, 'beside'))
  symlinkSync('../ms', join(modules, '@lab/ms'))
  const added = ['@lab/ms', 'tree/node_modules/@lab/ms']
  expect(provided()).toEqual([...expected.filter(([name]) => name !== 'beside'), added].sort())
})
