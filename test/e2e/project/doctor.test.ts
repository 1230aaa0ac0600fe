import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { madeOnce } from '../made-once.js'
import { type Folder, groups, shellProject } from '../project.js'

/** Two runs, of which one has groups that failed and were cancelled, and what is known of all of it. */
const withRuns = madeOnce(async () => {
  const folder = await shellProject()
  await folder.qanat(
    'run',
    '--tag',
    'paper',
    '--description',
    'the first',
    'it',
    ...groups('true', 'exit 3', 'echo x', 'kill -9 $$'),
  )
  await folder.qanat('run', 'it', 'echo "$QANAT_RUN_ID"')
  await folder.qanat('run_retry', 'it', '1', '--only', 'signal')
  return folder
})

const everything = async (folder: Folder) => [
  await folder.json('experiment', 'status', 'it', '--json').then(({ as_of: _, ...rest }) => rest),
  await folder.show(1),
  await folder.show(2),
]

const states = async (folder: Folder, ...args: string[]) => {
  const { checks } = await folder.json('doctor', '--json', ...args)
  return Object.fromEntries(checks.map(({ name, state, text }: Record<string, string>) => [name, `${state}: ${text}`]))
}

describe('the doctor', () => {
  test('finds no problem in a healthy project, and changes nothing', async () => {
    const folder = await withRuns()
    const { code, stdout } = await folder.qanat('doctor')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ok {2}git +version/m)
    expect(stdout).toMatch(/^ok {2}file system +file locks work$/m)
    expect(stdout).toMatch(/^ok {2}database +whole, with 1 experiment, 0 datasets, 0 documents, 2 runs$/m)
    expect(stdout).toMatch(/^ok {2}runs +every run has its folder/m)
    expect((await folder.qanat('doctor', '--repair')).stdout).toContain('There was nothing to repair')
  })

  test('finds deleted runs in the trash again: they can be restored, and the trash can be emptied', async () => {
    const folder = await withRuns()
    const before = await folder.show(2)
    await folder.qanat('run_delete', 'it', '1', '2', '--yes')
    rmSync(`${folder.path}/.qanat/database.db`)
    expect((await folder.qanat('doctor', '--repair')).stdout).toContain('Added to the trash: run 1, 2\n')
    expect((await folder.json('experiment', 'status', 'it', '--json')).runs).toEqual([])
    expect((await folder.qanat('trash', 'restore', '2')).stdout).toBe('Run 2 restored.\n')
    expect(await folder.show(2)).toMatchObject({ status: before.status, groups: before.groups })
    await folder.qanat('trash', 'empty', '--yes')
    expect(folder.list('results')).toEqual(['it'])
  })

  test('rebuilds a database that was lost from the folders of the runs', async () => {
    const folder = await withRuns()
    const before = await everything(folder)
    rmSync(`${folder.path}/.qanat/database.db`)
    expect((await folder.qanat('doctor')).code).toBe(1)
    const { code, stdout } = await folder.qanat('doctor', '--repair')
    expect([code, stdout]).toEqual([0, expect.stringContaining('Added to the database: run 1, 2')])
    expect(await everything(folder)).toEqual(before)
    expect((await folder.json('run', '--json', 'it', 'true')).id).toBe(3)
    expect(folder.git('status', '--short')).toBe('')
  })

  test('rebuilds runs that can no longer be checked in their last known state', async () => {
    const folder = await withRuns()
    const before = await folder.show(1)
    rmSync(`${folder.path}/results/it/run_1/.run/records`, { recursive: true })
    rmSync(`${folder.path}/.qanat/database.db`)
    await folder.qanat('doctor', '--repair')
    const { status, groups: counts } = await folder.show(1)
    expect({ status, counts }).toEqual({ status: before.status, counts: before.groups })
  })

  test('rebuilds a live run, which is then followed', async () => {
    const folder = await shellProject()
    await folder.qanat(
      'run',
      '--detach',
      'it',
      ...groups('true', 'while [ ! -e "$QANAT_PROJECT/.qanat/go" ]; do sleep 0.05; done'),
    )
    rmSync(`${folder.path}/.qanat/database.db`)
    await folder.qanat('doctor', '--repair')
    expect((await folder.show(1)).status).toMatch(/pending|running/)
    folder.write('.qanat/go', '')
    expect((await folder.qanat('run_wait', 'it', '1')).code).toBe(0)
  })

  test('registers the definitions again, and experiments from the records of runs', async () => {
    const folder = await shellProject()
    folder.write('data/x', '')
    folder.write('data.yaml', 'name: data\npath: data\nfingerprint: sample\n')
    folder.write('reading.yaml', 'name: reading\nexecutable: it.sh\nexecutable_command: sh\ndatasets: [data]\n')
    folder.commit()
    await folder.qanat('dataset', 'new', 'data.yaml')
    await folder.qanat('experiment', 'new', 'reading.yaml')
    await folder.qanat('run', '--snapshot', 'always', 'reading', 'true')
    const before = await folder.json('experiment', 'list', '--json')
    rmSync(`${folder.path}/.qanat/database.db`)
    await folder.qanat('doctor', '--repair')
    const { experiments } = await folder.json('experiment', 'list', '--json')
    const reading = before.experiments.find(({ name }: { name: string }) => name === 'reading')
    // The other experiment is gone, which had id 1.
    expect(experiments).toEqual([{ ...reading, id: 1 }])
    expect((await folder.json('dataset', 'list', '--json')).datasets).toMatchObject([
      { name: 'data', path: 'data', fingerprint: 'sample' },
    ])
  })

  test('registers an experiment as the newest run that is no rerun has recorded it', async () => {
    const folder = await shellProject()
    for (const description of ['first', 'second']) {
      folder.write('it.yaml', `name: it\nexecutable: it.sh\nexecutable_command: sh\ndescription: ${description}\n`)
      folder.commit(description)
      await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
      await folder.qanat('run', 'it', 'true')
    }
    await folder.qanat('rerun', '1')
    await folder.shell('rm .qanat/database.db*')
    await folder.qanat('doctor', '--repair')
    expect((await folder.json('experiment', 'list', '--json')).experiments).toMatchObject([{ description: 'second' }])
  })

  test('finds all runs of an experiment that has another name now', async () => {
    const folder = await withRuns()
    folder.write('renamed.yaml', 'name: renamed\nexecutable: it.sh\nexecutable_command: sh\n')
    folder.commit()
    await folder.qanat('run_delete', 'it', '2', '--yes')
    const record = folder.read('results/it/run_1/.run/run.yaml')
    const { stdout } = await folder.qanat('experiment', 'update', 'it', '-f', 'renamed.yaml')
    expect(stdout).toBe('Experiment it updated. Its name is renamed now.\n')
    await folder.qanat('trash', 'restore', '2')
    // The command was killed before it had written the record.
    folder.write('results/it/run_1/.run/run.yaml', record)
    expect(await states(folder)).toMatchObject({ runs: expect.stringMatching(/^warning: .*former name.*\/run_1$/) })
    expect((await folder.qanat('doctor', '--repair')).stdout).toContain('Wrote .run/run.yaml again: run 1\n')
    expect(await states(folder)).toMatchObject({ runs: expect.stringMatching(/^ok: /) })
    await folder.shell('rm .qanat/database.db*')
    await folder.qanat('doctor', '--repair')
    expect((await folder.json('experiment', 'list', '--json')).experiments.length).toBe(1)
    const { runs } = await folder.json('experiment', 'status', 'renamed', '--json')
    expect(runs.map(({ id }: { id: number }) => id)).toEqual([2, 1])
  })

  test('writes all records that it can, and names the others', async () => {
    const folder = await withRuns()
    await folder.shell('rm results/it/run_1/.run/run.yaml results/it/run_2/.run/run.yaml')
    folder.write('results/it/run_2/.run/run.yaml/mine', '')
    const { code, stdout, stderr } = await folder.qanat('doctor', '--repair')
    expect(stdout).toContain('Wrote .run/run.yaml again: run 1\n')
    expect(stderr).toContain('results/it/run_2/.run/run.yaml could not be updated')
    expect([code, folder.list('results/it/run_2/.run/run.yaml')]).toEqual([0, ['mine']])
    expect(JSON.parse(folder.read('results/it/run_1/.run/run.yaml')).id).toBe(1)
  })

  test('finds a result folder that was moved', async () => {
    const folder = await withRuns()
    const before = await folder.show(1)
    renameSync(`${folder.path}/results`, `${folder.path}/elsewhere`)
    await folder.qanat('config', 'set', 'result_dir', 'elsewhere')
    expect((await states(folder)).runs).toBe('warning: the folder is missing: run 1, 2')
    expect((await folder.qanat('doctor', '--repair')).stdout).toContain('Found in another folder: run 1, 2')
    expect(await folder.show(1)).toEqual(JSON.parse(JSON.stringify(before).replaceAll('results/', 'elsewhere/')))
    expect((await folder.qanat('run_logs', 'it', '2')).stdout).toBe('2\n')
  })

  test('names datasets whose paths are gone', async () => {
    const folder = await shellProject()
    for (const name of ['here', 'away']) {
      folder.write(`data/${name}.txt`, '1\n')
      folder.write(`${name}.yaml`, `name: ${name}\npath: data/${name}.txt\n`)
      await folder.qanat('dataset', 'new', '-f', `${name}.yaml`)
    }
    expect((await states(folder)).datasets).toBe('ok: every dataset has its path')
    rmSync(`${folder.path}/data/away.txt`)
    expect((await folder.qanat('doctor')).stdout).toMatch(
      /^!! {2}datasets +the path of dataset away does not exist here: data\/away.txt\n +→ put the data there, or name another path: qanat dataset update away\n(?!!!)/m,
    )
  })

  test('reports missing files of a run that it can write again', async () => {
    const folder = await withRuns()
    rmSync(`${folder.path}/results/it/run_1/info.yaml`)
    expect((await states(folder)).runs).toBe('ok: every run has its folder, and every folder its run')
    writeFileSync(`${folder.path}/results/it/run_2/.run/run.yaml`, '{"format": 1, "id": ')
    const repaired = await folder.json('doctor', '--repair', '--json')
    expect(repaired.repaired).toMatchObject({ renewed: [2], taken: [], aside: null })
    expect(JSON.parse(folder.read('results/it/run_2/.run/run.yaml')).id).toBe(2)
  })

  test("leaves out a copy of a run, and another project's run whose id is taken", async () => {
    const folder = await withRuns()
    const other = await shellProject()
    await other.qanat('run', 'it', 'echo other')
    cpSync(`${folder.path}/results/it/run_1`, `${folder.path}/results/it/run_7`, { recursive: true })
    cpSync(`${other.path}/results/it/run_1`, `${folder.path}/results/it/run_8`, { recursive: true })
    const { stderr } = await folder.qanat('doctor', '--repair')
    expect(stderr).toContain('results/it/run_8 was left out: the database has another run 1, of it')
    expect((await folder.json('runs', '--json')).runs.map(({ id }: { id: number }) => id)).toEqual([2, 1])
  })

  test('leaves out a run of an unknown runner, and adds the others', async () => {
    const folder = await withRuns()
    const record = folder.read('results/it/run_1/.run/run.yaml')
    folder.write('results/it/run_1/.run/run.yaml', record.replace('"runner": "local"', '"runner": "kubernetes"'))
    rmSync(`${folder.path}/.qanat/database.db`)
    const { stdout, stderr } = await folder.qanat('doctor', '--repair')
    expect(stderr).toContain("results/it/run_1 was left out: no runner 'kubernetes'")
    expect(stdout).toContain('Added to the database: run 2')
  })

  test('reports broken settings, and then repairs nothing', async () => {
    const folder = await withRuns()
    folder.write('.qanat/config.yaml', 'poll_interval: soon\n')
    const { code, stdout } = await folder.qanat('doctor')
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^✗ {3}config +\.qanat\/config\.yaml:1:16: poll_interval/m),
    ])
    rmSync(`${folder.path}/.qanat/database.db`)
    expect((await folder.qanat('doctor', '--repair')).code).toBe(2)
    expect(folder.has('.qanat/database.db')).toBe(false)
  })
})

test('a command that waits for something that can never happen does not exit with 0', async () => {
  const folder = await shellProject()
  folder.write(
    '.qanat/deaf.cjs',
    `const { EventEmitter } = require('events')
const silent = () => Object.assign(new EventEmitter(), { exitCode: 0, kill() {}, unref() {} })
require('child_process').spawn = () => Object.assign(silent(), { stdout: silent() })
`,
  )
  folder.environment.NODE_OPTIONS = `--require ${folder.path}/.qanat/deaf.cjs`
  const { code, stderr } = await folder.qanat('doctor')
  expect([code, stderr]).toEqual([1, expect.stringContaining('ended before its work was done')])
})
