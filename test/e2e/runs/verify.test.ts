import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { groups, shellProject, until } from '../project.js'
import { withData } from './flowers.js'

/** Writes a file of metrics; its seed is in the file `seed`, which git ignores. */
const script = `read -r seed < "$QANAT_PROJECT/seed"
echo "{\\"acc\\": 0.5$seed}" > "$QANAT_STORAGE_PATH/metrics.json"
echo "stored in $QANAT_STORAGE_PATH"
date +%N > "$QANAT_STORAGE_PATH/clock.log"`

test('rerun --verify says that a deterministic run is reproduced, and what is not the same', async () => {
  const folder = await shellProject()
  folder.write('.gitignore', `${folder.read('.gitignore')}\n/seed\n`)
  folder.write('seed', '1\n')
  folder.commit()
  await folder.qanat('run', 'it', script)
  const same = await folder.qanat('rerun', '--verify', '1', '--ignore', '*.log')
  expect(same).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Run 2 reproduces run 1: 3 files identical; 1 metric identical\n'),
  })
  expect((await folder.show(2)).rerun_of).toBe(1)
  folder.write('seed', '2\n')
  const close = await folder.json('rerun', '--verify', '--json', '1', '--ignore', '*.log', '--rtol', '0.1')
  expect(close).toMatchObject({ id: 3, verify: { run: 1, again: 3, reproduced: true } })
  expect(close.verify.metrics).toEqual([
    { group: 0, metric: 'acc', result: 'within_tolerance', member: null, before: 0.51, after: 0.52 },
  ])
  const other = await folder.qanat('rerun', '--verify', '1')
  expect(other).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`Run 4 does not reproduce run 1: 2 files identical, 2 differ; 1 metric differs
  differs  clock.log of group 1.0
  differs  metrics.json of group 1.0
  differs  metric acc of group 1.0: 0.51 → 0.52 (+0.01)
`),
  })
})

test('rerun --verify tells a metric that is new from one that differs, whatever its name', async () => {
  const folder = await shellProject()
  const leaves = `again() { [ -e "$QANAT_PROJECT/results/again" ]; }
again && set -- '{"constructor": 2}' || set -- '{"toString": 3}'; echo "$1" >"$QANAT_STORAGE_PATH/metrics.json"`
  await folder.qanat('run', 'it', leaves)
  folder.write('results/again', '')
  const { stdout } = await folder.qanat('rerun', '--verify', '1')
  expect(stdout).toContain('  added  metric constructor of group 1.0: – → 2\n')
  expect(stdout).toContain('  missing  metric toString of group 1.0: 3 → –\n')
})

test('rerun --verify shows which number of a series differs, and what is missing or no number', async () => {
  const folder = await shellProject()
  const leaves = `cd "$QANAT_STORAGE_PATH"; again() { [ -e "$QANAT_PROJECT/results/again" ]; }
if again; then printf 'loss,a\\n2,nan\\n0.5,nan\\n' > metrics.csv; else printf 'loss,b\\n1,inf\\n0.5,inf\\n' > metrics.csv; fi`
  await folder.qanat('run', 'it', leaves)
  folder.write('results/again', '')
  const { stdout } = await folder.qanat('rerun', '--verify', '1')
  expect(stdout).toContain(`
  added  metric a of group 1.0: – → NaN
  missing  metric b of group 1.0: Infinity → –
  differs  metric loss of group 1.0: max 1 → 2 (+1)
`)
})

test('rerun --verify compares each file of each group once, also those of which a hash was kept', async () => {
  const folder = await shellProject()
  folder.write('hash.yaml', 'manifest: hash\n')
  folder.commit()
  await folder.qanat('experiment', 'update', 'it', '-f', 'hash.yaml')
  await folder.qanat('run', 'it', ...groups('echo a > "$QANAT_STORAGE_PATH/a"', 'date +%N > "$QANAT_STORAGE_PATH/b"'))
  const known = () => folder.show(1)
  await until(async () => {
    const { outputs } = await known()
    return outputs.files === outputs.hashed
  })
  rmSync(join(folder.path, 'results/it/run_1/group_0'), { recursive: true })
  expect(
    (await folder.qanat('rerun', '--verify', '1')).stdout,
  ).toContain(`Run 2 does not reproduce run 1: 5 files identical, 1 differs; no metrics
  differs  b of group 1.1
  could not be made the same: the files of run 1, since it ended: 3 files gone
`)
})

test('rerun --verify names files that are missing and groups that ended in another way', async () => {
  const folder = await shellProject()
  await folder.qanat(
    'run',
    'it',
    'test -e /tmp/nowhere || touch "$QANAT_STORAGE_PATH/model"; test ! -e "$QANAT_PROJECT/results/broken"',
  )
  folder.write('results/broken', '')
  const { code, stdout } = await folder.qanat('rerun', '--verify', '1')
  expect([code, stdout]).toEqual([1, expect.stringContaining('group 1.0: finished → failed')])
  folder.write('results/it/run_1/only-here', '')
  rmSync(join(folder.path, 'results/broken'))
  expect((await folder.qanat('rerun', '--verify', '1')).stdout).toContain('missing  only-here of group 1.0')
})

test('rerun --verify compares links, pipes and files whatever their names, and tells each on one line', async () => {
  const folder = await shellProject()
  const leaves = `cd "$QANAT_STORAGE_PATH"; again() { [ -e "$QANAT_PROJECT/results/again" ]; }
ln -s gone same; ln -s "$QANAT_STORAGE_PATH/x" own; mkfifo pipe
odd=$(printf 'a\\377'); echo same > "$odd"; again || echo 1 > "$odd-gone"; mkdir "$odd.d"; again; echo $? > "$odd.d/b"
again && ln -s gone2 moved || ln -s gone moved
again && mkfifo file || echo 1 > file
again || ln -s gone lost; again && mkfifo new
again; echo $? > "$(printf 'x\\ny')"; again; echo $? > "$(printf 'z\\033[31m')"; true`
  await folder.qanat('run', 'it', leaves)
  expect((await folder.qanat('rerun', '--verify', '1')).stdout).toMatch(/^Run 2 reproduces run 1: 13 files identical;/m)
  folder.write('results/again', '')
  const { code, stdout } = await folder.qanat('rerun', '--verify', '1')
  expect([code, stdout.slice(stdout.indexOf('Run 3 does'))]).toEqual([
    1,
    String.raw`Run 3 does not reproduce run 1: 6 files identical, 5 differ, 2 missing, 1 added; no metrics
  missing  a\xff-gone of group 1.0
  differs  a\xff.d/b of group 1.0
  differs  file of group 1.0
  missing  lost of group 1.0
  differs  moved of group 1.0
  added  new of group 1.0
  differs  x⏎y of group 1.0
  differs  z\x1b[31m of group 1.0
`,
  ])
})

test('rerun --verify refuses a run whose folder is gone, and a tolerance that is none, before it launches anything', async () => {
  const folder = await shellProject()
  await folder.qanat('run', 'it', 'true')
  expect(await folder.qanat('rerun', '--verify', '1', '--rtol', 'much')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--rtol much: a tolerance is a number from 0 to 1'),
  })
  rmSync(join(folder.path, 'results/it/run_1'), { recursive: true })
  expect(await folder.qanat('rerun', '--verify', '1')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the folder of run 1 is gone'),
  })
  expect((await folder.json('runs', '--json')).runs).toHaveLength(1)
})

test('rerun --verify says that data were read from another place, have gone, or changed while the first run ran', async () => {
  const folder = await withData('stat')
  await folder.qanat('run', 'it', '[ -e data/b.csv ] && rm -r data/a.csv')
  const { stdout } = await folder.qanat('rerun', '--verify', '1')
  expect(stdout).toMatch(
    /could not be made the same: the path of dataset tracked: tracked → \.qanat\/cache\/\w+\/tracked\n/,
  )
  expect(stdout).toContain('could not be made the same: dataset flowers: 1 file gone\n')
  // On a busy machine, the run may have been over for seconds when its data were looked at.
  expect(stdout).toMatch(
    /could not be made the same: dataset flowers changed while run 1 ran(, or later)?: 1 file gone\n/,
  )
  rmSync(join(folder.path, 'data'), { recursive: true })
  expect((await folder.json('rerun', '--verify', '1', '--json')).verify.conditions).toContain(
    'dataset flowers, of which run 3 has recorded no files: its path is not on this machine',
  )
})
