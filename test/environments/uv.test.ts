import { expect, test } from 'vitest'
import { open } from '../e2e/project.js'
import { inShell, pythonScript, tryGrid, tryKind } from './kind.js'

const project = (name: string, more: string) => `[project]
name = "${name}"
version = "0.1.0"
requires-python = ">=3.9"
[build-system]
requires = ["uv_build"]
build-backend = "uv_build"
${more}`
const files = {
  'pyproject.toml': project('app', '[tool.uv]\ndefault-groups = []\n[dependency-groups]\nold = ["six==1.16.0"]\n'),
  '.gitignore': '/results\n/.venv\n',
  'src/app/__init__.py': 'VALUE = 1\n',
  's.py': pythonScript(
    'import app, sys; print(app.VALUE, app.__file__)',
    'from importlib.util import find_spec; print(sys.prefix)',
  ),
  'run.sh': 'exec uv run --group old python s.py "$@"\n',
}
const edit = 'echo "VALUE = 2" >src/app/__init__.py'
const given = { files, make: 'uv sync -q --group old', command: 'uv run --group old python', script: 's.py', edit }
const printed = (value: number, prefix: RegExp) =>
  [0, 1, 2].map(() =>
    expect.stringMatching(
      new RegExp(`^${value} .*/\\.qanat/cache/[0-9a-f]{12}/src/app/__init__.py\n.*${prefix.source}$`),
    ),
  )
const clean = { printed: printed(1, /\/\.qanat\/cache\/[0-9a-f]{12}\/\.venv/), said: '', kept: [], changed: [] }

test('uv run installs nothing into the environment of the tree, directly and from a shell script', async () => {
  const tried = await tryKind(given)
  expect(tried).toMatchObject(clean)
  expect(await tryKind({ ...given, command: 'sh', script: 'run.sh' })).toMatchObject(clean)
})

test('an environment that uv makes for each call is made', async () => {
  const isolated = await tryKind({ ...given, command: 'uv run --quiet --isolated --group old python' })
  expect(isolated).toMatchObject({ printed: printed(1, /\/builds-v0\/[^/]+/), said: '', changed: [] })
})

test('a commit whose lock file is not what the environment holds gets an environment of its own', async () => {
  const { project: folder, outside } = await tryKind(given)
  await inShell(
    folder,
    'git checkout -q .; sed -i s/1.16.0/1.17.0/ pyproject.toml; echo VALUE = 3 >src/app/__init__.py; uv lock -q; git commit -qam newer',
  )
  const tried = await tryGrid(folder, outside, edit)
  expect(tried).toMatchObject({ printed: printed(3, /\/\.qanat\/imports\/[0-9a-f]{12}\/uv/), changed: [] })
  expect(tried.said).toMatch(
    /^Warning: uv.lock of this commit is not what .*\/\.venv holds: the groups use an environment of their own/,
  )
  await inShell(folder, 'git checkout -q .; uv sync -q --group old')
  open(folder, 'go')
  const again = await folder.qanat('rerun', '1')
  expect(again.stderr).toContain('uv.lock of this commit is not what')
  expect(folder.read('results/it/run_3/group_0/stdout.txt')).toMatch(/^1 .*\n.*\/uv\n$/)
})
