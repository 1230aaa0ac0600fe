import { expect, test } from 'vitest'
import { splitWords } from '../../../src/domain/text/words.js'
import { expectError } from '../expectations.js'
import { withPaper } from './paper.js'

test('impossible descriptions of documents are refused, with the position in the file', async () => {
  const folder = await withPaper()
  for (const [text, message] of [
    ['name: two\npath: paper\n', 'compile_script: missing'],
    ['name: two\npath: gone\ncompile_script: x\n', 'the folder of the document two does not exist: gone'],
    ['files: ../x', "files[0]: '../x' is not inside the folder of the run"],
    ['files: /etc/passwd', 'is not inside the folder of the run'],
    ['files: results/count/run_9/fig.svg', 'leave that out: fig.svg'],
    ['experiment_name: coun, files: x', "no experiment 'coun'. Did you mean count?"],
    ['files: x, action_name: drew', "count has no action 'drew'. Did you mean draw?"],
    ['files: x, runner_params: --n_threads 0', 'whole number above 0'],
    ['files: x, runner_params: {--gpu: true, gpu: true}', 'the same as gpu, which is given too'],
    ['files: x, action_args: a, action_params: a', 'the same as action_args'],
    ['fils: x', 'Did you mean files?'],
    ['', 'names no files'],
    ['files: x}\n  - {experiment_name: count, files: y', 'a second dependency on count'],
    ['files: [{compare: table.doc}]', "ends with .tex or .md or .csv or .json, not 'table.doc'"],
    ['files: [{compare: a.csv, ci: normal}]', "files[0].ci: expected t, bootstrap or bootstrap:SEED, not 'normal'"],
    ['files: [{plot: a.svg}, a.svg]', "files[1]: 'a.svg' is there twice"],
  ] as const) {
    const dependency = text.startsWith('experiment') ? text : `experiment_name: count, ${text}`
    const whole = text.startsWith('name')
      ? text
      : `name: two\npath: paper\ncompile_script: compile.sh\nexperiment_dependencies:\n  - {${dependency}}\n`
    folder.write('two.yaml', whole)
    const { code, stderr } = await folder.qanat('document', 'new', 'two.yaml')
    expect([text, code, stderr]).toEqual([text, 2, expect.stringContaining(message)])
    if (/^files: \[/.test(text)) expect(stderr).toMatch(/^Error: two\.yaml:\d+:\d+: experiment_dependencies\[0\]/)
  }
  expect((await folder.json('document', 'list', '--json')).documents).toHaveLength(1)
})

test.each([
  ['paper count grid.yaml', 'give all arguments: qanat document add_dependency DOCUMENT EXPERIMENT ARGSFILE FILE…'],
  ["paper count '' a.txt --runner_params gpu", "'gpu'"],
  ['paper count none.yaml ../a.txt', 'not inside the folder of the run'],
  ['paper count none.yaml results/count/run_4/group_0/a.txt', 'leave that out: group_0/a.txt'],
  ["paper count '' '{compare: a.md}' '{compare: a.md}'", "'a.md' is there twice"],
])('without a terminal, document add_dependency %s is refused', async (line, text) => {
  const folder = await withPaper()
  const before = (await folder.qanat('document', 'export', 'paper')).stdout
  expectError(await folder.qanat('document', 'add_dependency', ...splitWords(line)), 2, text)
  expect((await folder.qanat('document', 'export', 'paper')).stdout).toBe(before)
})
