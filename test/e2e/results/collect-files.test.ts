import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { type Folder, groups, shellProject } from '../project.js'

const table = (name: string, ...lines: string[]) =>
  `cd "$QANAT_STORAGE_PATH"; mkdir -p logs; printf '${lines.map(line => `${line}\\n`).join('')}' >${name}`

/** The rows of a collected file, each as the cells that it has. */
function rows(folder: Folder): Record<string, string>[] {
  const all: Record<string, string>[] = parse(folder.read('t.csv'), { columns: true })
  return all.map(row => Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== '')))
}

test('columns may have names that every object of JavaScript has', async () => {
  const folder = await shellProject()
  await folder.qanat('run', 'it', ...groups(table('h.csv', '__proto__,constructor', '1,2')))
  await folder.qanat('collect', 'it', '--files', 'h.csv', '-o', 't.csv')
  expect(folder.read('t.csv')).toMatch(/,__proto__,constructor\n.*,1,2\n$/)
})

test('the tables of groups are put under each other, with their parameters beside', async () => {
  const folder = await shellProject()
  const first = table('h.csv', 'step,loss,status', '1,0.5,warm', '2,nan,cold')
  const second = `${table('h.csv', 'step,extra', '1,true')}; exit 3`
  await folder.qanat(
    'run',
    'it',
    '-g',
    `'${first.replaceAll("'", `'\\''`)}' --lr 0.1`,
    '-g',
    `'${second.replaceAll("'", `'\\''`)}' --lr 1`,
  )
  const { stdout, stderr } = await folder.qanat('collect', 'it', '--files', 'h.csv', '-o', 't.csv')
  expect(stderr).toBe('')
  expect(stdout).toBe(
    't.csv: 2 files, 3 rows, 10 columns\n  status is in the column status_2, since its own name is taken or impossible\n',
  )
  expect(rows(folder)).toMatchObject([
    {
      run: '1',
      group: '0',
      status: 'finished',
      '--lr': '0.1',
      file: 'h.csv',
      step: '1',
      loss: '0.5',
      status_2: 'warm',
    },
    { run: '1', group: '0', '--lr': '0.1', step: '2', loss: 'NaN', status_2: 'cold' },
    { run: '1', group: '1', status: 'failed', '--lr': '1', file: 'h.csv', step: '1', extra: 'true' },
  ])
  expect(await folder.qanat('collect', 'it', '--files', 'h.csv', '-o', 't.parquet')).toMatchObject({ code: 0 })
  expect(await folder.qanat('collect', 'it', '--files', 'h.csv', '-o', 't.sqlite')).toMatchObject({ code: 0 })
})

test('a pattern finds several tables of a group, in the order of their numbers', async () => {
  const folder = await shellProject()
  const jsonl = `${table('logs/2.jsonl', '{"a": 1, "b": {"c": [2]}}')}; printf '{"a": 3}\\n{"a"' >logs/10.jsonl; touch logs/3.txt`
  await folder.qanat('run', 'it', ...groups(jsonl))
  const { stderr } = await folder.qanat('collect', 'it', '--files', 'logs/*.jsonl', '-o', 't.csv')
  expect(stderr).toBe('Warning: logs/10.jsonl: line 2 holds no mapping of JSON (group 1.0)\n')
  expect(rows(folder)).toMatchObject([
    { file: 'logs/2.jsonl', a: '1', b: '{"c":[2]}' },
    { file: 'logs/10.jsonl', a: '3' },
  ])
})

test('a pattern is not hindered by a file beside its folders, nor by a folder beside its files', async () => {
  const folder = await shellProject()
  await folder.qanat(
    'run',
    'it',
    ...groups(`${table('logs/h.csv', 'a', '1')}; mkdir logs/z.csv; ln -s nowhere logs/y.csv`),
  )
  for (const pattern of ['*/h.csv', 'logs/*.csv']) {
    const { stderr } = await folder.qanat('collect', 'it', '--files', pattern, '-o', 't.csv')
    expect([stderr, rows(folder)]).toMatchObject(['', [{ file: 'logs/h.csv', a: '1' }]])
  }
})

test('a pattern with ** finds each table once, wherever it is, and none of an earlier attempt', async () => {
  const folder = await shellProject()
  const where = 'mkdir -p a/b c; cp logs/h.csv a/b; cp logs/h.csv .; [ -e "$QANAT_PROJECT/.qanat/fixed" ]'
  await folder.qanat('run', 'it', `${table('logs/h.csv', 'a', '1')}; ${where}`)
  folder.write('.qanat/fixed', '')
  expect((await folder.qanat('run_retry', '1')).code).toBe(0)
  for (const [pattern, ...files] of [
    ['**/h.csv', 'h.csv', 'a/b/h.csv', 'logs/h.csv'],
    ['*/**/h.csv', 'a/b/h.csv', 'logs/h.csv'],
    ['a/**/h.csv', 'a/b/h.csv'],
  ]) {
    await folder.qanat('collect', 'it', '--files', pattern!, '-o', 't.csv')
    expect(rows(folder).map(({ file }) => file)).toEqual(files)
  }
  await folder.qanat('collect', 'it', '--files', '**/*/**/h.csv', '-o', 't.csv')
  expect(rows(folder)).toHaveLength(2)
})

test('a table that cannot be read is a warning, and costs no other', async () => {
  const folder = await shellProject()
  folder.write('.qanat/secret.csv', 'a\nsecret\n')
  const good = table('h.csv', 'a', '1')
  await folder.qanat('run', 'it', ...groups(good, ':', ':', `printf 'a\\n\\344\\n' >"$QANAT_STORAGE_PATH/h.csv"`))
  const place = (group: number) => join(folder.path, `results/it/run_1/group_${group}/h.csv`)
  symlinkSync(join(folder.path, '.qanat/secret.csv'), place(1))
  execFileSync('mkfifo', [place(2)])
  const { stderr, code } = await folder.qanat('collect', 'it', '--files', 'h.csv', '-o', 't.csv')
  expect([code, stderr.trim().split('\n')]).toEqual([
    0,
    [
      'Warning: h.csv: it is a link that leads out of the run (group 1.1)',
      'Warning: h.csv: it is no regular file, or may not be read (group 1.2)',
      'Warning: h.csv: it is not UTF-8 text (group 1.3)',
    ],
  ])
  expect(rows(folder)).toMatchObject([{ group: '0', a: '1' }])
})

test.each([
  ['h.txt', 'its end is not .csv, .tsv or .jsonl'],
  ['../h.csv', 'it leads out of the folders of groups'],
  ['/etc/h.csv', 'it leads out of the folders of groups'],
  ['none.csv', 'no group that has ended has such a file'],
])('--files %s is an error, and writes nothing', async (pattern, message) => {
  const folder = await shellProject()
  await folder.qanat('run', 'it', ...groups('true'))
  expectError(
    await folder.qanat('collect', 'it', '--files', pattern, '-o', 't.csv'),
    2,
    `--files ${pattern}: ${message}`,
  )
  expect(folder.has('t.csv')).toBe(false)
})

test('a table of many rows fits into every format', async () => {
  const folder = await shellProject()
  await folder.qanat('run', 'it', '{ echo step; seq 200000; } >"$QANAT_STORAGE_PATH/h.csv"; true')
  for (const end of ['csv', 'jsonl', 'parquet', 'sqlite']) {
    const { stdout, stderr } = await folder.qanat('collect', 'it', '--files', 'h.csv', '-o', `t.${end}`)
    expect([stderr, stdout]).toEqual(['', expect.stringContaining(`t.${end}: 1 file, 200000 rows`)])
  }
})
