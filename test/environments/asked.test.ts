import { expect, test } from 'vitest'
import { pythonScript, tryKind } from './kind.js'
import { asked } from './tools.js'

// Tools that take long to install: ENVIRONMENTS='poetry hatch pdm pipenv meson scikit' npm run test:environments

const project = (backend: string, name: string) => `[project]
name = "app"
version = "0.1.0"
description = "An app"
requires-python = ">=3.9"
dependencies = []
[build-system]
requires = ["${backend}"]
build-backend = "${name}"
`
const files: Record<string, string> = {
  'pyproject.toml': project('hatchling', 'hatchling.build'),
  '.gitignore': '/results\n/build\n/env\n/.venv\n.pdm-python\n.pdm-build\n__pycache__\n',
  'src/app/__init__.py': 'VALUE = 1\n',
  's.py': pythonScript('import app, six, sys; print(app.VALUE, app.__file__, six.__version__)'),
}
const edit = 'echo "VALUE = 2" >src/app/__init__.py'
const printed = [0, 1, 2].map(() =>
  expect.stringMatching(/^1 .*\/\.qanat\/cache\/[0-9a-f]{12}\/src\/app\/__init__.py 1.15.0$/),
)
const clean = { printed, said: '', kept: [], changed: [] }

const tools = [
  [
    'poetry',
    'poetry install -q',
    '"$(poetry env info --path)/bin/python"',
    { POETRY_VIRTUALENVS_PATH: '$OUTSIDE/poetry' },
  ],
  ['poetry', 'poetry install -q', '.venv/bin/python', { POETRY_VIRTUALENVS_IN_PROJECT: 'true' }],
  ['pdm', 'pdm install -q', '.venv/bin/python', {}],
  [
    'pdm',
    'pdm install -q',
    '"$(cat .pdm-python)"',
    { PDM_VENV_LOCATION: '$OUTSIDE/pdm', PDM_VENV_IN_PROJECT: 'false' },
  ],
  ['hatch', 'hatch -q env create', '"$(hatch env find)/bin/python"', { HATCH_DATA_DIR: '$OUTSIDE/hatch' }],
  ['pipenv', 'pipenv install -q -e .', '"$(pipenv --venv)/bin/python"', { WORKON_HOME: '$OUTSIDE/pipenv' }],
] as const

test.each(tools.filter(([tool]) => asked.includes(tool)))(
  'a frozen run uses the environment that %s has for the tree (%s, %s)',
  async (tool, install, python, environment) => {
    const make = `${install}; uv pip install -q --python ${python} six==1.15.0`
    expect(
      await tryKind({ files, make, command: `${tool} run python`, script: 's.py', edit, environment }),
    ).toMatchObject(clean)
  },
)

const meson = `project('app', 'c')
py = import('python').find_installation(pure: false)
py.install_sources('src/app/__init__.py', subdir: 'app')
`
const module = `#include <Python.h>
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "fast", 0, -1, 0};
PyMODINIT_FUNC PyInit_fast(void) { return PyModule_Create(&module); }
`
const cmake = `cmake_minimum_required(VERSION 3.15)
project(app C)
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
Python_add_library(fast MODULE src/app/fast.c WITH_SOABI)
install(TARGETS fast DESTINATION app)
`
const backends = [
  ['meson', 'a package of Python alone', project('meson-python', 'mesonpy'), { 'meson.build': meson }, ''],
  [
    'meson',
    'a package with a compiled module',
    project('meson-python', 'mesonpy'),
    { 'meson.build': `${meson}py.extension_module('fast', 'src/app/fast.c', subdir: 'app', install: true)\n` },
    'import app.fast',
  ],
  [
    'scikit',
    'a package with a compiled module',
    project('scikit-build-core', 'scikit_build_core.build'),
    { 'CMakeLists.txt': cmake },
    'import app.fast',
  ],
] as const

test.each(backends.filter(([backend]) => asked.includes(backend)))(
  '%s: %s comes from the copy, and nothing is built in the tree',
  async (_, __, text, more, line) => {
    const build = `uv pip install -q --python env/bin/python meson meson-python ninja scikit-build-core cmake`
    const make = `uv venv -q env; ${build}; uv pip install -q --python env/bin/python --no-build-isolation -e . six==1.15.0`
    const sources = {
      ...files,
      ...more,
      'pyproject.toml': text,
      'src/app/fast.c': module,
      's.py': `${files['s.py']}${line}\n`,
    }
    const tried = await tryKind({ files: sources, make, command: 'env/bin/python', script: 's.py', edit })
    expect(tried).toMatchObject({ printed, changed: [] })
    expect(tried.kept).toEqual(
      line === '' ? [] : [expect.stringMatching(/^imports live code: the compiled files of app/)],
    )
  },
)

test.runIf(asked.includes('hatch'))(
  'a script of hatch is refused, which would install the copy into the environment of the tree',
  async () => {
    const scripts = `${files['pyproject.toml']}[tool.hatch.envs.default.scripts]\ntrain = "python s.py"\n`
    const kind = { files: { ...files, 'pyproject.toml': scripts }, make: 'hatch -q env create', edit, script: 's.py' }
    const tried = tryKind({ ...kind, command: 'hatch run train', environment: { HATCH_DATA_DIR: '$OUTSIDE/hatch' } })
    await expect(tried).rejects.toThrow("'hatch run train' cannot run in a frozen copy")
  },
)
