import { describe, expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { madeOnce } from '../made-once.js'
import { type Folder, groups, program, projectWith, quote, shellProject } from '../project.js'
import { hasTerminal, Screen } from '../screen.js'

const script = `for word in "$@"; do case $last in --lr) lr=$word ;; --seed) seed=$word ;; esac; last=$word; done
echo "{\\"acc\\": $lr$seed}" >"$QANAT_STORAGE_PATH/metrics.json"
[ "$seed" != 2 ] || { echo singular >&2; exit 3; }`

/** Run 1 of six groups, of which two failed; run 2 of one group, in which numbers are written otherwise. */
const withRuns = madeOnce(async () => {
  const folder = await projectWith(script, 'sh', { NO_COLOR: '1' })
  folder.write('it.yaml', 'name: it\nexecutable: it.sh\nexecutable_command: sh\nbest: {acc: max}\n')
  folder.commit()
  await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
  await folder.qanat('run', '-V', '--lr 0.1 0.2', 'it', '-R', '--seed 0 3 1')
  await folder.qanat('run', 'it', '--lr', '0.10', '--seed', '5', '--url', 'http://x:80')
  return folder
})

/** The groups that are listed, as `1.2`. */
async function listed(folder: Folder, ...words: string[]): Promise<string[]> {
  const { groups: found } = await folder.json('groups', ...words, '--json')
  return found.map(({ run, index }: { run: number; index: number }) => `${run}.${index}`)
}

describe('where the files of metrics take long to read', () => {
  /** Each look at the clock is a second later than the one before. */
  const slow = 'const { now } = Date; let late = 0; Date.now = () => now() + (late += 1000)\n'

  async function withSlowFiles(): Promise<Folder> {
    const folder = await withRuns()
    folder.write('.git/slow.cjs', slow)
    folder.environment.NODE_OPTIONS = `--require ${folder.path}/.git/slow.cjs`
    return folder
  }

  test('a list for the eye says that some are missing, and one for programs has all of them', async () => {
    const folder = await withSlowFiles()
    const late = 'The metrics of 2 runs have not all been read yet: qanat compare it reads them\n'
    expect((await folder.qanat('groups', 'it')).stdout).toContain(late)
    const { groups: found } = await folder.json('groups', 'it', '--json')
    expect(found.map(({ metrics }: { metrics: { acc?: number } }) => metrics.acc ?? null)).toEqual([
      ...[0.105, 0.1, 0.11, null, 0.2, 0.21, null],
    ])
  })

  test('lists of runs as CSV say on stderr that some are missing', async () => {
    const late = /^Warning: The metrics of \d runs? have not all been read yet: qanat compare it reads them\n$/
    for (const words of [['runs'], ['experiment', 'status', 'it']]) {
      const { stdout, stderr } = await (await withSlowFiles()).qanat(...words, '--csv')
      expect(stderr).toMatch(late)
      expect(stdout).not.toContain('not all been read')
    }
  })

  test('a list neither reads nor counts those of runs that are not in it', async () => {
    const folder = await withSlowFiles()
    for (const words of [
      ['--tag', 'none'],
      ['--tag', 'none', '--where', 'acc > 0'],
      ['--param', '--no'],
    ]) {
      expect(await folder.qanat('runs', '--csv', ...words)).toMatchObject({ code: 0, stderr: '' })
    }
    const { stderr } = await folder.qanat('experiment', 'status', 'it', '--csv', '--limit', '1')
    expect(stderr).toContain('The metrics of 1 run have not')
  })

  test('a list that they decide has all of them', async () => {
    expect(await listed(await withSlowFiles(), 'it', '--where', 'acc > 0.103')).toEqual(['2.0', '1.1', '1.3', '1.4'])
    const shown = async (...words: string[]) => (await (await withSlowFiles()).qanat(...words)).stdout
    expect(await shown('groups', 'it', '--sort', '-acc', '--limit', '1')).toMatch(/^1\.4 .* 0\.21 /m)
    expect(await shown('runs', '--where', 'acc > 0.2')).toMatch(/^1 +it .* acc 0\.21 /m)
    expect(await shown('experiment', 'status', 'it', '--sort', '-acc')).toMatch(/^1 (.|\n)*^2 /m)
  })
})

test('groups shows what varies, the best metric and how to go on', async () => {
  const { stdout } = await (await withRuns()).qanat('groups', '1', '--param', '--lr:0.10')
  expect(stdout).toContain('Duration')
  // What a group used, and where it ran, differs from machine to machine.
  const lines = stdout.replace(/ +(Duration|\d+\.\d s) .*$/gm, '').split('\n')
  expect(lines).toEqual([
    'Group  Status    Cause   --seed  acc ↑',
    '1.0    finished          0       0.1',
    '1.1    finished          1       0.11',
    '1.2    failed    exit 3  2',
    ...['', '3 of 6 groups        qanat failures 1', ''],
  ])
})

test('groups shows metrics with names that every object of JavaScript has like others', async () => {
  const folder = await shellProject()
  const metrics = '{"constructor": 2, "toString": 3}'
  await folder.qanat('run', 'it', ...groups(`echo '${metrics}' >"$QANAT_STORAGE_PATH/metrics.json"`))
  const { stdout } = await folder.qanat('groups', 'it')
  const rows = stdout.split('\n').map(line => line.split(/ +/).slice(0, 4))
  expect(rows.slice(0, 2)).toEqual([
    ['Group', 'Status', 'constructor', 'toString'],
    ['1.0', 'finished', '2', '3'],
  ])
})

test.each([
  [['it'], ['2.0', '1.0', '1.1', '1.2', '1.3', '1.4', '1.5']],
  [['it', '1-2', '--param', '--lr:.1', '--param', 'seed:5'], ['2.0']],
  [['it', '--param', '--lr:0.2', '--param', '--seed:5'], []],
  [['latest', '--param', 'http://x:80'], ['2.0']],
  [
    ['1', '--status', 'failed'],
    ['1.2', '1.5'],
  ],
  [
    ['1', '--status', 'finished,lost', '--param', '--seed:0'],
    ['1.0', '1.3'],
  ],
  [['1', '--cause', 'exit', '--param', '--lr:0.2'], ['1.5']],
  [['1', '--cause', 'oom'], []],
  [['1', '--host', 'no-such-host'], []],
  [
    ['it', '--where', 'acc > 0.103'],
    ['2.0', '1.1', '1.3', '1.4'],
  ],
  [
    ['it', '--where', 'acc > 0.11', '--sort', '-acc', '--limit', '2'],
    ['1.4', '1.3'],
  ],
  [
    ['1', '--sort', '-seed', '--limit', '2'],
    ['1.2', '1.5'],
  ],
  [
    ['1', '--sort', '--seed', '--limit', '2'],
    ['1.0', '1.3'],
  ],
  [
    ['1', '--sort', '---seed', '--limit', '2'],
    ['1.2', '1.5'],
  ],
  [['it', '--param', '--url'], ['2.0']],
])('groups %j lists %j', async (words, expected) => {
  expect(await listed(await withRuns(), ...words)).toEqual(expected)
})

test('groups --json and --csv have all that is known of a group', async () => {
  const folder = await withRuns()
  const [group] = (await folder.json('groups', '2', '--json')).groups
  expect(group).toEqual({
    ...{ run: 2, index: 0, status: 'finished', cause: null, exit_code: 0, host: expect.any(String) },
    ...{ started: expect.any(String), finished: expect.any(String), duration_s: expect.any(Number) },
    ...{ peak_memory_bytes: null, cpu_s: expect.any(Number) },
    parameters: { '--lr': '0.10', '--seed': '5', '--url': 'http://x:80' },
    metrics: { acc: 0.105 },
  })
  const [head, row] = (await folder.qanat('groups', '2', '--csv')).stdout.split('\n')
  expect(head).toBe(
    'run,index,status,cause,exit_code,host,started,finished,duration_s,peak_memory_bytes,cpu_s,--lr,--seed,--url,acc',
  )
  expect(row).toMatch(/^2,0,finished,,0,.*,,[\d.]+,0\.1,5,http:\/\/x:80,0\.105$/)
})

test.each([
  [['--where', 'loss < 1'], '--where loss < 1: no group has the metric loss', 'their metrics: acc'],
  [['--where', 'lr > 0'], '--where lr > 0: no group has the metric lr', '--param NAME:VALUE'],
  [['--sort', 'beauty'], '--sort beauty: groups cannot be sorted by it', '--seed, --lr, acc'],
  [['--param', '--rate:1'], '--param --rate: no group has this parameter', 'their parameters: --seed, --lr'],
  [['--status', 'sad'], '--status sad: unknown status', 'pending'],
  [['--cause', 'sad'], '--cause sad: unknown cause', 'vanished'],
  [['--live'], '--live needs a terminal', '--json'],
])('groups 1 %j is an error that names the choices', async (options, message, hint) => {
  expectError(await (await withRuns()).qanat('groups', '1', ...options), 2, message, hint)
})

test('groups says that a filter finds nothing', async () => {
  expect((await (await withRuns()).qanat('groups', '1', '--cause', 'oom')).stdout).toBe('None of 6 groups fits\n')
})

test('groups shows groups that have not started, and finds the others by their status', async () => {
  const folder = await shellProject()
  await folder.qanat('run', '--detach', 'it', ...groups('true', 'exec sleep 60', 'true', 'true'))
  const [{ id }] = (await folder.json('runs', '--json')).runs
  await folder.when(id, run => run.groups.finished === 1 && run.groups.running === 1)
  expect(await listed(folder, String(id))).toEqual([0, 1, 2, 3].map(index => `${id}.${index}`))
  expect(await listed(folder, String(id), '--status', 'pending')).toEqual([`${id}.2`, `${id}.3`])
  expect(await listed(folder, String(id), '--status', 'running,pending', '--limit', '1')).toEqual([`${id}.1`])
  await folder.qanat('run_cancel', String(id))
})

describe.skipIf(!hasTerminal)('on a terminal', () => {
  test.each([
    ['Ctrl-C', '', null, 0],
    ['Ctrl-C where its input is no terminal', '</dev/null', null, 0],
    ['SIGTERM', '', 'TERM', 143],
    ['SIGHUP', '', 'HUP', 129],
  ])('groups --live shows the groups until %s, and leaves the terminal as it was', async (_, input, signal, code) => {
    const folder = await withRuns()
    const live = [process.execPath, program, 'groups', '1', '--status', 'failed', '--live'].map(quote).join(' ')
    const screen = new Screen(folder, `echo before; sh -c 'echo $$ >.qanat/pid; exec "$0" "$@"' ${live} ${input}`)
    await screen.shows('1.2', '1.5', '2 of 6 groups')
    if (signal === null) screen.press('C-c')
    else await folder.shell(`kill -${signal} $(cat .qanat/pid)`)
    expect(await screen.exitCode()).toBe(code)
    screen.type('what is typed can be seen')
    await screen.shows('before', 'what is typed can be seen')
    expect(screen.text()).not.toContain('2 of 6')
  })
})
