import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Store } from '../../../src/store/store.js'
import { launchOf, runOf } from '../../store/stores.js'
import { FakeSlurm } from '../launch/fake-slurm.js'
import { madeOnce } from '../made-once.js'
import { groups, shellProject } from '../project.js'
import { hasTerminal, Screen } from '../screen.js'

const withRuns = madeOnce(async () => {
  const folder = await shellProject({ PAGER: 'cat', NO_COLOR: '1' })
  folder.write(
    'acting.yaml',
    'name: acting\nexecutable: it.sh\nexecutable_command: sh\nactions: [{name: say, executable: say.sh, executable_command: sh}]\n',
  )
  folder.write('say.sh', 'echo "said $1 $2"\n')
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

/** The last line of the menu of a run, which takes the next key. */
const menu = '[q] Back'

describe.skipIf(!hasTerminal)('run_explore', () => {
  test('shows the beginning of an output that is larger than any string can be', async () => {
    const folder = await withRuns()
    // The file has one line, then nothing for a gigabyte.
    truncateSync(join(folder.path, 'results/acting/run_1/group_0/stdout.txt'), 1_000_000_000)
    const screen = new Screen(folder, "PAGER='head -n 2'; export PAGER; qanat run_explore acting 1")
    await screen.shows('[a] Show output(s)', menu)
    screen.press('a')
    await screen.shows('==> group 0 <==\none', menu)
    screen.press('q')
    expect(await screen.exitCode()).toBe(0)
  })

  test('shows the page of a run, whose letters do what they say', async () => {
    const folder = await withRuns()
    const screen = new Screen(folder, 'qanat run_explore acting 1')
    await screen.shows('[g] Delete run')
    const commit = folder.git('rev-parse', 'HEAD').trim()
    for (const fact of ['Id: 1 ', 'Status: finished, 2/2 ', 'Runner: local (submit_template default), 1 slot', commit])
      expect(screen.text()).toContain(fact)
    expect(screen.text()).toMatch(/Launched: \S+ \S+ {3}Started: \S+ \S+ {3}Ended: /)
    expect(screen.text()).toContain('> [a] Show output(s)')
    expect(screen.text()).not.toContain('[r] Retry')
    screen.press('a')
    await screen.shows('==> group 1 <==\ntwo', menu)
    screen.press('b')
    await screen.shows('\noops', menu)
    screen.press('e')
    await screen.shows('├─ group_0', 'stdout.txt (4 B)', 'info.yaml (', menu)
    expect(screen.text()).not.toContain('.run')
    screen.press('c')
    await screen.shows("group 1  'echo two'", menu)
    screen.press('q')
    expect(await screen.exitCode()).toBe(0)
  })

  test('lists the runs with a preview, narrows them while typing, and returns from a page', async () => {
    const screen = new Screen(await withRuns(), 'qanat run_explore acting')
    await screen.shows('[m] Menu: 2 runs')
    screen.press('m')
    await screen.shows('2  failed')
    await screen.shows('--lr 0.1')
    screen.press('Down')
    await screen.shows('Tags: paper   Description: the first')
    screen.press('Up')
    screen.type('pap')
    await screen.shows('back) pap')
    await screen.shows('Tags: paper   Description: the first')
    expect(screen.text()).not.toContain('2  failed')
    screen.press('Enter')
    await screen.shows('Run 1 of experiment acting', menu)
    screen.press('q')
    await screen.shows('back)')
    screen.press('Escape')
    await screen.shows('[q] Quit')
    screen.press('q')
    expect(await screen.exitCode()).toBe(0)
  })

  test('searches by filters that can be removed again', async () => {
    const screen = new Screen(await withRuns(), 'qanat run_explore acting')
    await screen.shows('[s] Search')
    screen.press('s')
    await screen.shows('remaining runs: 2')
    screen.press('f')
    await screen.answer('? parameters (values', '--lr:0.1')
    await screen.shows('remaining runs: 1')
    screen.press('c')
    await screen.answer('? status', 'sad')
    await screen.shows('unknown status', 'remaining runs: 1')
    screen.press('q')
    await screen.shows('Menu: 1 run, narrowed by parameters --lr:0.1')
    screen.press('s')
    await screen.shows('remaining runs: 1')
    screen.press('h')
    await screen.shows('remaining runs: 2')
    screen.press('a')
    await screen.answer('? tag', 'beta, paper')
    await screen.shows('remaining runs: 1')
    screen.press('g')
    await screen.shows('1  finished', 'Tags: paper')
    screen.press('Escape')
    await screen.shows('remaining runs: 1')
    screen.press('C-c')
    expect(await screen.exitCode()).toBe(130)
  })

  test('retries, explains, runs actions with the typed arguments, and goes on when one fails', async () => {
    const folder = await withRuns()
    const screen = new Screen(folder, 'qanat run_explore acting 2')
    await screen.shows('[w] Why', menu)
    screen.press('w')
    await screen.shows('Group 0 of run 2 failed: exit 3', 'trouble', menu)
    screen.press('h')
    await screen.answer('? Arguments of say', "'a b' c")
    await screen.shows('said a b c', menu)
    folder.write('say.sh', 'exit 7\n')
    screen.press('h')
    await screen.answer('? Arguments of say', 'x')
    await screen.shows('the action say ended with code 7', menu)
    screen.press('r')
    await screen.shows('1 group launched again', menu)
    screen.press('g')
    await screen.answer('? Delete run 2', 'n')
    await screen.shows('Delete run 2', menu)
    screen.press('q')
    expect(await screen.exitCode()).toBe(0)
    expect((await folder.json('run_show', 'acting', '2', '--json')).group_list[0].attempt).toBe(2)
  })

  test('renders the Markdown of a comment, even if it is broken', async () => {
    const folder = await withRuns()
    folder.write('results/acting/run_1/comment.md', '# Seeds\n\n- **three** is an outlier\n\n```\nnot closed')
    const screen = new Screen(folder, 'qanat run_explore acting 1')
    await screen.shows('Comment: results/acting/run_1/comment.md', '[d] Show comment')
    screen.press('d')
    await screen.shows('Seeds\n\n• three is an outlier\n\n    not closed')
  })

  test('shows what Slurm was given, and its log', async () => {
    const slurm = await FakeSlurm.start('  short: {--time: 1:00:00}\n')
    await slurm.folder.qanat('run', '--runner', 'slurm', '--submit_template', 'short', 'it', 'exit 0')
    const screen = new Screen(slurm.folder, 'PAGER=cat qanat run_explore it 1', [120, 150])
    await screen.shows('[f] Show Slurm script and log', menu)
    screen.press('f')
    await screen.shows('==> template short <==\n--time: "1:00:00"\n==> .run/slurm.sh <==', '==> .run/settings.sh <==')
    await screen.shows('qanat_command()', '==> Slurm job 77_0 <==', menu)
  })

  test('starts a comment with the facts of the run', async () => {
    const folder = await withRuns()
    const screen = new Screen(folder, 'VISUAL=cat EDITOR=cat qanat run_explore acting 1')
    await screen.shows('[d] Show comment', menu)
    screen.press('d')
    await screen.answer('? There is no comment yet', 'y')
    await screen.shows('# Run 1 of acting', '- launched: 20', '- tags: paper', '- description: the first', menu)
  })

  test('shows the file given with --parameters_file, and has the letter for it only then', async () => {
    const folder = await withRuns()
    folder.write('params.yaml', 'depth: 7\n')
    folder.commit()
    await folder.qanat('run', 'acting', 'true', '--parameters_file', 'params.yaml')
    const screen = new Screen(folder, 'qanat run_explore acting')
    await screen.shows('[m] Menu: 3 runs')
    screen.press('m')
    await screen.shows('3  finished')
    screen.press('Enter')
    await screen.shows('[p] Show parameters file(s)', menu)
    screen.press('p')
    await screen.shows('params.yaml <==\ndepth: 7', menu)
    screen.press('q')
    await screen.shows('back)')
    screen.press('Down')
    screen.press('Enter')
    await screen.shows('Run 2 of experiment acting', menu)
    expect(screen.text().slice(screen.text().lastIndexOf('Run 2 of'))).not.toContain('[p]')
  })

  test('scrolls and narrows 10,000 runs in a small terminal', async () => {
    const folder = await withRuns()
    const finished = { state: 'finished', exitCode: 0, started: 0, finished: 0, host: null, jobId: null } as const
    const store = Store.open(`${folder.path}/.qanat/database.db`)
    store.transaction(() => {
      for (let id = 3; id <= 10_000; id++) {
        store.runs.insert(id, runOf('acting', 1, { description: `number ${id}` }), launchOf('acting', `token ${id}`))
        store.runs.update(id, [{ index: 0, status: finished }], 100, 0)
      }
    })
    store.close()
    const screen = new Screen(folder, 'qanat run_explore acting', [80, 24])
    await screen.shows('[m] Menu: 10000 runs')
    screen.press('m')
    await screen.shows('10000  finished')
    screen.press('NPage')
    await screen.shows('9988  finished')
    screen.type('number 777')
    await screen.shows('(1 of 19)')
    await screen.shows('9777  finished')
    expect(
      screen
        .text()
        .split('\n')
        .filter(line => line.length > 80),
    ).toEqual([])
    screen.press('Enter')
    await screen.shows('Run 9777 of experiment acting')
    screen.press('C-c')
    expect(await screen.exitCode()).toBe(130)
  })

  test('goes on if the pager does not exist', async () => {
    const screen = new Screen(await withRuns(), 'PAGER=no-such-pager qanat run_explore acting 1')
    await screen.shows('[a] Show output(s)')
    screen.press('a')
    await screen.shows('no-such-pager')
    await screen.shows('[q] Back')
  })

  test('leaves the terminal as it was after Ctrl-C', async () => {
    const screen = new Screen(await withRuns(), 'qanat run_explore acting 1')
    await screen.shows('[q] Back')
    screen.press('C-c')
    expect(await screen.exitCode()).toBe(130)
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
