import { expect, test } from 'vitest'
import { pythonScript, tryKind } from './kind.js'

const pyproject =
  '[project]\nname = "app"\nversion = "0.1.0"\nrequires-python = ">=3.9"\ndependencies = ["six==1.16.0"]\n'
const header = '# /// script\n# dependencies = ["six==1.15.0"]\n# ///\n'
const files = {
  'pyproject.toml': pyproject,
  '.gitignore': '/results\n/.venv\n',
  's.py': pythonScript('import six; print(six.__version__)'),
  'pep.py': header + pythonScript('import six; print(six.__version__)'),
  'run.sh': '. .venv/bin/activate\npython s.py "$@"\n',
}

test.each<[string, string, Readonly<Record<string, string>>, string]>([
  ['uv run python', 's.py', {}, '1.16.0'],
  ['uv run python', 's.py', { UV_PROJECT_ENVIRONMENT: '$OUTSIDE/own' }, '1.16.0'],
  ['uv run --with six==1.12.0 python', 's.py', {}, '1.12.0'],
  ['uv run --script', 'pep.py', {}, '1.15.0'],
  ['sh', 'run.sh', {}, '1.16.0'],
])('the packages that are recorded are those that %s %s imports %j', async (command, script, environment, version) => {
  const { project, printed } = await tryKind({
    ...{ files, make: 'uv sync -q', command, script, edit: 'sleep 2', environment },
  })
  expect(new Set(printed.map(text => text.split('\n')[0]))).toEqual(new Set([version]))
  const { stdout } = await project.qanat('env', 'show', '1', '--json')
  const [{ packages, seen, unknown }] = JSON.parse(stdout).environments
  expect([packages.six, seen, unknown]).toEqual([version, true, {}])
})
