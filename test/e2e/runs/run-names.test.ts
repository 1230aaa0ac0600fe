import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { madeOnce } from '../made-once.js'
import { groups, shellProject } from '../project.js'

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

describe('a run', () => {
  test.each([
    ['1', 1],
    ['it 1', 1],
    ['latest', 3],
    ['@', 3],
    ['it', 3],
    ['it latest', 3],
    ['other', 2],
    ['other @', 2],
  ])('is found by %j', async (words, id) => {
    const folder = await projectWithRuns()
    expect(await folder.json('run_show', ...words.split(' '), '--json')).toMatchObject({ id })
    expect(await folder.json('why', ...words.split(' '), '--json')).toMatchObject({ run: id })
  })

  test.each([
    ['1.1', 'one\n'],
    ['it 1.2', 'two\n'],
    ['latest.0', 'last\n'],
    ['other @.0', 'another\n'],
    ['1 --group 0', 'zero\n'],
  ])('is followed by one of its groups in %j', async (words, output) => {
    const folder = await projectWithRuns()
    expect((await folder.qanat('run_logs', ...words.split(' '))).stdout).toBe(output)
  })

  test.each([
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
  ])('is not guessed: %s', async (line, message, hint) => {
    const folder = await projectWithRuns()
    expectError(await folder.qanat(...line.split(' ')), 2, message, hint)
  })

  test('is enough for tags, actions and results', async () => {
    const folder = await projectWithRuns()
    expect((await folder.qanat('run_tag', '1', '+paper', '+final')).stdout).toBe('Run 1: paper, final\n')
    expect((await folder.qanat('run_tag', 'other', '+last')).stdout).toBe('Run 2: last\n')
    // The script of the action runs its first argument.
    expect((await folder.qanat('action', 'plot', '1', 'echo acts')).stdout).toBe('acts\n')
    expect((await folder.qanat('action', 'plot', '1.2', 'echo $QANAT_GROUP_INDEX')).stdout).toBe('2\n')
    expect((await folder.qanat('action', 'it', 'plot', 'latest', 'echo $QANAT_RUN_ID')).stdout).toBe('3\n')
    expect((await folder.qanat('failures', '1')).stdout).toContain('Run 1 of it: 1 of 3 groups failed')
    expect((await folder.qanat('failures', 'it')).stdout).toContain('Runs 1, 3 of it')
    expect((await folder.json('compare', 'latest', '--json')).runs).toEqual([3])
    expect((await folder.qanat('compare', '1.0', '1.2')).stdout).toMatch(/^it +1\.0 +1\.2/)
  })

  test('is not read from what is piped into a command', async () => {
    const folder = await projectWithRuns()
    const loop = "printf '1\\n2\\n' | while read id; do qanat run_show it --json | grep '\"id\"'; done"
    expect((await folder.shell(loop)).stdout).toBe('  "id": 3,\n  "id": 3,\n')
    const { stderr, code } = await folder.shell('echo it | qanat experiment delete --yes')
    expect([code, stderr]).toEqual([2, expect.stringContaining('NAME is missing')])
  })

  test('that was deleted is said to be in the trash', async () => {
    const folder = await shellProject()
    await folder.qanat('run', 'it', 'true')
    await folder.qanat('run', 'it', 'true')
    expect((await folder.qanat('run_delete', 'latest', '--yes')).stdout).toContain('qanat run_delete 2 --undo')
    expectError(await folder.qanat('why', '2'), 2, 'run 2 is in the trash', 'qanat run_delete 2 --undo')
    expect(await folder.json('run_show', 'latest', '--json')).toMatchObject({ id: 1 })
    expect((await folder.qanat('run_delete', '2', '--undo')).stdout).toBe('Run 2 restored.\n')
    expect(await folder.json('run_show', '2', '--json')).toMatchObject({ id: 2 })
  })

  test('is deleted by its status, and run_delete --undo restores those that were deleted together last', async () => {
    const folder = await shellProject()
    for (const code of [1, 0, 1, 1]) await folder.qanat('run', 'it', `exit ${code}`)
    const ids = async () => (await folder.json('runs', '--json')).runs.map(({ id }: { id: number }) => id)
    await folder.qanat('run_delete', '4', '--yes')
    expect((await folder.qanat('run_delete', '--status', 'failed,lost', '--yes')).stdout).toBe(
      'Run 3 deleted.\nRun 1 deleted.\nTo restore them: qanat run_delete --undo\n',
    )
    expect(await ids()).toEqual([2])
    expectError(
      await folder.qanat('run_delete', 'it', '--status', 'failed', '-y'),
      2,
      'no run of it is failed',
      'qanat runs',
    )
    expectError(await folder.qanat('run_delete', '2', '--status', 'sad', '-y'), 2, 'unknown status', 'pending')
    expectError(await folder.qanat('run_delete', '-y'), 2, 'which runs?', 'NAME latest')
    expect((await folder.qanat('run_delete', '--undo')).stdout).toBe('Run 1 restored.\nRun 3 restored.\n')
    expect((await folder.qanat('run_delete', 'it', '--undo')).stdout).toBe('Run 4 restored.\n')
    expect(await ids()).toEqual([4, 3, 2, 1])
    expectError(await folder.qanat('run_delete', '--undo'), 2, 'there is no deleted run to restore', 'qanat trash list')
    await folder.qanat('run_delete', 'it', '1-3', '--status', 'failed', '--yes')
    expect(await ids()).toEqual([4, 2])
  })

  test('is not there yet', async () => {
    const folder = await shellProject()
    expectError(await folder.qanat('why', 'latest'), 2, 'the project has no runs yet', 'qanat run NAME')
    expectError(await folder.qanat('why', 'it'), 2, 'it has no runs yet', 'qanat run it')
  })
})

describe('a name that looks like a run', () => {
  test.each(['17', '17.6', '5-9', 'latest'])('%s cannot be given to an experiment', async name => {
    const folder = await shellProject()
    folder.write('new.yaml', `name: '${name}'\nexecutable: it.sh\nexecutable_command: sh\n`)
    const message = `'${name}' cannot be the name of an experiment: it names a run`
    expectError(await folder.qanat('experiment', 'new', '-f', 'new.yaml'), 2, message, `experiment_${name}`)
    expectError(await folder.qanat('experiment', 'update', 'it', '-f', 'new.yaml'), 2, message, `experiment_${name}`)
  })

  test('of an older experiment goes on to work, and is not taken for a run', async () => {
    const folder = await shellProject()
    await folder.qanat('run', 'it', 'true')
    folder.write('other.yaml', 'name: other\nexecutable: it.sh\nexecutable_command: sh\n')
    await folder.qanat('experiment', 'new', '-f', 'other.yaml')
    folder.commit()
    const database = new Database(join(folder.path, '.qanat/database.db'))
    database.exec("UPDATE experiments SET name = '1' WHERE name = 'other'")
    database.close()
    const { code, stderr } = await folder.qanat('why', '1')
    expect([code, stderr]).toEqual([2, expect.stringContaining("'1' is an experiment and also a run of it")])
    expect(stderr).toContain('it 1        is that run')
    await folder.qanat('run', '1', 'true')
    expect(await folder.json('run_show', '1', 'latest', '--json')).toMatchObject({ id: 2, experiment: '1' })
    expect(await folder.json('run_show', '1', '2', '--json')).toMatchObject({ id: 2 })
    expect(await folder.json('run_show', 'it', '1', '--json')).toMatchObject({ id: 1 })
    expect(await folder.json('run_show', '2', '--json')).toMatchObject({ id: 2 })
  })
})
