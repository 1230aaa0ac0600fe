import { expect, test } from 'vitest'
import { gate, inShell, pythonScript, tryKind } from './kind.js'
import { asked } from './tools.js'

// Tools that take long to install: ENVIRONMENTS='poetry hatch pdm pipenv meson scikit cmake ninja nox dvc' npm run test:environments

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

test.runIf(asked.includes('cmake') && asked.includes('ninja'))(
  'cmake and ninja build the sources of the copy, whatever was configured in the tree',
  async () => {
    const configure = 'cmake -S . -B build -G Ninja >/dev/null'
    const sources = {
      'CMakeLists.txt': 'cmake_minimum_required(VERSION 3.15)\nproject(sim C)\nadd_executable(sim sim.c)\n',
      'sim.c': '#include <stdio.h>\nint main(void) { printf("%d\\n", 1); return 0; }\n',
      'run.sh': `${gate}${configure} && ninja -C build >/dev/null && exec build/sim\n`,
      'ninja.sh': `${gate}ninja -C build >/dev/null && exec build/sim\n`,
      '.gitignore': '/build\n/results\n',
    }
    const make = `${configure}; ninja -C build`
    const later = "sed -i 's/1/2/' sim.c; git commit -qam 2; ninja -C build"
    const given = { files: sources, make, command: 'sh', edit: later }
    const tried = await tryKind({ ...given, script: 'run.sh' })
    expect(tried).toMatchObject({ printed: ['1', '1', '1'], kept: [], changed: [] })
    expect(tried.said).toMatch(/^Warning: the frozen copy has what CMake built, but not its configuration.*: build\n/)
    // It built the sources of the tree.
    const unconfigured = await tryKind({ ...given, script: 'ninja.sh' })
    expect(unconfigured).toMatchObject({ printed: Array(3).fill(expect.stringContaining('build.ninja')), changed: [] })
  },
)

test.runIf(asked.includes('nox'))(
  'nox makes an environment for the copy, and leaves that of the tree alone',
  async () => {
    const sources = {
      ...files,
      'pyproject.toml': `${files['pyproject.toml']}[project.scripts]\napp = "app:main"\n`,
      'noxfile.py': `import nox
@nox.session(venv_backend="uv")
def train(session):
    session.install("-e", ".")
    session.run("app", *session.posargs)
`,
      'src/app/__init__.py': `VALUE = 1
def main():
    exec(${JSON.stringify(pythonScript('import sys; print(VALUE, __file__, sys.prefix)'))}, globals())
`,
      '.gitignore': '/results\n/.nox\n__pycache__\n',
      'run.sh': 'exec nox -R -s train -- "$@" 2>/dev/null\n',
    }
    const make = 'nox -s train --install-only 2>/dev/null'
    const later = "sed -i 's/VALUE = 1/VALUE = 2/' src/app/__init__.py"
    const tried = await tryKind({ files: sources, make, command: 'sh', script: 'run.sh', edit: later })
    const inCopy =
      /^1 \S*\/\.qanat\/cache\/[0-9a-f]{12}\/src\/app\/__init__.py \S*\/\.qanat\/cache\/[0-9a-f]{12}\/\.nox\/train$/
    expect(tried).toMatchObject({ printed: Array(3).fill(expect.stringMatching(inCopy)), kept: [], changed: [] })
  },
)

test.runIf(asked.includes('dvc'))(
  'a rerun reads the data that DVC had in its commit, and the tree keeps its own',
  async () => {
    const sources = {
      '.gitignore': '/results\n',
      'run.sh': `${gate}dvc checkout --quiet; cat data/a.txt one.csv\n`,
      'data/a.txt': 'first\n',
      'one.csv': 'first\n',
    }
    const { project, ...tried } = await tryKind({
      ...{ files: sources, make: 'dvc init -q; dvc add -q data one.csv', command: 'sh', script: 'run.sh' },
      edit: 'echo second | tee data/a.txt >one.csv; dvc add -q data one.csv; git commit -qam 2',
    })
    expect(tried.printed[2]).toMatch(/^first\n/)
    await inShell(project, 'touch .qanat/gate_go; qanat rerun -q 1')
    expect(project.read('results/it/run_2/group_2/stdout.txt')).toBe('first\nfirst\n')
    expect([project.read('data/a.txt'), project.read('one.csv')]).toEqual(['second\n', 'second\n'])
  },
)
