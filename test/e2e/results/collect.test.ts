import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { projectWith } from '../project.js'

const script = `
import json, sys
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
if words['--seed'] == '1':
    sys.exit('no')
with open(words['--storage_path'] + '/metrics.json', 'w') as file:
    json.dump({'acc': 0.5, 'text': 'a "b",\\n', 'ok': True, 'nan': float('nan'), 'all': [1, 3, 2]}, file)
`

test('collect writes a row for each group, with typed values, also for groups that failed', async () => {
  const project = await projectWith(script, 'python3')
  await project.qanat('run', 'it', '-R', '--seed 0 2 1', '--lr', '1e-3', '--id', '007')
  const csv = await project.qanat('collect', 'it', '-o', 't.csv')
  expect(csv).toMatchObject({ code: 0, stdout: 't.csv: 2 groups, 21 columns\n' })
  const rows: Record<string, string>[] = parse(project.read('t.csv'), { columns: true })
  expect(rows).toMatchObject([
    {
      ...{ run: '1', group: '0', status: 'finished', cause: '', '--lr': '0.001', '--id': '007', '--seed': '0' },
      ...{ acc: '0.5', text: 'a "b",\n', ok: 'true', nan: 'NaN', all: '2', 'all:min': '1', 'all:max': '3' },
    },
    { run: '1', group: '1', status: 'failed', cause: 'exit', acc: '', all: '' },
  ])
  expect(rows[0]).toMatchObject({ commit: expect.stringMatching(/^[0-9a-f]{40}$/), dirty: 'false' })
  expect(rows[0]!.code_used).toMatch(/^[0-9a-f]{64}$/)
  expect(rows[0]!.started).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)

  await project.qanat('collect', 'it', '1', '-o', 'deep/t.jsonl')
  const [first, second] = project
    .read('deep/t.jsonl')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(first).toMatchObject({ run: 1, '--lr': 0.001, '--id': '007', acc: 0.5, ok: true, nan: 'NaN', 'all:max': 3 })
  expect(second).toMatchObject({ group: 1, status: 'failed', cause: 'exit', acc: null })
})

test('a number is its own smallest and largest value beside groups with a series, however many groups there are', async () => {
  const project = await projectWith(
    `case $2 in 800) acc='[1, 3, 2]' ;; *) acc=$2.5 ;; esac; echo "{\\"acc\\": $acc}" >"$QANAT_STORAGE_PATH/metrics.json"`,
    'sh',
  )
  await project.qanat('run', 'it', '-R', '--seed 0 801 1', '--n_threads', '2')
  await project.qanat('collect', 'it', '-o', 't.csv')
  const rows: Record<string, string>[] = parse(project.read('t.csv'), { columns: true })
  expect(rows.slice(0, 800).map(row => [row.acc, row['acc:min'], row['acc:max']])).toEqual(
    Array.from({ length: 800 }, (_, seed) => Array(3).fill(`${seed}.5`)),
  )
  expect(rows[800]).toMatchObject({ acc: '2', 'acc:min': '1', 'acc:max': '3' })
})

test.each([
  [['it'], '--output is missing'],
  [['it', '-o', 't.xlsx'], '-o t.xlsx: the end of the name says no format'],
  [['it', '-o', 'folder.csv'], 'folder.csv is a folder'],
  [['it', '-o', 'it.sh/new/t.csv'], /^Error: it\.sh\/new\/t\.csv cannot be written: \S+\/it\.sh is no folder\n/],
  [['it', '5', '-o', 't.csv'], "no run '5' of it"],
])('collect %j is an error, and writes nothing', async (words, message) => {
  const project = await projectWith(script, 'python3')
  await project.qanat('run', 'it', '--seed', '0')
  project.write('folder.csv/x', '')
  const { code, stderr } = await project.qanat('collect', ...words)
  expect(code).toBe(2)
  expect(stderr).toEqual(
    typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
  )
  expect(project.has('t.csv')).toBe(false)
})

test('groups that ran uncommitted changes are told from those that ran the commit, also in SQL', async () => {
  const project = await projectWith(script, 'python3')
  await project.qanat('run', 'it', '--seed', '0')
  project.write('it.sh', `${script}# other\n`)
  await project.qanat('run', '--allow_dirty', 'it', '--seed', '0', '--id', '2')
  await project.qanat('collect', 'it', '-o', 't.csv')
  const [clean, dirty]: Record<string, string>[] = parse(project.read('t.csv'), { columns: true })
  expect([clean!.dirty, dirty!.dirty]).toEqual(['false', 'true'])
  expect(dirty!.commit).toBe(clean!.commit)
  expect(dirty!.code_used).not.toBe(clean!.code_used)
  const { rows } = await project.json('sql', 'select run, dirty, code_used from it order by run', '--json')
  expect(rows).toEqual([
    { run: 1, dirty: 0, code_used: clean!.code_used },
    { run: 2, dirty: 1, code_used: dirty!.code_used },
  ])
})
