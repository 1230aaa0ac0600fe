import { expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { madeOnce } from '../made-once.js'
import { groups, projectWith, shellProject } from '../project.js'

/** Run 1 of `it` has three groups, of which the second fails; run 2 is of `other`, and run 3 is of `it`. */
const projectWithRuns = madeOnce(async () => {
  const folder = await shellProject()
  const plot = 'actions: [{plot: {executable: it.sh, executable_command: sh}}]\n'
  for (const name of ['other', 'it']) {
    folder.write(`${name}.yaml`, `name: ${name}\nexecutable: it.sh\nexecutable_command: sh\n${plot}`)
  }
  await folder.qanat('experiment', 'new', '-f', 'other.yaml')
  await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
  folder.commit()
  await folder.qanat('run', 'it', ...groups('echo zero', 'echo one; exit 1', 'echo two'))
  await folder.qanat('run', 'other', 'echo another')
  await folder.qanat('run', 'it', 'echo last')
  return folder
})

test('a run and its groups are found by each of their names', async () => {
  const folder = await projectWithRuns()
  const loop = "printf '1\\n2\\n' | while read id; do qanat run_show it --json | grep '\"id\"'; done"
  expect((await folder.shell(loop)).stdout, 'not read from what is piped').toBe('  "id": 3,\n  "id": 3,\n')
  for (const [words, id] of [
    ['1', 1],
    ['it 1', 1],
    ['latest', 3],
    ['@', 3],
    ['it', 3],
    ['it latest', 3],
    ['other', 2],
    ['other @', 2],
  ] as const) {
    expect([words, (await folder.json('run_show', ...words.split(' '), '--json')).id]).toEqual([words, id])
    expect([words, (await folder.json('why', ...words.split(' '), '--json')).run]).toEqual([words, id])
  }
  for (const [line, output] of [
    ['run_logs 1.1', 'one\n'],
    ['run_logs it 1.2', 'two\n'],
    ['run_logs latest.0', 'last\n'],
    ['run_logs other @.0', 'another\n'],
    ['run_logs 1 --group 0', 'zero\n'],
    ['run_tag 1 +paper +final', 'Run 1: paper, final\n'],
    ['run_tag other +last', 'Run 2: last\n'],
    // The script of the action runs its first argument.
    ['action plot 1 pwd', `${folder.path}\n`],
    ['action plot 1.2 env', 'QANAT_GROUP_INDEX=2\n'],
    ['action it plot latest env', 'QANAT_RUN_ID=3\n'],
    ['failures 1', 'Run 1 of it: 1 of 3 groups failed'],
    ['failures it', 'Runs 1, 3 of it'],
  ] as const) {
    expect([line, (await folder.qanat(...line.split(' '))).stdout]).toEqual([line, expect.stringContaining(output)])
  }
  expect((await folder.json('compare', 'latest', '--json')).runs).toEqual([3])
  expect((await folder.qanat('compare', '1.0', '1.2')).stdout).toMatch(/^it +1\.0 +1\.2/)
  expectError(await folder.shell('echo it | qanat experiment delete --yes'), 2, 'NAME is missing')
})

test('a run is not guessed', async () => {
  const folder = await projectWithRuns()
  for (const [line, message, hint] of [
    ['why 9', 'there is no run 9', 'qanat runs'],
    ['why it 9', "no run '9' of it: its runs are 3, 1", 'qanat experiment status it'],
    ['why other 1', 'run 1 belongs to it, not to other', 'use: it 1'],
    ['why 1 it', "no experiment is called '1'", 'the experiment comes first: it 1'],
    ['why 1 2', "no experiment is called '1'", 'one run at a time: 1'],
    ['why 1.7', "run 1 has no group '7'", 'its groups are 0 to 2'],
    ['why 1.x', "run 1 has no group 'x'", 'its groups are 0 to 2'],
    ['why 1.', "run 1 has no group ''", 'its groups are 0 to 2'],
    ['why othr', "no experiment 'othr'. Did you mean other?", 'qanat experiment list'],
    ['run_show 1.1', '1.1 is a group, and this command takes a run', 'its run is 1'],
    ['run_logs 1.1 --group 1', 'the group is given twice', '1.1'],
    ['run_tag 1 paper', "'paper' begins with neither + nor -", '+TAG'],
    ['run_tag 1', 'which tags?', '+TAG'],
    ['run_delete it', 'which runs?', 'it latest'],
    ['compare 1 2', 'run 1 is of it, and run 2 is of other', 'give runs of one experiment'],
    ['failures 1-3', 'run 1 is of it, and run 2 is of other', 'give runs of one experiment'],
    ['action plot', 'on which run?', 'qanat action plot RUN'],
    ['action 1', 'which action?', 'qanat action ACTION RUN'],
    ['run_tag +paper 4', 'the run comes first', 'qanat run_tag 4 +paper'],
  ] as const) {
    expectError(await folder.qanat(...line.split(' ')), 2, message, hint)
  }
})

test('a name that looks like a run cannot be given to an experiment', async () => {
  const folder = await projectWith('true')
  for (const name of ['17', '17.6', '5-9', 'latest']) {
    folder.write('new.yaml', `name: '${name}'\nexecutable: it.sh\nexecutable_command: sh\n`)
    const message = `'${name}' cannot be the name of an experiment: it names a run`
    expectError(await folder.qanat('experiment', 'new', '-f', 'new.yaml'), 2, message, `experiment_${name}`)
    expectError(await folder.qanat('experiment', 'update', 'it', '-f', 'new.yaml'), 2, message, `experiment_${name}`)
  }
})
