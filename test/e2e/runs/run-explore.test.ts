import { describe, expect, test } from 'vitest'
import { Store } from '../../../src/store/store.js'
import { launchOf, runOf } from '../../store/stores.js'
import { FakeSlurm } from '../launch/fake-slurm.js'
import { awaits, open, shellProject, until } from '../project.js'
import { hasTerminal, Screen } from '../screen.js'
import { back, explore, leave, plain, shown, withRuns } from './exploring.js'

describe.skipIf(!hasTerminal)('run_explore', () => {
  test('shows runs, a run and a group, and draws them anew when the terminal gets another size', async () => {
    const listed = ['acting · 2 runs', '  Run  Status    Progress', '> 2    failed    0/1, 1 failed', leave]
    const screen = await explore(await withRuns(), 'acting', listed, [80, 24])
    await screen.press('Down', '  2    failed', '> 1    finished  2/2')
    await screen.press('Enter', 'Run 1 of experiment acting', '> 0      finished', back)
    await screen.press('Enter', 'Group 0 of run 1 · finished', '[a] Output <', '\none', back)
    await screen.type('qq', 'acting · 2 runs', '─────', leave)
    screen.resize(40, 10)
    await until(
      () => screen.text().split('\n'),
      lines => lines.length === 10 && lines[0]!.startsWith('acting') && lines[9]!.startsWith(leave),
    )
    screen.resize(120, 30)
    await screen.shows('acting · 2 runs', '─────', 'Path: results/acting/run_1', leave)
  })

  test('handles all keys of a burst in order, and leaves the terminal as it was', async () => {
    const screen = new Screen(await withRuns(), "echo before; qanat run_explore acting; echo 'and after'", [80, 24])
    await screen.shows(leave)
    // Opens run 1 by a filter, its second group, its parameters; then back and out.
    await screen.type('/tag:paper\r\rj\rcqq', 'acting · 2 runs', 'Filter: tag:paper · 1 of 2', leave)
    await screen.type('zjk/status:fa\t\r\rwq', 'Run 2 of experiment acting', back)
    screen.type('qq')
    expect(await screen.exitCode()).toBe(0)
    expect(screen.text()).toMatch(/^before\nand after\n\[exit 0\]$/)
    await screen.type('what is typed can be seen', 'what is typed can be seen')
  })

  test('gives its letters to what they say, and keys typed meanwhile are not lost', async () => {
    const folder = await withRuns()
    const facts = ['Id: 1 ', 'Status: finished, 2/2 ', 'Runner: local (submit_template default), 1 slot']
    const screen = await explore(folder, 'acting 1', [...facts, '[g] Delete run', leave])
    expect(screen.text()).toContain(folder.git('rev-parse', 'HEAD').trim())
    expect(screen.text()).not.toContain('[r] Retry')
    await screen.press('a', '==> group 0 <==\none\n==> group 1 <==\ntwo', shown)
    // Each letter ends the sight of the one before.
    await screen.press('b', '==> group 0 <==\noops', shown)
    await screen.press('e', '├─ group_0', 'stdout.txt (4 B)', 'info.yaml (', shown)
    expect(screen.text()).not.toContain('.run')
    await screen.press('c', "group 1  'echo two'", shown)
    // Enter belongs to what f shows, also if it was typed before.
    await screen.type('f\rd', 'There is no comment yet. Write one?')
    await screen.type('n', '[g] Delete run', leave)
    for (const key of ['Left', 'Escape', 'Space', 'q']) {
      await screen.press('c', 'group 0  ', shown)
      await screen.press(key, '[g] Delete run', leave)
    }
    screen.type('abcqq')
    expect(await screen.exitCode()).toBe(0)
  })

  test('shows what an action prints until a key is pressed after its end', async () => {
    const folder = await withRuns()
    const screen = await explore(folder, 'acting 1')
    folder.write('say.sh', 'mkfifo .qanat/end; read -r line <.qanat/end; echo "said $line"; exit 3\n')
    screen.type('h\r\rj')
    await until(() => folder.has('.qanat/end'))
    screen.type('jq')
    folder.write('.qanat/end', 'it\n')
    await screen.shows('said it', shown)
    await screen.press('j', 'the action say ended with code 3', leave)
    expect(screen.text()).toContain('> 0 ')
  })

  test('shows the parts of a group, and follows its log while it runs', async () => {
    const folder = await shellProject(plain)
    await folder.shell('mkfifo .qanat/fifo')
    const code = 'while read line; do echo "got $line"; done < "$QANAT_PROJECT/.qanat/fifo"'
    await folder.qanat('run', '--detach', 'it', code)
    const screen = await explore(folder, 'it 1', ['Run 1 of experiment it', '0      running'], [80, 24])
    const writer = new Screen(folder, 'cat >.qanat/fifo')
    await screen.press('Enter', 'Nothing in stdout.txt')
    writer.type('this\r')
    await screen.shows('got this')
    writer.type('that\r')
    await screen.shows('got this\ngot that')
    await screen.press('c', '[c] Parameters <', 'pos_0')
    await screen.press('m', '[m] Metrics <', 'It has not finished')
    await screen.press('e', '[e] Files <', 'stdout.txt (')
    await screen.press('w', '[w] Why <', 'Group 0 of run 1 is running')
    writer.press('C-d')
    await screen.press('a', 'Group 0 of run 1 · finished')
    await screen.press('v', 'got this\ngot that', shown)
  })

  test('shows a state that changes, without a key', async () => {
    const folder = await shellProject(plain)
    await folder.qanat('run', '--detach', 'it', awaits('end'))
    const screen = await explore(folder, 'it', ['it · 1 run · as of ', '> 1    running'])
    open(folder, 'end')
    await screen.shows('> 1    finished')
    await folder.qanat('run', 'it', 'true')
    await screen.shows('it · 2 runs', '2    finished', '> 1    finished')
  })

  test('filters and sorts by what is typed, says what it does not understand, and resets', async () => {
    const screen = await explore(await withRuns(), 'acting')
    await screen.type('/--lr:0.1\r', 'Filter: --lr:0.1 · 1 of 2', '> 2 ')
    await screen.type('/status:sad\r', 'status:sad: unknown status', 'use one of pending, running')
    await screen.type('/', 'Filter: --lr:0.1 _')
    screen.press('C-u')
    await screen.type('tag:none\r', 'Nothing matches the filter: z resets it')
    await screen.type('z', '2    failed', '1    finished')
    expect(screen.text()).not.toContain('Filter')
    await screen.type('/tag:', 'Tab: paper')
    await screen.type('\t the FIRST\r', 'Filter: tag:paper the FIRST · 1 of 2', '> 1 ')
    await screen.type('\r/sort:-group\r', 'Filter: sort:-group · 2 of 2', '1      finished', '0      finished')
    screen.press('C-c')
    expect(await screen.exitCode()).toBe(130)
  })

  test('explains, retries, runs actions with the typed arguments, and goes on when one fails', async () => {
    const folder = await withRuns()
    const screen = await explore(folder, 'acting 2', ['[w] Why', leave])
    await screen.press('w', 'Group 0 of run 2 failed: exit 3', 'trouble', back)
    screen.press('q')
    await screen.type("h'a b' c\r", 'said a b c', shown)
    await screen.press('Enter', leave)
    folder.write('say.sh', 'exit 7\n')
    await screen.type('hx\r', shown)
    await screen.press('Enter', 'the action say ended with code 7', leave)
    await screen.press('r', 'Launch 1 group of run 2 again? (y/N)')
    await screen.press('y', '1 group launched again', leave)
    expect((await folder.json('run_show', '2', '--json')).group_list[0].attempt).toBe(2)
    folder.write('say.sh', 'echo "said $1 $2 $QANAT_GROUP_INDEX"\n')
    await (await explore(folder, 'acting 1')).type('hx y\r1\r', 'said x y 1', shown)
  })

  test('cancels and deletes a run once it is sure', async () => {
    const folder = await shellProject(plain)
    await folder.qanat('run', '--detach', 'it', 'sleep 600')
    const screen = await explore(folder, 'it', ['1    running'])
    await screen.press('Enter', '[x] Cancel')
    await screen.type('xy', '0      cancelled')
    await screen.press('g', 'Delete run 1', '(y/N)')
    await screen.press('n', '[g] Delete run')
    expect(folder.has('results/it/run_1')).toBe(true)
    await screen.type('gy', 'it · 0 runs', 'No run yet')
    expect(folder.has('results/it/run_1')).toBe(false)
  })

  test('starts a comment with the facts of the run, and shows its Markdown', async () => {
    const folder = await withRuns()
    folder.environment.VISUAL = 'sed -i s/first/second/'
    const screen = await explore(folder, 'acting 1')
    await screen.press('d', 'There is no comment yet. Write one? (y/N)')
    await screen.press('y', 'Comment: results/acting/run_1/comment.md')
    await screen.press('d', 'Run 1 of acting', '• launched: 20', '• tags: paper', '• description: the second', shown)
  })

  test('shows what Slurm was given and its log, and answers keys while Slurm does not', async () => {
    const { folder } = await FakeSlurm.start('  short: {--time: 1:00:00}\n')
    Object.assign(folder.environment, plain)
    await folder.qanat('run', '--runner', 'slurm', '--submit_template', 'short', 'it', 'exit 0')
    const screen = await explore(folder, 'it 1', ['[f] Show Slurm script and log', leave], [120, 150])
    const given = ['==> template short <==\n--time: "1:00:00"\n==> .run/slurm.sh <==', '==> .run/settings.sh <==']
    await screen.press('f', ...given, 'qanat_command()', '==> Slurm job 77_0 <==', shown)
    folder.write('.qanat/bin/squeue', '#!/bin/sh\nsleep 600\n', 0o755)
    const another = await explore(folder, 'it', ['it · 1 run · as of', leave])
    await another.press('Enter', 'Run 1 of experiment it', back)
    another.type('qq')
    expect(await another.exitCode()).toBe(0)
  })

  test('shows the file given with --parameters_file, and has the letter for it only then', async () => {
    const folder = await withRuns()
    folder.write('params.yaml', 'depth: 7\n')
    folder.commit()
    await folder.qanat('run', 'acting', 'true', '--parameters_file', 'params.yaml')
    const screen = await explore(folder, 'acting', ['3    finished'])
    await screen.press('Enter', '[p] Show parameters file(s)', back)
    await screen.press('p', 'params.yaml <==\ndepth: 7', shown)
    await screen.type('\rqj\r', 'Run 2 of experiment acting', back)
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
})

test('run_explore without a terminal names the command that needs none', async () => {
  const folder = await withRuns()
  const { code, stderr } = await folder.qanat('run_explore', 'acting', '1')
  expect([code, stderr]).toEqual([2, expect.stringContaining('qanat run_show 1')])
})
