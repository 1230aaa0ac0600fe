import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withData } from './flowers.js'

test('a run records its data, and changes of them are found until they are as they were', async () => {
  const folder = await withData('content')
  await folder.qanat('run', 'it', 'true')
  expect((await folder.qanat('run_show', '1')).stdout).toContain('Data: flowers: 3 files, 3 B (content)')
  expect(await folder.qanat('dataset', 'verify', 'flowers')).toMatchObject({
    code: 0,
    stdout: 'Dataset flowers is as run 1 read it: 3 files, 3 B (content)\n',
  })
  rmSync(join(folder.path, 'data/a.csv'))
  folder.write('data/b.csv', 'x')
  folder.write('data/c.csv', 'x'.repeat(2000))
  folder.write('data/new', '')
  expect(await folder.qanat('dataset', 'verify', 'flowers', '1')).toMatchObject({
    code: 1,
    stdout: `Dataset flowers changed since run 1: 1 file gone, 1 added, 2 changed
  gone:
    a.csv
  added:
    new
  changed:
    b.csv  1 B as before
    c.csv  1 B → 2.0 kB
`,
  })
  await folder.qanat('run', 'it', 'true')
  expect(await folder.json('dataset', 'diff', 'flowers', '2', '1', '--json')).toMatchObject({
    ...{ dataset: 'flowers', run: 2, other_run: 1, changed: true, partial: false },
    files: { added: ['a.csv'], gone: ['new'], changed: ['b.csv', 'c.csv'], maybe_changed: [] },
    sizes: { 'b.csv': [1, 1], 'c.csv': [2000, 1] },
  })
  folder.write('data/a.csv', 'a')
  folder.write('data/b.csv', 'b')
  folder.write('data/c.csv', 'c')
  rmSync(join(folder.path, 'data/new'))
  expect((await folder.qanat('dataset', 'verify', 'flowers', '1')).code).toBe(0)
})

/** Root may read everything, unless this is taken from it. */
const bound = process.getuid!() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search', '--'] : ['env']

test.each(['stat', 'content'])(
  'what can no longer be looked at is named (%s), and not taken for what the run has read',
  async level => {
    const folder = await withData(level)
    folder.write('data/sub/d.csv', 'd')
    await folder.shell('mkfifo "data/a\nb"')
    await folder.qanat('run', 'it', 'true')
    expect(await folder.qanat('dataset', 'verify', 'flowers')).toMatchObject({
      code: 0,
      stdout: `Dataset flowers is as run 1 read it, as far as it could be looked at: 4 files, 4 B (${level})
  not looked at:
    a⏎b
`,
    })
    const verify = `${bound.join(' ')} "${process.execPath}" "${folder.program}" dataset verify flowers`
    const { code, stdout } = await folder.shell(`chmod 0 data/sub data/a.csv; ${verify}; code=$?; ${verify} --json
    chmod 700 data/sub; exit "$code"`)
    const [text, json] = stdout.split(/^(?={)/m)
    expect([code, text]).toEqual([
      1,
      `Dataset flowers is as run 1 read it, as far as it could be looked at: 4 files, 4 B (${level})
  not looked at:
    a⏎b
    a.csv
    sub
`,
    ])
    expect(JSON.parse(json!)).toMatchObject({
      partial: true,
      changed: false,
      files: { not_looked_at: ['a\nb', 'a.csv', 'sub'] },
    })
  },
)

test('a run whose data have changed when groups are launched again says so for ever, after a repair too', async () => {
  const folder = await withData('stat')
  await folder.qanat('run', 'it', 'false')
  await folder.qanat('run_retry', '1')
  expect((await folder.qanat('run_show', '1')).stdout).not.toContain('Warning')
  rmSync(join(folder.path, 'data/a.csv'))
  await folder.qanat('run_retry', '1')
  folder.write('data/a.csv', 'a')
  const told = 'run 1, attempt 3: dataset flowers changed since run 1: 1 file gone'
  expect((await folder.qanat('run_show', '1')).stdout).toContain(`Warning: ${told}\n`)
  rmSync(join(folder.path, '.qanat/database.db'))
  for (const words of [['init'], ['doctor', '--repair']]) await folder.qanat(...words)
  expect((await folder.qanat('run_show', '1')).stdout).toContain(`Warning: ${told}\n`)
})

test('what is made of groups that have read other data than their run has recorded says so', async () => {
  const folder = await withData('stat')
  const made = `echo '{"acc": 1}' >"$QANAT_STORAGE_PATH/metrics.json"; [ ! -e data/a.csv ]`
  await folder.qanat('run', 'it', made)
  rmSync(join(folder.path, 'data/a.csv'))
  await folder.qanat('run_retry', '1')
  const told = 'run 1, attempt 2: dataset flowers changed since run 1: 1 file gone'
  for (const words of [
    ['compare', 'it'],
    ['collect', 'it', '-o', '.git/t.csv'],
    ['whence', 'results/it/run_1/metrics.json'],
    ['export', '--crate', '1', '-o', '.git/crate'],
  ]) {
    const { stdout, stderr } = await folder.qanat(...words)
    expect([words, stdout + stderr]).toEqual([words, expect.stringContaining(told)])
  }
})

test('a retry without a dataset that its run has read tells it, and the run keeps it', async () => {
  const folder = await withData('stat')
  await folder.qanat('run', 'it', 'false')
  rmSync(join(folder.path, 'data'), { recursive: true })
  rmSync(join(folder.path, 'tracked'), { recursive: true })
  const { stderr } = await folder.qanat('run_retry', '1')
  expect(stderr).toContain('Warning: dataset flowers is gone: data does not exist\n')
  expect(stderr).not.toContain('dataset tracked')
  const told = 'run 1, attempt 2: dataset flowers is gone: data does not exist'
  expect((await folder.qanat('run_show', '1')).stdout).toContain(`Warning: ${told}\n`)
})

test('files that git tracks are compared by their hash, also from the frozen copy of an old commit', async () => {
  const folder = await withData('stat')
  await folder.qanat('run', 'it', 'true')
  await folder.qanat('run', '--snapshot', 'always', 'it', 'true')
  expect((await folder.qanat('dataset', 'diff', 'tracked', '1', '2')).stdout).toContain('was the same for runs 1 and 2')
  folder.write('tracked/a.csv', 'b')
  expect((await folder.qanat('dataset', 'verify', 'tracked')).stdout).toContain('1 file changed')
  folder.commit()
  expect((await folder.qanat('dataset', 'verify', 'tracked')).stdout).toContain('1 file changed')
  await folder.qanat('run', '--commit_sha', 'HEAD~1', 'it', 'true')
  expect((await folder.qanat('dataset', 'diff', 'tracked', '1', '3')).stdout).toContain('was the same for runs 1 and 3')
})

test('a rebuilt database knows the data of runs', async () => {
  const folder = await withData('sample')
  await folder.qanat('run', 'it', 'true')
  const { data } = await folder.show(1)
  rmSync(join(folder.path, '.qanat/database.db'))
  await folder.qanat('doctor', '--repair')
  expect((await folder.show(1)).data).toEqual(data)
  expect((await folder.qanat('dataset', 'diff', 'flowers', '1')).code).toBe(0)
})

test('of two runs, what was compared is what both have recorded', async () => {
  const folder = await withData('content')
  await folder.qanat('run', 'it', 'true')
  folder.write('flowers.yaml', 'name: flowers\npath: data\nfingerprint: stat\n')
  folder.commit()
  expect((await folder.qanat('dataset', 'update', 'flowers', '-f', 'flowers.yaml')).code).toBe(0)
  await folder.qanat('run', 'it', 'true')
  const same = 'Dataset flowers was the same for runs 1 and 2: 3 files, 3 B (stat)\n'
  expect((await folder.qanat('dataset', 'diff', 'flowers', '1', '2')).stdout).toBe(same)
})

test('data that are not here, an unknown run and a dataset that no run has read are told', async () => {
  const folder = await withData('off')
  await folder.qanat('run', 'it', 'true')
  expect(await folder.qanat('dataset', 'verify', 'flowers')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('run 1 has recorded no files of dataset flowers: its fingerprint was off'),
  })
  mkdirSync(join(folder.path, 'more'))
  folder.write('more.yaml', 'name: more\npath: more\n')
  await folder.qanat('dataset', 'new', 'more.yaml')
  expect(await folder.qanat('dataset', 'verify', 'more')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no run has recorded dataset more'),
  })
  expect((await folder.qanat('dataset', 'diff', 'more', '1')).stderr).toContain('it has recorded flowers, tracked')
  expect((await folder.qanat('dataset', 'verify', 'flower')).stderr).toContain(
    "no dataset 'flower'. Did you mean flowers?",
  )
  rmSync(join(folder.path, 'tracked'), { recursive: true })
  expect(await folder.qanat('dataset', 'verify', 'tracked')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the path of dataset tracked is not on this machine: tracked'),
  })
})

test('data that were not here at a launch are compared with what the run before it read', async () => {
  const folder = await withData('stat')
  await folder.qanat('run', 'it', 'true')
  renameSync(join(folder.path, 'data'), join(folder.path, '.git/away'))
  await folder.qanat('run', 'it', 'true')
  renameSync(join(folder.path, '.git/away'), join(folder.path, 'data'))
  folder.write('data/new', '')
  expect((await folder.qanat('run_show', '2')).stdout).toContain('partial: its path is not on this machine')
  expect(await folder.qanat('dataset', 'verify', 'flowers')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Dataset flowers changed since run 1: 1 file added'),
  })
  expect(await folder.qanat('dataset', 'verify', 'flowers', '2')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('run 2 has recorded no files of dataset flowers: its path is not on this machine'),
  })
})

test('changed data are told by run_show and rerun, make a column of compare, and a document stale', async () => {
  const folder = await withData('stat')
  folder.write('grid.yaml', "fixed_args: {positional: {0: 'true'}}\n")
  folder.write('paper/.keep', '')
  folder.write(
    'paper.yaml',
    'name: paper\npath: paper\ncompile_script: it.sh\nexperiment_dependencies:\n  - {experiment_name: it, run_args_file: grid.yaml, files: [stdout.txt]}\n',
  )
  folder.commit()
  await folder.qanat('document', 'new', 'paper.yaml')
  await folder.qanat('run', '-f', 'grid.yaml', 'it')
  const states = async () => (await folder.json('document', 'status', 'paper', '--json')).dependencies
  expect(await states()).toMatchObject([{ why: 'stdout.txt of run 1 is not exported yet' }])
  await folder.shell('touch -d 2001-01-01 data/b.csv')
  expect((await folder.qanat('run_show', '1')).stdout).toContain('Data now: flowers: 1 file maybe changed')
  expect(await states()).toMatchObject([{ why: 'stdout.txt of run 1 is not exported yet' }])
  rmSync(join(folder.path, 'data/a.csv'))
  expect((await folder.qanat('run_show', '1')).stdout).toContain(
    'Data now: flowers changed since: 1 file gone, 1 maybe changed',
  )
  expect((await folder.show(1)).data).toMatchObject([{ since: { gone: 1, maybe_changed: 1 } }, { since: null }])
  expect(await states()).toMatchObject([
    { status: 'stale', why: 'dataset flowers changed since run 1: 1 file gone, 1 maybe changed' },
  ])
  renameSync(join(folder.path, 'data'), join(folder.path, '.git/away'))
  expect((await folder.qanat('run_show', '1')).stdout).toContain('Data now: flowers is gone: data does not exist\n')
  expect((await folder.show(1)).data).toMatchObject([{ since: { gone: 3 } }, { since: null }])
  expect(await states()).toMatchObject([{ status: 'stale', why: 'dataset flowers is gone: data does not exist' }])
  renameSync(join(folder.path, '.git/away'), join(folder.path, 'data'))
  const { stderr } = await folder.qanat('rerun', '1')
  expect(stderr).toContain('dataset flowers has changed since run 1: 1 file gone, 1 maybe changed')
  expect(await states()).toMatchObject([{ why: 'stdout.txt of run 2 is not exported yet' }])
  const { cells, parameters } = await folder.json('compare', 'it', '--json')
  expect(parameters).toEqual(['dataset'])
  expect(cells.map((cell: { parameters: unknown }) => cell.parameters)).toEqual([
    { dataset: 'flowers as run 1' },
    { dataset: 'flowers as run 2' },
  ])
})

test('tracked data that cannot be read any more hinder no command, and a pipe in their place is not opened', async () => {
  const folder = await withData('stat')
  await folder.qanat('run', 'it', 'false')
  const path = join(folder.path, 'tracked/a.csv')
  rmSync(path)
  symlinkSync('nowhere', path)
  expect(await folder.qanat('run_show', '1')).toMatchObject({ code: 0 })
  rmSync(path)
  execFileSync('mkfifo', [path])
  const verified = await folder.qanat('dataset', 'verify', 'tracked')
  expect([verified.code, verified.stdout]).toEqual([1, expect.stringContaining('  not looked at:\n    a.csv\n')])
  expect(await folder.qanat('run_show', '1')).toMatchObject({ code: 0 })
  expect(await folder.qanat('run_retry', '1')).toMatchObject({ stderr: expect.not.stringContaining('git') })
  renameSync(join(folder.path, '.git'), join(folder.path, 'git'))
  expect(await folder.qanat('run_show', '1')).toMatchObject({ code: 0 })
})

test('compare and whence say of which data only the time of a file differs, and count them as the same', async () => {
  const folder = await withData('stat')
  await folder.qanat('run', 'it', 'echo 1 >"$QANAT_STORAGE_PATH/out"; true', '--a', '1')
  await folder.shell('touch -d 2001-01-01 data/b.csv')
  const [, ...others] = ['1', '2', '3']
  for (const a of others) await folder.qanat('run', 'it', 'true', '--a', a)
  const compared = await folder.qanat('compare', 'it')
  expect(compared.stdout).toContain(
    'runs 2 and 3 may have read another state of dataset flowers than run 1: 1 file maybe changed (same size, another time)',
  )
  expect(compared.stdout).not.toContain('flowers as run')
  expect((await folder.qanat('compare', 'it', '2', '3')).stdout).not.toContain('may have read')
  const found = await folder.json('whence', 'results/it/run_1/out', '--json')
  expect(found).toMatchObject({
    notes: ['dataset flowers, since run 1: 1 file maybe changed (same size, another time)'],
    matches: [{ changed: [] }],
  })
})
