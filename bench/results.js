import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inTurn, millisecondsOf } from './measure.js'
import { addGroups, addMetrics, fullProject } from './status.js'

/** What it takes to look at a run of 100,000 groups and its metrics. */
export const resultRows = [
  {
    name: 'compare',
    what: '`qanat compare` over 100,000 groups with 10 metrics each',
    reference: '`experiment status` of them',
    target: '≤ 8×',
    measure: compare,
  },
  {
    name: 'collect',
    what: '`qanat collect -o t.csv` of 100,000 groups with 10 metrics each',
    reference: "the same table by Python's csv module",
    target: '≤ 0.5×',
    needs: { program: 'python3', package: 'python3' },
    measure: collect,
  },
  {
    name: 'fill',
    what: '`qanat run --fill --dry_run` of 100,000 cells, half of them known, beside 100,000 known ones',
    reference: 'a plain dry run of as many',
    target: '≤ 1.5×',
    measure: fill,
  },
]

function compare() {
  const project = fullProject(addGroups, addMetrics)
  return inTurn(
    7,
    () => project.qanat('compare', 'full'),
    () => project.qanat('experiment', 'status', 'full'),
  )
}

function fill() {
  const project = fullProject(addGroups)
  const launch = (...options) => project.qanat('run', '--dry_run', ...options, '-R', '--seed 50000 150000 1', 'full')
  return inTurn(
    7,
    () => launch('--fill'),
    () => launch(),
  )
}

/** Reads what `collect` reads, and writes the same table. */
const script = `import csv, datetime, json, sqlite3
database = sqlite3.connect('.qanat/database.db')
commit, dirty, code = database.execute('SELECT commit_sha, dirty, code_used FROM runs WHERE id = 1').fetchone()
code = [commit, 'true' if dirty else 'false', code]
groups = database.execute("""SELECT number, state, cause, groups.started, groups.finished, peak_memory, cpu_time, metrics
    FROM groups JOIN readings USING (run_id, number) WHERE run_id = 1 ORDER BY number""")
names = [f'metric_{at}' for at in range(10)]
with open('theirs.csv', 'w', newline='') as file:
    writer = csv.writer(file, lineterminator='\\n')
    writer.writerow(['run', 'group', 'status', 'cause', 'commit', 'dirty', 'code_used', 'started', 'duration_s',
        'peak_memory_bytes', 'cpu_s', '--seed', *names])
    for number, state, cause, started, finished, memory, cpu, metrics in groups:
        time = datetime.datetime.fromtimestamp(started / 1000, datetime.timezone.utc)
        values = json.loads(metrics)
        writer.writerow([1, number, state, cause, *code, time.isoformat(), (finished - started) / 1000, memory, cpu, number,
            *(values[name] for name in names)])
`

function collect() {
  const project = fullProject(addGroups, addMetrics)
  writeFileSync(join(project.path, 'table.py'), script)
  return inTurn(
    7,
    () => project.qanat('collect', 'full', '-o', 'ours.csv'),
    () => millisecondsOf('python3', ['table.py'], { cwd: project.path }),
  )
}
