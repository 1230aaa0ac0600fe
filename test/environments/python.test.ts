import { expect, test } from 'vitest'
import { pythonScript, tryKind } from './kind.js'

const project = (backend: string, more = '') => `[project]
name = "app"
version = "0.1.0"
description = "An app"
requires-python = ">=3.9"
[build-system]
requires = ["${backend.split(' ')[0]}"]
build-backend = "${backend.split(' ')[1]}"
${more}`
const hatchling = 'hatchling hatchling.build'
const script = pythonScript('import app; print(app.VALUE, app.__file__)')
const ignored = '/results\n/env*\n*.egg-info\n/build\n__pycache__\n'

const filesOf = (backend: string, more = ''): Record<string, string> => ({
  'pyproject.toml': project(backend, more),
  '.gitignore': ignored,
  'src/app/__init__.py': '"""An app."""\nVALUE = 1\n',
  's.py': script,
})
const files = filesOf(hatchling)
const edit = 'echo "VALUE = 2" >src/app/__init__.py'
/** Shell lines that make an environment in a folder, with packages in it. */
const make = (folder: string, ...packages: string[]) =>
  `uv venv -q ${folder}; uv pip install -q --python ${folder}/bin/python ${packages.join(' ')}`
const command = 'env/bin/python'
const given = { files, make: make('env', '-e .'), command, script: 's.py', edit }

/** Each group has printed the recorded value of a module of the copy, nothing was said, and all else is as before. */
const clean = {
  printed: [0, 1, 2].map(() => expect.stringMatching(/^1 .*\/\.qanat\/cache\/[0-9a-f]{12}\/\S*$/)),
  ...{ said: '', kept: [], changed: [] },
}

test.each([
  ['setuptools', 'setuptools setuptools.build_meta', '', ''],
  ['setuptools, strict', 'setuptools setuptools.build_meta', '', '--config-settings editable_mode=strict'],
  ['setuptools, compat', 'setuptools setuptools.build_meta', '', '--config-settings editable_mode=compat'],
  [
    'setuptools, package_dir',
    'setuptools setuptools.build_meta',
    '[tool.setuptools]\npackages = ["app"]\npackage-dir = {app = "src/app"}',
    '',
  ],
  ['hatchling', hatchling, '', ''],
  ['hatchling, exact', hatchling, '[tool.hatch.build]\ndev-mode-exact = true', 'editables'],
  [
    'pdm-backend, editables',
    'pdm-backend pdm.backend',
    '[tool.pdm.build]\neditable-backend = "editables"',
    'editables',
  ],
  ['flit', 'flit_core flit_core.buildapi', '', ''],
  ['poetry-core', 'poetry-core poetry.core.masonry.api', '', ''],
  ['uv_build', 'uv_build uv_build', '', ''],
])('a package that %s has installed editable comes from the copy', async (_, backend, more, options) => {
  const sources = filesOf(backend, more)
  expect(await tryKind({ ...given, files: sources, make: make('env', '-e .', options) })).toMatchObject(clean)
})

test.each([
  ['outside', '$OUTSIDE/env'],
  ['below a folder that git ignores', 'envs/deep/py3'],
])('the environment may be %s', async (_, folder) => {
  const found = folder.replace('$OUTSIDE', '$OUTSIDE')
  expect(await tryKind({ ...given, make: make(`"${folder}"`, '-e .'), command: `${found}/bin/python` })).toMatchObject(
    clean,
  )
})

test('the environment may be that of another worktree, where the package is installed editable', async () => {
  const other = `git add pyproject.toml src; git commit -qm 1; git worktree add -q "$OUTSIDE/other"; (cd "$OUTSIDE/other"; ${make('env', '-e .')})`
  const tried = await tryKind({
    ...{ ...given, make: `${other}; ln -s "$OUTSIDE/other/env" env` },
    edit: `${edit}; cp src/app/__init__.py "$OUTSIDE/other/src/app"`,
  })
  expect(tried).toMatchObject(clean)
})

test('PYTHONPATH leads into the copy, and so does a path that a script adds', async () => {
  const variable = 'qanat config set local.default.env.PYTHONPATH "$PWD/src"; git commit -qam config'
  expect(await tryKind({ ...given, make: `${make('env', 'six')}; ${variable}` })).toMatchObject(clean)
  const text = pythonScript(
    'import sys; sys.path.insert(0, os.environ["QANAT_PROJECT"] + "/src")',
    ...script.split('\n').slice(2),
  )
  expect(await tryKind({ ...given, files: { ...files, 's.py': text }, make: make('env', 'six') })).toMatchObject(clean)
})

test('a console script and what a shell script starts import from the copy', async () => {
  const sources: Record<string, string> = {
    ...files,
    'pyproject.toml': project(hatchling, '[project.scripts]\napp = "app:main"'),
    'run.sh': 'env/bin/app\n',
  }
  sources['src/app/__init__.py'] =
    `VALUE = 1\ndef main():\n    exec(${JSON.stringify(pythonScript('print(VALUE, __file__)'))}, globals())\n`
  const again = { ...given, files: sources, edit: "sed -i 's/VALUE = 1/VALUE = 2/' src/app/__init__.py" }
  expect(await tryKind({ ...again, command: 'sh', script: 'run.sh' })).toMatchObject(clean)
  expect(await tryKind({ ...again, command: 'env/bin/app', script: 's.py' })).toMatchObject(clean)
})

test('a package that was installed as a copy comes from the copy of the commit', async () => {
  const tried = await tryKind({ ...given, make: `${make('env', '.')}; echo "VALUE = 3" >src/app/__init__.py`, edit })
  expect(tried).toMatchObject({
    ...clean,
    printed: clean.printed.map(() => expect.stringMatching(/^3 .*\/\.qanat\/cache\/\w+\/src\/app/)),
  })
})

test('what cannot come from the copy is said, and kept with the run', async () => {
  const tried = await tryKind({ ...given, command: 'env/bin/python -Iu' })
  expect(tried.printed[2]).toMatch(/^2 /)
  expect(tried.said).toMatch(/^Warning: imports live code: with -Iu, Python takes app as .*\/site-packages has it/)
  expect(tried.kept).toEqual([expect.stringMatching(/^imports live code: with -Iu/)])
  expect(await tried.project.json('run_show', '1', '--json')).toMatchObject({ imports_live_code: true })
})

test.each([
  ['PYTHONPATH=lib env/bin/python s.py', 'said'],
  ['export PYTHONPATH="$PWD/lib:$PYTHONPATH"; env/bin/python s.py', 'clean'],
  ['PYTHONPATH=lib:src env/bin/python s.py', 'clean'],
])('a shell script with %s is %s', async (line, outcome) => {
  const sources = { ...files, 'run.sh': `${line}\n` }
  const tried = await tryKind({ ...given, files: sources, command: 'sh', script: 'run.sh' })
  if (outcome === 'clean') expect(tried).toMatchObject(clean)
  else
    expect(tried.kept).toEqual([expect.stringMatching(/^imports live code: where PYTHONPATH is set anew.* takes app /)])
})

test('a module that is loaded by its path in the tree is named at the end', async () => {
  const text = pythonScript(
    'import importlib.util as u',
    'spec = u.spec_from_file_location("app", os.environ["QANAT_PROJECT"] + "/src/app/__init__.py")',
    'import sys; app = sys.modules["app"] = u.module_from_spec(spec); spec.loader.exec_module(app); print(app.VALUE)',
  )
  const tried = await tryKind({ ...given, files: { ...files, 's.py': text } })
  expect(tried).toMatchObject({
    printed: ['2', '2', '2'],
    kept: [expect.stringMatching(/^imports live code: app \(.*\/src\/app\/__init__.py\)$/)],
  })
})

test('what lies outside is left alone: packages elsewhere, a sitecustomize, modules of the same name', async () => {
  const sources: Record<string, string> = { ...files, 'src/random.py': 'raise SystemExit("shadowed")\n' }
  sources['s.py'] = pythonScript(
    'import app, beside, random, sitecustomize; print(app.VALUE, beside.__file__, sitecustomize.HERE)',
  )
  const packages = `mkdir -p "$OUTSIDE/it-beside/src/beside" "$OUTSIDE/site"; echo "HERE = 5" >"$OUTSIDE/site/sitecustomize.py"
    touch "$OUTSIDE/it-beside/src/beside/__init__.py"; sed s/app/beside/ pyproject.toml >"$OUTSIDE/it-beside/pyproject.toml"`
  const tried = await tryKind({
    ...given,
    files: sources,
    make: `${packages}\n${make('env', '-e .', '-e "$OUTSIDE/it-beside"')}
    qanat config set local.default.env.PYTHONPATH "$OUTSIDE/site"`,
  })
  expect(tried).toMatchObject({
    ...clean,
    printed: clean.printed.map(() => expect.stringMatching(/^1 .*\/it-beside\/src\/beside\/__init__.py 5$/)),
  })
})
