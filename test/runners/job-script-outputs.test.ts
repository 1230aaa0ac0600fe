import { describe, expect, test } from 'vitest'
import { localShells } from '../domain/text/shells.js'
import { TaskRun } from './task.js'
import { ran } from './worker.js'

const outputs = ["it's $(id)*.pt", 'model?.json']
const missing = (name: string) => `qanat: the output ${name} is missing\n`

describe.each(localShells)('a group that has to leave outputs, run by %s', shell => {
  test.each([
    ['complete with them, whatever their names', `cd "$2" && touch "it's \\$(id)_3.pt" model7.json`, 0, 'exit', ''],
    ['incomplete without one of them', 'touch "$2/model12.json"', 0, 'incomplete', outputs.map(missing).join('')],
    ['incomplete after it has removed its own folder', 'rm -rf "$2"', 0, 'incomplete', null],
    ['failed with its own exit code if the script fails', 'exit 3', 3, 'exit', ''],
  ])('is %s, and its stderr names what is missing', async (_, script, code, outcome, stderr) => {
    const worker = await ran(shell, { script, outputs, groups: [[], []] })
    expect(worker.ends()).toMatchObject(Array(2).fill({ code, outcome }))
    expect([worker.read('group_1/stderr.txt'), worker.shell.stderr]).toEqual([stderr, ''])
  })

  test('may leave them in its teardown, even if the template turns patterns off', async () => {
    const teardown = 'cp "$QANAT_SCRATCH/a" "$QANAT_STORAGE_PATH/model1.json"'
    const environment = { setup: 'set -f', scratch: true, teardown }
    const worker = await ran(shell, { script: 'touch "$QANAT_SCRATCH/a"', outputs: ['model*'], environment })
    expect(worker.endOf()?.outcome).toBe('exit')
  })

  test('ends as a job of a scheduler with the code of its script, while its record says what is missing', async () => {
    const run = new TaskRun(shell, { script: 'true', outputs })
    expect([await run.run(), run.lastOf()]).toMatchObject([0, { code: 0, outcome: 'incomplete' }])
  })
})
