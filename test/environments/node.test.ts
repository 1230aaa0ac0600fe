import { expect, test } from 'vitest'
import { tryKind } from './kind.js'

const gate = `const { existsSync } = require('node:fs')
while (!existsSync(process.env.QANAT_PROJECT + '/.qanat/gate_go')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
`
const files = {
  'package.json': '{"name": "root", "private": true, "workspaces": ["packages/*"], "dependencies": {"ms": "2.1.3"}}',
  '.gitignore': 'node_modules\n/results\n',
  's.js': `${gate}const { value, file } = require('model'); console.log(value, file, require('@lab/tools'), require('ms')('1s'))`,
  'run.sh': 'node_modules/.bin/tool\n',
  'packages/model/package.json':
    '{"name": "model", "version": "1.0.0", "bin": {"tool": "tool.js"}, "dependencies": {"@lab/tools": "*"}}',
  'packages/model/index.js': "exports.value = 1; exports.file = __filename; exports.tools = require('@lab/tools')",
  'packages/model/tool.js': `#!/usr/bin/env node\n${gate}const { value, file } = require('./index.js'); console.log(value, file)`,
  'packages/tools/package.json': '{"name": "@lab/tools", "version": "1.0.0"}',
  'packages/tools/index.js': 'module.exports = 1',
}
const edit =
  "sed -i 's/value = 1/value = 2/' packages/model/index.js; echo 'module.exports = 2' >packages/tools/index.js"
const given = { files, make: 'npm install --silent --no-audit --no-fund', command: 'node', script: 's.js', edit }
const clean = (text: string) => ({
  printed: [0, 1, 2].map(() =>
    expect.stringMatching(new RegExp(`^1 .*/\\.qanat/cache/[0-9a-f]{12}/packages/model/index.js${text}$`)),
  ),
  ...{ said: '', kept: [], changed: [] },
})

test.each([
  ['npm', given.make],
  [
    'pnpm',
    'printf \'packages: [packages/*]\\n\' >pnpm-workspace.yaml; sed -i \'s/"\\*"/"workspace:*"/\' packages/model/package.json; sed -i \'s/"ms": "2.1.3"/"ms": "2.1.3", "model": "workspace:*", "@lab\\/tools": "workspace:*"/\' package.json; npx --yes pnpm@10.34.8 install --silent',
  ],
  ['Yarn', 'npx --yes yarn@1.22.22 install --silent'],
])('packages of a workspace of %s come from the copy', async (_, make) => {
  const tried = await tryKind({ ...given, make })
  expect(tried).toMatchObject(clean(' 1 1000'))
  expect(await tried.project.json('run_show', '1', '--json')).toMatchObject({ left_behind: [] })
})

test('so do their programs, and a second grid finds what the first one found', async () => {
  expect(await tryKind({ ...given, command: 'sh', script: 'run.sh' })).toMatchObject(clean(''))
})

test('what a group installs or removes is not installed into the tree, nor removed there', async () => {
  const script = `${gate}const { execSync } = require('node:child_process')
execSync('npm ci --silent'); execSync('npm install --silent --no-save ms@2.1.2'); console.log(require('ms/package.json').version)`
  const tried = await tryKind({ ...given, files: { ...files, 's.js': script } })
  expect(tried).toMatchObject({ printed: ['2.1.2', '2.1.2', '2.1.2'], changed: [] })
})

test('a package that was installed as a copy is said to be one', async () => {
  const sources = {
    ...files,
    'package.json':
      '{"name": "root", "dependencies": {"model": "file:packages/model", "@lab/tools": "file:packages/tools", "ms": "2.1.3"}}',
  }
  const tried = await tryKind({ ...given, files: sources, make: `${given.make} --install-links` })
  expect(tried.printed[0]).toMatch(/^1 .*\/node_modules\/model/)
  expect(tried.kept).toEqual(
    expect.arrayContaining([
      'imports live code: node_modules/model is a copy of packages/model that was installed earlier',
    ]),
  )
})
