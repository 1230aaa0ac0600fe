import { describe, expect, test } from 'vitest'
import { localShells } from '../domain/text/shells.js'
import { TaskRun } from './task.js'
import { ran } from './worker.js'

const outputs = ["it's $(id)*.pt", 'model?.json']

describe.each(localShells)('a group that has to leave outputs, run by %s', shell => {
  test('is complete with them, whatever their names', async () => {
    const script = `cd "$QANAT_STORAGE_PATH" && touch "it's \\$(id)_3.pt" model7.json`
    const worker = await ran(shell, { script, outputs, groups: [[], []] })
    expect([0, 1].map(index => worker.endOf(index)?.outcome)).toEqual(['exit', 'exit'])
    expect(worker.read('group_1/stderr.txt')).toBe('')
  })

  test('is incomplete without one of them, and its stderr names what is missing', async () => {
    const worker = await ran(shell, { script: 'touch "$QANAT_STORAGE_PATH/model12.json"', outputs })
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'incomplete' })
    expect(worker.read('stderr.txt')).toBe(
      "qanat: the output it's $(id)*.pt is missing\nqanat: the output model?.json is missing\n",
    )
  })

  test('is incomplete after it has removed its own folder', async () => {
    const worker = await ran(shell, { script: 'rm -rf "$QANAT_STORAGE_PATH"', outputs, groups: [[], []] })
    expect([0, 1].map(index => worker.endOf(index)?.outcome)).toEqual(['incomplete', 'incomplete'])
    expect(worker.stderr).toBe('')
  })

  test('has its own exit code if the script fails', async () => {
    const worker = await ran(shell, { script: 'exit 3', outputs })
    expect(worker.endOf()).toMatchObject({ code: 3, outcome: 'exit' })
    expect(worker.read('stderr.txt')).toBe('')
  })

  test('may leave them in its teardown, even if the template turns patterns off', async () => {
    const teardown = 'cp "$QANAT_SCRATCH/a" "$QANAT_STORAGE_PATH/model1.json"'
    const environment = { setup: 'set -f', scratch: true, teardown }
    const worker = await ran(shell, { script: 'touch "$QANAT_SCRATCH/a"', outputs: ['model*'], environment })
    expect(worker.endOf()?.outcome).toBe('exit')
  })
})

describe.each(localShells)('a job of a scheduler, run by %s', shell => {
  test('ends with the code of its script, while its record says that outputs are missing', async () => {
    const run = new TaskRun(shell, { script: 'true', outputs })
    expect(await run.run()).toBe(0)
    expect(run.lastOf()).toMatchObject({ code: 0, outcome: 'incomplete' })
  })
})
