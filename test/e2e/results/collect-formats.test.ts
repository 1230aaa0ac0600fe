import { execFileSync } from 'node:child_process'
import { lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { parquetReadObjects } from 'hyparquet'
import { describe, expect, onTestFinished, test } from 'vitest'
import { lacksMounts, skips } from '../../skips.js'
import { expectError } from '../expectations.js'
import { madeOnce } from '../made-once.js'
import { type Folder, projectWith } from '../project.js'

const script = `[ "$6" != 2 ] || exit 1
[ "$6" = 0 ] && acc=1 mixed=1 || acc=0.5 mixed='"x"'
cat >"$QANAT_STORAGE_PATH/metrics.json" <<'END' && sed -i "s/ACC/$acc/; s/MIXED/$mixed/" "$QANAT_STORAGE_PATH/metrics.json"
{"acc": ACC, "text": "a \\"b\\",\\n", "ok": true, "nan": NaN, "inf": -Infinity, "all": [1, 3, 2],
"mixed": MIXED, "a.b": 1, "ü ñ": 2, "": 3, "Acc": 4, "status": 5, "nul\\u0000l": 6}
END
`

const noMounts = skips('a table on a full disk', lacksMounts())

const project = madeOnce(async () => {
  const folder = await projectWith(script)
  await folder.qanat('run', 'it', '-R', '--seed 0 3 1', '--lr', '1e-3', '--id', '007')
  await folder.qanat('compare', 'it')
  return folder
})

const renamed = Object.entries({ Acc: 'Acc_2', status: 'status_2', 'nul\\x00l': 'nul\\0l' }).map(
  ([name, column]) => `  ${name} is in the column ${column}, since its own name is taken or impossible\n`,
)

/** All that a query selects in the table that was collected. */
function selected(folder: Folder, sql: string): unknown[] {
  const database = new Database(join(folder.path, 't.sqlite'), { readonly: true })
  onTestFinished(() => void database.close())
  return database.prepare(sql).all()
}

async function parquetRows(folder: Folder): Promise<Record<string, unknown>[]> {
  const bytes = readFileSync(join(folder.path, 't.parquet'))
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  return parquetReadObjects({ file })
}

test('a Parquet file has the types of the values', async () => {
  const folder = await project()
  const { stdout } = await folder.qanat('collect', 'it', '-o', 't.parquet')
  expect(stdout).toBe(`t.parquet: 3 groups, 29 columns\n${renamed.join('')}`)
  const [first, second, third] = await parquetRows(folder)
  expect(first).toMatchObject({
    ...{ run: 1n, group: 0n, status: 'finished', cause: null, '--lr': 0.001, '--id': '007', '--seed': 0n },
    ...{ acc: 1, text: 'a "b",\n', ok: true, nan: Number.NaN, inf: Number.NEGATIVE_INFINITY, mixed: '1' },
    ...{ all: 2, 'all:min': 1, 'all:max': 3, 'a.b': 1, 'ü ñ': 2, '': 3, Acc_2: 4, status_2: 5, 'nul\\0l': 6 },
    started: expect.any(Date),
  })
  expect(second).toMatchObject({ '--seed': 1n, acc: 0.5, mixed: 'x' })
  expect(third).toMatchObject({ status: 'failed', cause: 'exit', '--seed': 2n, acc: null, ok: null, text: null })
})

test('an SQLite file has one table with typed columns', async () => {
  const folder = await project()
  const { stdout } = await folder.qanat('collect', 'it', '-o', 't.sqlite')
  expect(stdout).toBe(`t.sqlite: 3 groups, 29 columns\n${renamed.join('')}`)
  expect(selected(folder, 'select * from groups')).toMatchObject([
    {
      ...{ run: 1, group: 0, status: 'finished', cause: null, '--lr': 0.001, '--id': '007', '--seed': 0 },
      ...{ acc: 1, text: 'a "b",\n', ok: 1, nan: null, inf: Number.NEGATIVE_INFINITY, mixed: '1', all: 2, status_2: 5 },
    },
    { '--seed': 1, acc: 0.5, mixed: 'x' },
    { status: 'failed', cause: 'exit', acc: null, ok: null },
  ])
  const types = selected(folder, "select name, type from pragma_table_info('groups')") as Record<string, string>[]
  expect(Object.fromEntries(types.map(({ name, type }) => [name, type]))).toMatchObject({
    ...{ run: 'INTEGER', status: 'TEXT', duration_s: 'REAL', '--lr': 'REAL', '--seed': 'INTEGER', acc: 'REAL' },
    ...{ ok: 'INTEGER', text: 'TEXT', mixed: 'TEXT' },
  })
})

test('whole numbers stay whole in SQL beside a text or a flag in their column, but not beside a fraction', async () => {
  const folder = await projectWith('')
  const options = ['--seed 0 --top 5 --lr 1', '--seed 0x1 --top --lr 0.5', '--seed 3 --top 5 --lr auto']
  await folder.qanat('run', 'it', ...options.flatMap(each => ['-g', each]))
  const query = (table: string) => `select "--seed" || ',' || "--top" || ',' || "--lr" as cells from ${table}`
  const cells = ['0,5,1.0', '0x1,1,0.5', '3,5,auto'].map(each => ({ cells: each }))
  expect((await folder.json('sql', `${query('it')} order by "group"`, '--json')).rows).toEqual(cells)
  await folder.qanat('collect', 'it', '-o', 't.csv')
  expect(folder.read('t.csv')).toMatch(/,0,5,1\n.*,0x1,true,0\.5\n.*,3,5,auto\n/)
})

test('a column with texts beside others is text in every file, since readers want one type in it', async () => {
  const folder = await projectWith('')
  await folder.qanat('run', 'it', '-g', '--top 5 --lr 1', '-g', '--top --lr auto')
  await folder.qanat('collect', 'it', '-o', 't.sqlite')
  const columns = `typeof("--top") as top_type, typeof("--lr") as lr_type, "--top" as top, "--lr" as lr`
  expect(selected(folder, `select ${columns} from groups order by "group"`)).toEqual([
    { top_type: 'text', lr_type: 'text', top: '5', lr: '1' },
    { top_type: 'text', lr_type: 'text', top: 'true', lr: 'auto' },
  ])
  await folder.qanat('collect', 'it', '-o', 't.jsonl')
  expect(folder.read('t.jsonl')).toMatch(/"--top":"5","--lr":"1".*\n.*"--top":"true","--lr":"auto"/)
})

test('long whole numbers in tables of groups stay what they are in every format, and NaN spoils no column', async () => {
  const folder = await projectWith(`cd "$QANAT_STORAGE_PATH"
printf 'id,hash\\n9007199254740993,18446744073709551615\\n1,2\\n' >t.csv
printf '{"id": 9007199254740993, "in": {"id": 9007199254740993}, "x": NaN}\\n{"id": 2, "x": 0.5}\\n' >t.jsonl`)
  await folder.qanat('run', 'it')
  const collected = (from: string, to: string) => folder.qanat('collect', 'it', '--files', from, '-o', to)
  await collected('t.csv', 'a.csv')
  expect(folder.read('a.csv')).toContain('9007199254740993,18446744073709551615\n')
  await collected('t.jsonl', 'a.jsonl')
  const nested = '{\\"id\\":9007199254740993}'
  expect(folder.read('a.jsonl')).toContain(`"id":9007199254740993,"in":"${nested}","x":null}\n`)
  await collected('t.csv', 't.sqlite')
  expect(selected(folder, 'select cast(id as text) as id, hash, typeof(id) as type from groups')).toEqual([
    { id: '9007199254740993', hash: '18446744073709551615', type: 'integer' },
    { id: '1', hash: '2', type: 'integer' },
  ])
  await collected('t.jsonl', 't.parquet')
  const [first, second] = await parquetRows(folder)
  expect(first).toMatchObject({ id: 9007199254740993n, in: '{"id":9007199254740993}', x: Number.NaN })
  expect(second).toMatchObject({ id: 2n, in: null, x: 0.5 })
})

test('a number is its own smallest and largest value beside groups with a series, however many groups there are', async () => {
  const folder = await projectWith(
    `case $2 in 800) acc='[1, 3, 2]' ;; *) acc=$2.5 ;; esac; echo "{\\"acc\\": $acc}" >"$QANAT_STORAGE_PATH/metrics.json"`,
  )
  await folder.qanat('run', 'it', '-R', '--seed 0 801 1', '--n_threads', '2')
  await folder.qanat('collect', 'it', '-o', 't.csv')
  const [, ...rows] = folder.read('t.csv').trimEnd().split('\n')
  const expected = Array.from({ length: 800 }, (_, at) => Array(3).fill(`${at}.5`).join())
  expect(rows.map(row => row.split(',').slice(-3).join())).toEqual([...expected, '2,1,3'])
})

describe.each([
  ['csv', ''],
  [
    'jsonl',
    `Warning: t.jsonl has no NaN: it is null in nan; .csv and .parquet keep it
Warning: t.jsonl has no infinity: it is null in inf; .csv and .parquet keep it\n`,
  ],
  ['parquet', ''],
  ['sqlite', 'Warning: t.sqlite has no NaN: it is NULL in nan; .csv and .parquet keep it\n'],
])('a file .%s', (end, stderr) => {
  test('replaces an earlier one, also behind a link, and no folder or pipe, and leaves nothing beside it', async () => {
    const folder = await project()
    folder.write('real/t', 'earlier')
    symlinkSync(join('real', 't'), join(folder.path, `t.${end}`))
    folder.write(`folder.${end}/x`, '')
    execFileSync('mkfifo', [join(folder.path, `pipe.${end}`)])
    const before = folder.list('.')
    expect(await folder.qanat('collect', 'it', '-o', `t.${end}`)).toMatchObject({ code: 0, stderr })
    expect(lstatSync(join(folder.path, `t.${end}`)).isSymbolicLink()).toBe(true)
    expect(folder.read('real/t').length).toBeGreaterThan(100)
    for (const [name, is] of Object.entries({ folder: 'a folder', pipe: 'no regular file' }))
      expectError(await folder.qanat('collect', 'it', '-o', `${name}.${end}`), 2, `${name}.${end} is ${is}`)
    expect([folder.list('.'), folder.list('real')]).toEqual([before, ['t']])
  })

  test.skipIf(noMounts)('on a full disk is an error, and an earlier one stays', async () => {
    const folder = await project()
    folder.write('disk/x', '')
    const disk = join(folder.path, 'disk')
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12k', 'tmpfs', disk])
    onTestFinished(() => void execFileSync('umount', ['--lazy', disk]))
    folder.write(`disk/t.${end}`, 'earlier')
    folder.write('disk/fill', 'x'.repeat(8192))
    expectError(await folder.qanat('collect', 'it', '-o', `disk/t.${end}`), 1, 'no space is left', `t.${end}`)
    expect([folder.list('disk'), folder.read(`disk/t.${end}`)]).toEqual([['fill', `t.${end}`], 'earlier'])
  })
})
