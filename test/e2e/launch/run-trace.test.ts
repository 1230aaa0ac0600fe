import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { lacks, skips } from '../../skips.js'
import { expectError } from '../expectations.js'
import { groups, shellProject } from '../project.js'

const cannotTrace = () => (spawnSync('strace', ['true']).status === 0 ? null : 'strace may not trace processes here')
const script = 'cat "lib/a b.txt" secret >/dev/null; cd lib; ./tool.sh; cat missing 2>/dev/null; exit 3'

describe.skipIf(skips('traces of runs', lacks('strace') ?? cannotTrace()))('run --trace', () => {
  test.each(['never', 'always'])('names the files that a group has opened, with --snapshot %s', async snapshot => {
    const folder = await shellProject()
    folder.write('lib/a b.txt', 'read\n')
    folder.write('lib/tool.sh', '#!/bin/sh\ncat ../settings.toml >/dev/null\n')
    folder.write('settings.toml', 'x = 1\n')
    folder.write('other.py', 'not read\n')
    folder.write('.gitignore', 'results/\nsecret\n')
    folder.write('secret', 'not tracked\n')
    await folder.shell('chmod +x lib/tool.sh')
    folder.commit()
    const { code, stdout, stderr } = await folder.qanat(
      'run',
      '--trace',
      '--json',
      '--snapshot',
      snapshot,
      'it',
      script,
    )
    expect([code, stderr]).toEqual([1, expect.any(String)])
    const { status, trace } = JSON.parse(stdout)
    expect(status).toBe('failed')
    expect(trace).toMatchObject({
      tracked: ['it.sh', 'lib/a b.txt', 'lib/tool.sh', 'settings.toml'],
      data: {},
      untracked: ['secret'],
      uses: ['/lib/**', '/settings.toml'],
    })
  })

  test('names the files of a dataset, whatever its name', async () => {
    const folder = await shellProject()
    folder.write('flowers/iris.csv', '5.1\n')
    folder.write('constructor.yaml', 'name: constructor\npath: flowers\n')
    folder.write('it.yaml', 'name: it\nexecutable: it.sh\nexecutable_command: sh\ndatasets: [constructor]\n')
    folder.commit()
    await folder.qanat('dataset', 'new', '-f', 'constructor.yaml')
    await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
    const { trace } = await folder.json('run', '--trace', '--json', 'it', 'cat flowers/iris.csv >&2')
    expect(trace.data).toEqual({ constructor: ['flowers/iris.csv'] })
  })

  test('is refused where nothing can be traced, and makes nothing', async () => {
    const folder = await shellProject()
    const refused: [string[], string][] = [
      [['run', '--trace', 'it', ...groups('true', 'true')], '--trace is for a single group, and these are 2'],
      [['run', '--trace', '-r', 'slurm', 'it', 'true'], '--trace needs the local runner, not slurm'],
      [['run', '--trace', '--detach', 'it', 'true'], '--trace tells at the end which files were opened'],
    ]
    for (const [words, message] of refused) expectError(await folder.qanat(...words), 2, message)
    expect(folder.has('results')).toBe(false)
  })
})
