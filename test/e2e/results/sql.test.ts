import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { madeOnce } from '../made-once.js'
import { type Folder, groups, projectWith, shellProject, until } from '../project.js'

const script = `
import json, sys
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
seed = int(words['--seed'])
if seed == 2:
    sys.exit('no')
metrics = {'acc': 1 - seed / 2, 'text': 'a "b"', 'ok': True, 'nan': float('nan'), 'inf': float('inf'), 'all': [1, 3, 2]}
json.dump({**metrics, 'status': 5, '--seed': 'x'}, open(words['--storage_path'] + '/metrics.json', 'w'))
`

const project = madeOnce(async () => {
  const folder = await projectWith(script, 'python3')
  await folder.qanat('run', 'it', '-R', '--seed 0 3 1', '--lr', '1e-3', '--id', '007')
  return folder
})

/** The rows that a query selects. */
async function rows(folder: Folder, sql: string): Promise<Record<string, unknown>[]> {
  return (await folder.json('sql', sql, '--json')).rows
}

describe('the views', () => {
  test('are listed with their columns, which other programs rely on', async () => {
    const folder = await project()
    const listed = await folder.qanat('sql')
    expect(listed.stdout.replace(/^(\w+) +/gm, '$1: ')).toMatchInlineSnapshot(`
      "runs: id, experiment, status, runner, commit_sha, dirty, code_used, code_changed, storage_path, description, launched, started, finished, duration_s, progress, groups_total, groups_pending, groups_running, groups_held, groups_finished, groups_failed, groups_cancelled, groups_lost, submit_template, n_threads, container, tags
      groups: experiment, run, "group", status, cause, exit_code, signal, host, job_id, started, finished, duration_s, attempt, peak_memory_bytes, cpu_s
      metrics: experiment, run, "group", metric, value, min, max, min_step, max_step, count
      it: run, "group", status, cause, "commit", dirty, code_used, started, duration_s, peak_memory_bytes, cpu_s, "--lr", "--id", "--seed", acc, text, ok, nan, inf, "all", "all:min", "all:max", status_2, "--seed_2"
      "
    `)
    const { views } = await folder.json('sql', '--json')
    expect(views.map((view: { name: string }) => view.name)).toEqual(['runs', 'groups', 'metrics', 'it'])
    expect(views[2].columns).toContain('group')
  })

  test('runs has the columns and the values of the list of runs', async () => {
    const folder = await project()
    await folder.qanat('run_tag', 'it', '1', '+a', '+b')
    const list: string[][] = parse((await folder.qanat('runs', '--csv')).stdout)
    const [names, first] = parse((await folder.qanat('sql', 'select * from runs', '--csv')).stdout) as string[][]
    expect(names).toEqual(list[0])
    const asInSql = list[1]!.map(value => (value === 'true' ? '1' : value === 'false' ? '0' : value))
    expect(first).toEqual(asInSql)
  })

  test('groups has every group, also those that wait', async () => {
    const folder = await shellProject()
    await folder.qanat('run', 'it', ...groups('exit 3', 'true'))
    await folder.qanat(
      'run',
      '--detach',
      'it',
      ...groups('while [ -d "$QANAT_PROJECT/.git" ]; do sleep 0.05; done', 'true'),
    )
    await folder.when(2, run => run.groups.running === 1)
    const sql = 'select experiment, run, "group", status, cause, exit_code from groups order by run, "group"'
    expect((await rows(folder, sql)).map(row => Object.values(row))).toEqual([
      ['it', 1, 0, 'failed', 'exit', 3],
      ['it', 1, 1, 'finished', null, 0],
      ['it', 2, 0, 'running', null, null],
      ['it', 2, 1, 'pending', null, null],
    ])
    expect(await rows(folder, 'select count(*) as n from groups where run = 2')).toEqual([{ n: 2 }])
  })

  test('metrics has a row for each metric of a group that has finished', async () => {
    const folder = await project()
    const sql = 'select metric, value, min, max, min_step, max_step, count from metrics where "group" = 0'
    expect((await rows(folder, sql)).map(row => Object.values(row))).toEqual([
      ['acc', 1, 1, 1, null, null, 1],
      ['text', 'a "b"', null, null, null, null, 1],
      ['ok', 1, 1, 1, null, null, 1],
      ['nan', null, null, null, null, null, 1],
      ['inf', 'Infinity', 'Infinity', 'Infinity', null, null, 1],
      ['all', 2, 1, 3, 0, 1, 3],
      ['status', 5, 5, 5, null, null, 1],
      ['--seed', 'x', null, null, null, null, 1],
    ])
    expect(await rows(folder, 'select count(distinct "group") as n from metrics')).toEqual([{ n: 2 }])
  })

  test('that of an experiment has a row a group, a column a parameter and a metric, and typed values', async () => {
    const folder = await project()
    expect((await rows(folder, 'select * from it'))[1]).toMatchObject({
      ...{ run: 1, group: 1, status: 'finished', cause: null, '--lr': 0.001, '--id': '007', '--seed': 1 },
      ...{ acc: 0.5, text: 'a "b"', ok: 1, nan: null, inf: 'Infinity', 'all:max': 3, status_2: 5, '--seed_2': 'x' },
    })
    const [types] = await rows(folder, 'select typeof(acc) as a, typeof("--seed") as b, typeof(run) as c from it')
    expect(types).toEqual({ a: 'real', b: 'integer', c: 'integer' })
    expect(
      await rows(folder, 'select it.cause, runs.id from it join runs on runs.id = it.run where acc is null'),
    ).toEqual([{ cause: 'exit', id: 1 }])
  })

  test('of experiments whose names are taken have other names', async () => {
    const folder = await project()
    for (const name of ['runs', 'IT', 'sqlite_x', 'a-b', 'readings', 'main']) {
      folder.write(`${name}.yaml`, `name: ${name}\nexecutable: it.sh\nexecutable_command: python3\n`)
      folder.commit()
      await folder.qanat('experiment', 'new', '-f', `${name}.yaml`)
      await folder.qanat('run', name, '--seed', '0')
    }
    const names = [
      'runs',
      'groups',
      'metrics',
      'IT',
      '"a-b"',
      'it_2',
      'main',
      'readings',
      'runs_2',
      'experiment_sqlite_x',
    ]
    const { stdout } = await folder.qanat('sql')
    expect(stdout.split('\n').map(line => line.split(' ')[0])).toEqual([...names, ''])
    for (const name of names.slice(3)) {
      const [count] = await rows(folder, `select count(*) as n from ${name}`)
      expect([name, count]).toEqual([name, { n: name === 'it_2' ? 3 : 1 }])
    }
  })
})

describe('a query', () => {
  test('takes in what is new first', async () => {
    const folder = await project()
    expect(await rows(folder, 'select count(acc) as n from it')).toEqual([{ n: 2 }])
    await folder.qanat('run', 'it', '--seed', '4')
    expect(await rows(folder, "select count(*) as n from metrics where metric = 'acc'")).toEqual([{ n: 3 }])
  })

  test('prints a table, CSV or JSON, and keeps every digit', async () => {
    const folder = await project()
    const sql =
      "select 9007199254740993 as big, 0.1 + 0.2 as sum, x'00ff' as bytes, null as none, 'a,\nb' as text, 2 as text"
    expect((await folder.qanat('sql', sql)).stdout).toBe(
      'big               sum                  bytes  none  text  text_2\n9007199254740993  0.30000000000000004  00ff         a, b  2\n',
    )
    expect((await folder.qanat('sql', sql, '--csv')).stdout).toBe(
      'big,sum,bytes,none,text,text_2\n9007199254740993,0.30000000000000004,00ff,,"a,\nb",2\n',
    )
    expect(await folder.json('sql', sql, '--json')).toEqual({
      columns: ['big', 'sum', 'bytes', 'none', 'text', 'text_2'],
      rows: [{ big: '9007199254740993', sum: 0.1 + 0.2, bytes: '00ff', none: null, text: 'a,\nb', text_2: 2 }],
    })
    expect((await folder.qanat('sql', 'select run from it where 0', '--csv')).stdout).toBe('run\n')
    expect(await folder.json('sql', 'with a as (values (1)) select * from a where 0; -- b', '--json')).toMatchObject({
      rows: [],
    })
  })

  test.each([
    ['delete from runs', "'delete' is not allowed"],
    ['pragma user_version = 1', "'pragma' is not allowed"],
    ["attach 'other.db' as other", "'attach' is not allowed"],
    ['/* x */ create temp table x (a)', "'create' is not allowed"],
    ['explain select 1', "'explain' is not allowed"],
    ['', 'there is no query'],
    ['with a as (select 1) delete from main.runs', 'only reads'],
    ['with a as (select 1) insert into runs select 1', 'only reads'],
    ["select load_extension('x')", 'not authorized'],
    ['select 1; delete from main.runs', 'more than one statement'],
    ['select acu from it', 'no such column: acu. Did you mean acc?', 'it has run, "group", status'],
    ['select i.acu from it i', 'no such column: acu. Did you mean acc?'],
    ['select "--sead" from it', 'no such column: --sead. Did you mean "--seed"?'],
    ['select seed from it', 'no such column: seed. Did you mean "--seed"?'],
    [
      'select "--seed" from groups',
      'no such column: --seed',
      'parameters and metrics are in the views of experiments: it',
    ],
    ['select * from metric', 'no such table: metric. Did you mean metrics?', 'the views are runs, groups, metrics, it'],
    ['select run, group from it', 'near "group": syntax error', 'need double quotes'],
    ['select --lr from it', 'incomplete input', 'need double quotes'],
    ["select json('{')", 'malformed JSON', 'qanat sql'],
  ])('%s is an error, and changes nothing', async (sql, message, hint = '') => {
    const folder = await project()
    await folder.qanat('sql', 'select * from metrics')
    const database = () => readFileSync(join(folder.path, '.qanat/database.db'))
    const before = database()
    expectError(await folder.qanat('sql', sql), 2, message, hint)
    expect(database().equals(before)).toBe(true)
    expect(folder.has('other.db')).toBe(false)
  })

  test('that never ends is ended by Ctrl-C at once', async () => {
    const folder = await project()
    const endless = 'with recursive a (x) as (select 1 union all select x + 1 from a) select count(*) from a'
    const child = folder.start(['sql', endless])
    // It works without a pause: the time that it has used grows far beyond that of a start.
    await until(() => ticksOf(child.pid!) > 300)
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([null, 'SIGINT'])
  })

  test('whose result nobody reads on blocks no other command', async () => {
    const folder = await project()
    const many =
      'with recursive a (x) as (select 1 union all select x + 1 from a limit 300000) select x, it.* from a, it limit 300000'
    const child = folder.start(['sql', many, '--csv'])
    await once(child.stdout!, 'readable')
    expect(await folder.qanat('run_tag', 'it', '1', '+while')).toMatchObject({ code: 0 })
    expect(child.exitCode).toBe(null)
  })

  test('streams as many rows as there are, in little memory', async () => {
    const folder = await project()
    writeFileSync(
      join(folder.path, 'peak.cjs'),
      "process.on('exit', () => require('fs').writeFileSync(process.env.PEAK, String(process.resourceUsage().maxRSS)))\n",
    )
    const peak = async (count: number) => {
      const sql = `with recursive a (x) as (select 1 union all select x + 1 from a limit ${count}) select x, 'some text' || x as t from a`
      const environment = `NODE_OPTIONS="--require ./peak.cjs" PEAK="$PWD/peak.${count}"`
      const { stdout } = await folder.shell(`${environment} qanat sql "${sql}" --csv | tail -1`)
      expect(stdout).toBe(`${count},some text${count}\n`)
      return Number(folder.read(`peak.${count}`)) / 1024
    }
    const few = await peak(1_000)
    expect(await peak(1_000_000)).toBeLessThan(few + 80)
  })

  test('on an experiment with more columns than SQL can have leaves the last ones out, with a word', async () => {
    const folder = await projectWith(
      `
import json, sys
for part in range(3):
    json.dump({f'm{part * 900 + at}': at for at in range(900)}, open(f'{sys.argv[-1]}/m{part}.json', 'w'))
`,
      'python3',
    )
    folder.write(
      'it.yaml',
      'name: it\nexecutable: it.sh\nexecutable_command: python3\nmetrics: [m0.json, m1.json, m2.json]\n',
    )
    folder.commit()
    await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
    await folder.qanat('run', 'it')
    const { stdout, stderr } = await folder.qanat('sql', 'select m1988 from it', '--csv')
    expect([stdout, stderr]).toEqual(['m1988\n188\n', expect.stringContaining('the first 2000 of its 2711 columns')])
    expect(await rows(folder, "select value from metrics where metric = 'm2699'")).toEqual([{ value: 899 }])
  })
})

/** The time that a process has used, in hundredths of a second. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return Number(fields[11]) + Number(fields[12])
}
