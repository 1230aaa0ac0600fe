import { expect, test } from 'vitest'
import { scriptPlaces } from '../../src/domain/script-places.js'

test.each([
  ['', 'train.sh', '', 'train.sh'],
  ['python3', 'app', 'src', 'app app/__main__.py'],
  ['python3 -u -m', 'a.b', '', 'a/b.py a/b/__main__.py src/a/b.py src/a/b/__main__.py'],
  ['.venv/bin/python -m', 'a', 'src', 'a.py a/__main__.py src/a.py src/a/__main__.py'],
  ['torchrun --nnodes 1 -m', 'a', 'x', 'a.py a/__main__.py src/a.py src/a/__main__.py x/a.py x/a/__main__.py'],
  ['bash -m', 'a.sh', '', 'a.sh a.sh/__main__.py'],
  ['python3 -m runpy', 'a.py', '', 'a.py a.py/__main__.py'],
])('%s %s in %s may be one of %s', (executableCommand, executable, path, places) => {
  expect(scriptPlaces({ executableCommand, executable }, path)).toEqual(places.split(' '))
})
