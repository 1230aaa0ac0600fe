import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Store } from '../../../src/store/store.js'
import { launchOf, runOf } from '../../store/stores.js'
import { FakeSlurm } from '../launch/fake-slurm.js'
import { madeOnce } from '../made-once.js'
import { lives, processCalled } from '../processes.js'
import { type Folder, groups, program, quote, shellProject, until } from '../project.js'
import { hasTerminal, Screen } from '../screen.js'

const withRuns = madeOnce(async () => {
  const folder = await shellProject({ PAGER: 'cat', NO_COLOR: '1' })
  folder.write(
    'acting.yaml',
    'name: acting\nexecutable: it.sh\nexecutable_command: sh\nactions: [{name: say, executable: say.sh, executable_command: sh}]\n',
  )
  folder.write('say.sh', 'echo "said $1 $2 $QANAT_GROUP_INDEX"\n')
  folder.commit()
  await folder.qanat('experiment', 'new', '-f', 'acting.yaml')
  await folder.qanat(
    'run',
    '--tag',
    'paper',
    '--description',
    'the first',
    'acting',
    ...groups('echo one; echo oops >&2', 'echo two'),
  )
  await folder.qanat('run', 'acting', 'echo trouble >&2; exit 3', '--lr', '0.1')
  return folder
})

/** The foot of a page that was opened from another one, and of the first one. */
const [back, leave] = ['q: back', 'q: leave']
/** What a pager that ends at once leaves. */
const shown = '[Enter: back]'

/** The command without the help of a shell, so that signals reach it. */
const directly = [process.execPath, program, 'run_explore', 'acting', '1'].map(quote).join(' ')

describe.skipIf(!hasTerminal)('run_explore', () => {
  test.each([
    [200, 60],
    [40, 10],
  ])('shows runs, a run and a group in %i columns and %i rows', async (columns, rows) => {
    const screen = new Screen(await withRuns(), 'qanat run_explore acting', [columns, rows])
    await screen.shows('acting · 2 runs', '  Run  Status    Progress', '> 2    failed    0/1, 1 failed', leave)
    screen.press('Down')
    await screen.shows('  2    failed', '> 1    finished  2/2')
    screen.press('Enter')
    await screen.shows('Run 1 of experiment acting', '> 0      finished', back)
    screen.press('Enter')
    await screen.shows('Group 0 of run 1 · finished', '[a] Output <', '\none', back)
  })

  test('handles all keys of a burst in order, and leaves the terminal as it was', async () => {
    const folder = await withRuns()
    const screen = new Screen(folder, "echo before; qanat run_explore acting; echo 'and after'", [80, 24])
    await screen.shows(leave)
    // Opens run 1 by a filter, its second group, its parameters; then back and out.
    screen.type('/tag:paper\r\rj\rcqq')
    await screen.shows('acting · 2 runs', 'Filter: tag:paper · 1 of 2', leave)
    screen.type('zjk/status:fa\t\r\rwq')
    await screen.shows('Run 2 of experiment acting', back)
    screen.type('qq')
    expect(await screen.exitCode()).toBe(0)
    expect(screen.text()).toMatch(/^before\nand after\n\[exit 0\]$/)
  })

  test('gives its letters to what they say, and keys typed meanwhile are not lost', async () => {
    const folder = await withRuns()
    const screen = new Screen(folder, 'qanat run_explore acting 1')
    await screen.shows('[g] Delete run', leave)
    const commit = folder.git('rev-parse', 'HEAD').trim()
    for (const fact of ['Id: 1 ', 'Status: finished, 2/2 ', 'Runner: local (submit_template default), 1 slot', commit])
      expect(screen.text()).toContain(fact)
    expect(screen.text()).toMatch(/Launched: \S+ \S+ {2}Started: \S+ \S+ {2}Ended: /)
    expect(screen.text()).not.toContain('[r] Retry')
    screen.press('a')
    await screen.shows('==> group 0 <==\none\n==> group 1 <==\ntwo', shown)
    // Each letter ends the sight of the one before.
    screen.press('b')
    await screen.shows('==> group 0 <==\noops', shown)
    screen.press('e')
    await screen.shows('├─ group_0', 'stdout.txt (4 B)', 'info.yaml (', shown)
    expect(screen.text()).not.toContain('.run')
    screen.press('c')
    await screen.shows("group 1  'echo two'", shown)
    // Enter belongs to what f shows, also if it was typed before.
    screen.type('f\rd')
    await screen.shows('There is no comment yet. Write one?')
    screen.type('n')
    await screen.shows('[g] Delete run', leave)
    screen.type('abcqq')
    expect(await screen.exitCode()).toBe(0)
  })

  test('leaves what a letter shows with any key that goes back', async () => {
    const screen = new Screen(await withRuns(), 'qanat run_explore acting')
    await screen.shows('acting · 2 runs', leave)
    screen.type('\r')
    for (const key of ['Left', 'Escape', 'Enter', 'Space', 'q']) {
      await screen.shows('Run 2 of experiment acting', back)
      screen.press('c')
      await screen.shows('group 0  ', shown)
      screen.press(key)
    }
    await screen.shows('Run 2 of experiment acting', back)
  })

  test('takes a key that was typed to leave the pager before that could read it', async () => {
    const folder = await withRuns()
    folder.write('.qanat/less', '#!/bin/sh\ncat; read -r line </dev/tty\n', 0o755)
    const screen = new Screen(folder, 'PAGER=.qanat/less; export PAGER; qanat run_explore acting 1')
    await screen.shows('[g] Delete run', leave)
    screen.type('aq')
    await screen.shows('==> group 1 <==\ntwo')
    screen.press('Enter')
    await screen.shows('[g] Delete run', leave)
  })

  test('shows what an action prints until a key is pressed after its end', async () => {
    const folder = await withRuns()
    const screen = new Screen(folder, 'qanat run_explore acting 1')
    await screen.shows('[g] Delete run', leave)
    folder.write('say.sh', 'mkfifo .qanat/end; read -r line <.qanat/end; echo "said $line"; exit 3\n')
    screen.type('h\r\rj')
    await until(() => folder.has('.qanat/end'))
    screen.type('jq')
    folder.write('.qanat/end', 'it\n')
    await screen.shows('said it', shown)
    screen.press('j')
    await screen.shows('the action say ended with code 3', leave)
    expect(screen.text()).toContain('> 0 ')
  })

  test('shows the beginning of an output that is larger than any string can be', async () => {
    const folder = await withRuns()
    // The file has one line, then nothing for a gigabyte.
    truncateSync(join(folder.path, 'results/acting/run_1/group_0/stdout.txt'), 1_000_000_000)
    const screen = new Screen(folder, "PAGER='head -n 2'; export PAGER; qanat run_explore acting 1")
    await screen.shows('[a] Show output(s)', leave)
    screen.press('a')
    await screen.shows('==> group 0 <==\none', shown)
    screen.type('\rq')
    expect(await screen.exitCode()).toBe(0)
  })

  test('shows the parts of a group, and follows its log while it runs', async () => {
    const folder = await shellProject({ PAGER: 'cat', NO_COLOR: '1' })
    const code = 'while read line; do echo "got $line"; done < "$QANAT_PROJECT/.qanat/fifo"'
    await folder.shell('mkfifo .qanat/fifo')
    await folder.qanat('run', '--detach', 'it', code)
    const screen = new Screen(folder, 'qanat run_explore it 1', [80, 24])
    const writer = new Screen(folder, 'cat >.qanat/fifo')
    await screen.shows('Run 1 of experiment it', '0      running')
    screen.press('Enter')
    await screen.shows('Nothing in stdout.txt')
    writer.type('this\r')
    await screen.shows('got this')
    writer.type('that\r')
    await screen.shows('got this\ngot that')
    screen.press('c')
    await screen.shows('[c] Parameters <', 'pos_0')
    screen.press('m')
    await screen.shows('[m] Metrics <', 'It has not finished')
    screen.press('e')
    await screen.shows('[e] Files <', 'stdout.txt (')
    screen.press('Tab')
    screen.press('w')
    await screen.shows('[w] Why <', 'Group 0 of run 1 is running')
    writer.press('C-d')
    screen.press('a')
    await screen.shows('Group 0 of run 1 · finished')
    screen.press('v')
    await screen.shows('got this\ngot that', shown)
  })

  test('shows a state that changes, without a key', async () => {
    const folder = await shellProject({ NO_COLOR: '1' })
    await folder.qanat('run', '--detach', 'it', 'while [ ! -e "$QANAT_PROJECT/.qanat/end" ]; do sleep 0.05; done')
    const screen = new Screen(folder, 'qanat run_explore it', [100, 24])
    await screen.shows('it · 1 run · as of ', '> 1    running')
    folder.write('.qanat/end', '')
    await screen.shows('> 1    finished')
    await folder.qanat('run', 'it', 'true')
    await screen.shows('it · 2 runs', '2    finished', '> 1    finished')
  })

  test('filters by what is typed and chosen, says what it does not understand, and resets', async () => {
    const screen = new Screen(await withRuns(), 'qanat run_explore acting')
    await screen.shows(leave)
    screen.type('/--lr:0.1\r')
    await screen.shows('Filter: --lr:0.1 · 1 of 2', '> 2 ')
    screen.type('/status:sad\r')
    await screen.shows('status:sad: unknown status', 'use one of pending, running')
    screen.type('/')
    await screen.shows('Filter: --lr:0.1 _')
    screen.press('C-u')
    screen.type('tag:none\r')
    await screen.shows('Nothing matches the filter: z resets it')
    expect(screen.text()).not.toContain('deleted')
    screen.type('/')
    screen.press('C-u')
    screen.type('tag:')
    await screen.shows('Tab: paper')
    screen.type('\t,beta the FIRST\r')
    await screen.shows('Filter: tag:paper,beta the FIRST · 1 of 2', '> 1 ')
    screen.type('z')
    await screen.shows('> 1 ')
    expect(screen.text()).not.toContain('Filter')
    screen.type('ssort:')
    screen.press('Escape')
    screen.type('/sort:id\r')
    await screen.shows('Filter: sort:id · 2 of 2', '1    finished', '2    failed')
    screen.press('C-c')
    expect(await screen.exitCode()).toBe(130)
  })

  test('filters and sorts groups', async () => {
    const screen = new Screen(await withRuns(), 'qanat run_explore 1')
    await screen.shows(leave)
    screen.type("/'echo two'\r")
    await screen.shows("Filter: 'echo two' · 1 of 2", '> 1      finished')
    screen.press('z')
    screen.type('/sort:-group\r')
    await screen.shows('Filter: sort:-group · 2 of 2', '1      finished', '0      finished')
  })

  test('retries, explains, runs actions with the typed arguments, and goes on when one fails', async () => {
    const folder = await withRuns()
    const screen = new Screen(folder, 'qanat run_explore acting 2')
    await screen.shows('[w] Why', leave)
    screen.press('w')
    await screen.shows('Group 0 of run 2 failed: exit 3', 'trouble', back)
    screen.press('q')
    screen.type("h'a b' c\r")
    await screen.shows('said a b c', shown)
    screen.press('Enter')
    await screen.shows(leave)
    folder.write('say.sh', 'exit 7\n')
    screen.type('hx\r')
    await screen.shows(shown)
    screen.press('Enter')
    await screen.shows('the action say ended with code 7', leave)
    screen.press('r')
    await screen.shows('Launch 1 group of run 2 again? (y/N)')
    screen.press('y')
    await screen.shows('1 group launched again', leave)
    screen.press('g')
    await screen.shows('Delete run 2', '(y/N)')
    screen.press('n')
    await screen.shows('[g] Delete run', leave)
    screen.press('q')
    expect(await screen.exitCode()).toBe(0)
    expect((await folder.json('run_show', 'acting', '2', '--json')).group_list[0].attempt).toBe(2)
  })

  test('runs an action on one group', async () => {
    const screen = new Screen(await withRuns(), 'qanat run_explore acting 1')
    await screen.shows(leave)
    screen.type('hx y\r1\r')
    await screen.shows('said x y 1', shown)
  })

  test('records an action during which it is hung up', async () => {
    const folder = await withRuns()
    folder.write('say.sh', 'echo half > "$2/half.svg"; : > begun; while [ -e begun ]; do sleep 0.02; done\n')
    const screen = new Screen(folder, `sh -c 'echo $$ > .qanat/pid; exec "$0" "$@"' ${directly}`)
    await screen.shows(leave)
    screen.type('h\r\r')
    await until(() => folder.has('begun'))
    process.kill(Number(folder.read('.qanat/pid')), 'SIGHUP')
    expect(await screen.exitCode()).toBe(129)
    expect((await folder.json('action', '--list', '1', '--json')).actions).toMatchObject([
      { status: 'interrupted', made: [{ path: 'results/acting/run_1/half.svg' }, { path: 'begun' }] },
    ])
  })

  test('cancels and deletes a run once it is sure', async () => {
    const folder = await shellProject({ NO_COLOR: '1' })
    await folder.qanat('run', '--detach', 'it', 'sleep 600')
    const screen = new Screen(folder, 'qanat run_explore it')
    await screen.shows('1    running')
    screen.press('Enter')
    await screen.shows('[x] Cancel')
    screen.type('xy')
    await screen.shows('0      cancelled')
    screen.type('gy')
    await screen.shows('it · 0 runs', 'No run yet')
    expect(folder.has('results/it/run_1')).toBe(false)
    screen.press('q')
    expect(await screen.exitCode()).toBe(0)
  })

  test('renders the Markdown of a comment, even if it is broken', async () => {
    const folder = await withRuns()
    folder.write('results/acting/run_1/comment.md', '# Seeds\n\n- **three** is an outlier\n\n```\nnot closed')
    const screen = new Screen(folder, 'qanat run_explore acting 1')
    await screen.shows('Comment: results/acting/run_1/comment.md', '[d] Show comment')
    screen.press('d')
    await screen.shows('Seeds\n\n• three is an outlier\n\n    not closed')
  })

  test('starts a comment with the facts of the run', async () => {
    const folder = await withRuns()
    const screen = new Screen(folder, "VISUAL='sed -i s/first/second/' qanat run_explore acting 1")
    await screen.shows('[d] Show comment', leave)
    screen.press('d')
    await screen.shows('There is no comment yet. Write one? (y/N)')
    screen.press('y')
    await screen.shows('Comment: results/acting/run_1/comment.md')
    screen.press('d')
    await screen.shows('Run 1 of acting', '• launched: 20', '• tags: paper', '• description: the second', shown)
  })

  test('shows what Slurm was given, and its log', async () => {
    const slurm = await FakeSlurm.start('  short: {--time: 1:00:00}\n')
    await slurm.folder.qanat('run', '--runner', 'slurm', '--submit_template', 'short', 'it', 'exit 0')
    const screen = new Screen(slurm.folder, 'PAGER=cat qanat run_explore it 1', [120, 150])
    await screen.shows('[f] Show Slurm script and log', leave)
    screen.press('f')
    await screen.shows('==> template short <==\n--time: "1:00:00"\n==> .run/slurm.sh <==', '==> .run/settings.sh <==')
    await screen.shows('qanat_command()', '==> Slurm job 77_0 <==', shown)
  })

  test('shows the file given with --parameters_file, and has the letter for it only then', async () => {
    const folder = await withRuns()
    folder.write('params.yaml', 'depth: 7\n')
    folder.commit()
    await folder.qanat('run', 'acting', 'true', '--parameters_file', 'params.yaml')
    const screen = new Screen(folder, 'qanat run_explore acting')
    await screen.shows('3    finished')
    screen.press('Enter')
    await screen.shows('[p] Show parameters file(s)', back)
    screen.press('p')
    await screen.shows('params.yaml <==\ndepth: 7', shown)
    screen.type('\rqj\r')
    await screen.shows('Run 2 of experiment acting', back)
    expect(screen.text()).not.toContain('[p]')
  })

  test('scrolls and filters 10,000 runs and 100,000 groups in a small terminal', async () => {
    const folder = await withRuns()
    const finished = { state: 'finished', exitCode: 0, started: 0, finished: 0, host: null, jobId: null } as const
    const seeds = { option: '--seed', start: '0', step: '1', count: 100_000 }
    const store = Store.open(`${folder.path}/.qanat/database.db`)
    store.transaction(() => {
      for (let id = 3; id <= 10_000; id++) {
        store.runs.insert(id, runOf('acting', 1, { description: `number ${id}` }), launchOf('acting', `token ${id}`))
        store.runs.update(id, [{ index: 0, status: finished }], 100, 0)
      }
      const grid = { fixed: { args: [] }, groups: [], axes: [seeds] }
      store.runs.insert(10_001, runOf('acting', 100_000), launchOf('acting', 'large', { grid }))
      const reports = Array.from({ length: 100_000 }, (_, index) => ({ index, status: finished }))
      store.runs.update(10_001, reports, 100, 0)
    })
    store.close()
    const screen = new Screen(folder, 'qanat run_explore acting', [80, 24])
    await screen.shows('10001 runs', '> 10001  finished')
    screen.press('Enter')
    await screen.shows('> 0      finished  0')
    screen.press('End')
    await screen.shows('> 99999  finished  99999')
    screen.press('PPage')
    screen.type('/--seed:77777\r')
    await screen.shows('Filter: --seed:77777 · 1 of 100000', '> 77777  finished  77777')
    screen.type('qj')
    screen.press('NPage')
    await screen.shows('> 99')
    screen.type('/number 777\r')
    await screen.shows('Filter: number 777 · 19 of 10001', '> 9777')
    const wide = screen.text().split('\n')
    expect(wide.filter(line => line.length > 80)).toEqual([])
    screen.press('Enter')
    await screen.shows('Run 9777 of experiment acting')
    screen.press('C-c')
    expect(await screen.exitCode()).toBe(130)
  })

  test('answers keys while a scheduler does not', async () => {
    const slurm = await FakeSlurm.start()
    await slurm.folder.qanat('run', '--runner', 'slurm', 'it', 'exit 0')
    slurm.folder.write('.qanat/bin/squeue', '#!/bin/sh\nsleep 600\n', 0o755)
    const screen = new Screen(slurm.folder, 'NO_COLOR=1 qanat run_explore it', [100, 24])
    await screen.shows('it · 1 run · as of', leave)
    screen.press('Enter')
    await screen.shows('Run 1 of experiment it', back)
    screen.type('qq')
    expect(await screen.exitCode()).toBe(0)
  })

  test('draws itself anew when the terminal gets another size', async () => {
    const screen = new Screen(await withRuns(), 'qanat run_explore acting', [80, 24])
    await screen.shows('─────', leave)
    screen.resize(40, 10)
    await until(
      () => screen.text().split('\n'),
      lines => lines.length === 10 && lines[0]!.startsWith('acting') && lines[9]!.startsWith(leave),
    )
    screen.resize(120, 30)
    await screen.shows('acting · 2 runs', '─────', 'Path: results/acting/run_2', leave)
  })

  test('goes on if the pager does not exist', async () => {
    const screen = new Screen(await withRuns(), 'PAGER=no-such-pager qanat run_explore acting 1')
    await screen.shows('[a] Show output(s)')
    screen.press('a')
    await screen.shows('no-such-pager', shown)
    screen.press('Enter')
    await screen.shows('[a] Show output(s)', leave)
  })

  test.each([
    ['less', 'FRX'],
    ['less -F', ''],
  ])('returns at once from the pager %s, with the options %j', async (pager, options) => {
    const screen = new Screen(await withRuns(), `export PAGER='${pager}' LESS=${options}; qanat run_explore acting 1`)
    await screen.shows('[a] Show output(s)')
    screen.press('a')
    await screen.shows('==> group 0 <==', '(END)')
    screen.press('q')
    await screen.shows('[a] Show output(s)', leave)
  })

  test.each(['TERM', 'HUP'])('ends its pager with itself at SIG%s, and the terminal is as it was', async signal => {
    const folder = await withRuns()
    folder.environment.PAGER = 'echo $$ > .qanat/pid_pager; exec less'
    const screen = new Screen(folder, `echo before; sh -c 'echo $$ > .qanat/pid; exec "$0" "$@"' ${directly}`)
    await screen.shows('[a] Show output(s)')
    screen.press('a')
    await screen.shows('==> group 0 <==', '(END)')
    const pager = await processCalled(folder, 'pager')
    await folder.shell(`kill -${signal} $(cat .qanat/pid)`)
    expect(await screen.exitCode()).toBe(signal === 'TERM' ? 143 : 129)
    expect(lives(pager)).toBe(false)
    screen.type('what is typed can be seen')
    await screen.shows('before', 'what is typed can be seen')
    expect(screen.text()).not.toMatch(/group 0|Enter: back/)
  })

  test.each([
    ['Ctrl-C', (screen: Screen) => screen.press('C-c'), 130],
    ['SIGTERM', (_: Screen, folder: Folder) => void folder.shell('kill -TERM $(cat .qanat/pid)'), 143],
  ])('leaves the terminal as it was after %s', async (_, end, code) => {
    const folder = await withRuns()
    const screen = new Screen(folder, `echo before; sh -c 'echo $$ > .qanat/pid; exec "$0" "$@"' ${directly}`)
    await screen.shows('[g] Delete run', leave)
    end(screen, folder)
    expect(await screen.exitCode()).toBe(code)
    screen.type('what is typed can be seen')
    await screen.shows('before', 'what is typed can be seen')
    expect(screen.text()).not.toContain('Delete run')
  })

  test('is suspended by Ctrl-Z, and drawn again by fg', async () => {
    const folder = await withRuns()
    const screen = new Screen(folder, "PS1='shell> ' bash --norc -i")
    await screen.shows('shell>')
    screen.type(`${directly}\r`)
    await screen.shows('[g] Delete run', leave)
    screen.press('C-z')
    await screen.shows('Stopped', 'shell>')
    screen.type('echo typed\r')
    await screen.shows('echo typed\ntyped')
    screen.type('fg\r')
    await screen.shows('[g] Delete run', leave)
    screen.press('q')
    await screen.shows('typed', 'shell>')
  })

  test('leaves the terminal as it was, and says why, when the database is damaged meanwhile', async () => {
    const folder = await withRuns()
    const screen = new Screen(folder, 'qanat run_explore acting')
    await screen.shows(leave)
    // It is overwritten in place: a look between would find an empty database, which has another message.
    writeFileSync(join(folder.path, '.qanat/database.db'), 'x'.repeat(50_000), { flag: 'r+' })
    screen.press('Enter')
    expect(await screen.exitCode()).toBe(1)
    expect(screen.text()).toContain('is damaged')
    screen.type('what is typed can be seen')
    await screen.shows('what is typed can be seen')
  })
})

test('run_explore without a terminal names the command that needs none', async () => {
  const folder = await withRuns()
  const { code, stderr } = await folder.qanat('run_explore', 'acting', '1')
  expect([code, stderr]).toEqual([2, expect.stringContaining('qanat run_show 1')])
  expect((await folder.qanat('run_explore', 'acting', '9')).stderr).toContain("no run '9'")
})
