import { describe, expect, test } from 'vitest'
import { paths, traces } from '../expectations.js'
import { awaits, Folder, open, projectWith, until } from '../project.js'
import { hasTerminal, Screen } from '../screen.js'

describe.skipIf(!hasTerminal)('init on a terminal', () => {
  test('asks for the result folder until that is valid, then for the editor', async () => {
    const folder = new Folder()
    const screen = new Screen(folder, 'qanat init "my project"')
    await screen.answer('Folder for the results', '..')
    await screen.shows('contains the project')
    screen.press('C-u')
    await screen.answer('Folder for the results', 'out/runs')
    await screen.answer('Editor', 'vim -n')
    expect(await screen.exitCode()).toBe(0)
    const settings = folder.read('my project/.qanat/config.yaml')
    expect(settings).toMatch(/^result_dir: "out\/runs"$/m)
    expect(settings).toMatch(/^default_editor: "vim -n"$/m)
    expect(folder.read('my project/.gitignore')).toBe('/out/runs\n')
  })

  test('makes nothing after Ctrl-C', async () => {
    const folder = new Folder()
    const screen = new Screen(folder, 'qanat init new')
    await screen.answer('Folder for the results', '')
    await screen.shows('Editor')
    screen.press('C-c')
    expect(await screen.exitCode()).toBe(130)
    expect(paths(folder)).toEqual([])
  })
})

describe.skipIf(!hasTerminal)('Ctrl-C at a question ends with 130 and changes nothing:', () => {
  test.each([
    ['dataset new', 'Name'],
    ['experiment update it', 'Name (it)'],
    ['experiment new -p -f it.yaml', 'Name (it)'],
    ['experiment delete it', 'Delete experiment it?'],
  ])('%s', async (command, question) => {
    const folder = await projectWith('true')
    const before = traces(folder)
    const screen = new Screen(folder, `qanat ${command}`)
    await screen.shows(question)
    screen.press('C-c')
    expect(await screen.exitCode()).toBe(130)
    expect(screen.text()).toContain('Error: cancelled at a prompt; nothing was changed')
    expect(traces(folder)).toEqual(before)
  })
})

test.skipIf(!hasTerminal)('a deletion is done after yes, and not by default, and asks on stderr', async () => {
  const folder = await projectWith('true')
  const kept = new Screen(folder, 'qanat experiment delete it')
  await kept.answer('Delete experiment it? (y/N)', '')
  expect([await kept.exitCode(), (await folder.json('status', '--json')).experiments]).toEqual([0, 1])
  const deleted = new Screen(folder, 'qanat experiment delete it >.qanat/out.txt')
  await deleted.answer('Delete experiment it?', 'y')
  expect([await deleted.exitCode(), folder.read('.qanat/out.txt')]).toEqual([0, 'Experiment it deleted.\n'])
})

describe.skipIf(!hasTerminal)('run of more groups than confirm_above, on a terminal,', () => {
  async function carefulProject(script = 'true'): Promise<Folder> {
    const folder = await projectWith(script)
    await folder.qanat('config', 'set', 'confirm_above', '2')
    folder.commit()
    return folder
  }

  test.each(['-y it -R "--i 0 3 1"', 'it -R "--i 0 2 1"', 'it -R "--i 0 3 1" </dev/null'])(
    'does not ask for %s',
    async line => {
      const screen = new Screen(await carefulProject(), `qanat run ${line}`)
      expect(await screen.exitCode()).toBe(0)
      expect(screen.text()).not.toContain('Launch')
    },
  )

  test('asks first, also before a retry or a rerun, and launches nothing after no', async () => {
    const folder = await carefulProject('exit 3')
    await folder.qanat('run', 'it', '-R', '--i 0 3 1')
    for (const command of ['run it -R "--i 0 3 1"', 'run_retry 1', 'rerun 1']) {
      const asked = new Screen(folder, `qanat ${command}`)
      await asked.answer('Launch 3 groups?', 'n')
      expect([command, await asked.exitCode()]).toEqual([command, 2])
      expect(asked.text()).toContain('Error: nothing was launched: 3 groups were declined')
    }
    expect((await folder.json('runs', '--json')).runs).toHaveLength(1)
    expect((await folder.show()).group_list[0].attempt).toBe(1)
  })
})

test.skipIf(!hasTerminal)(
  'a run with what was probably meant otherwise is launched after yes, and --yes and --quiet ask nothing',
  async () => {
    const folder = await projectWith('true')
    await folder.qanat('run', 'it', '--model', 'a')
    const declined = new Screen(folder, 'qanat run it --modle b -g "--x 1" "--x 2"')
    await declined.shows("'--x 2' goes to the script as one word", 'no run of it had --modle yet, and all had --model')
    await declined.answer('Launch it all the same? (y/N)', '')
    expect(await declined.exitCode()).toBe(2)
    expect(declined.text()).toMatch(
      /nothing was launched\n +qanat run it --modle b -g '--x 1' -g '--x 2'\n +qanat run it --model b/,
    )
    const silent = new Screen(folder, 'qanat run -y it --model b --threads b; qanat run -q it --modle b')
    expect(await silent.exitCode()).toBe(0)
    expect(silent.text()).not.toContain('all the same')
    const agreed = new Screen(folder, 'qanat run it --modek b')
    await agreed.answer('Launch it all the same?', 'y')
    expect(await agreed.exitCode()).toBe(0)
    expect((await folder.json('runs', '--json')).runs).toHaveLength(4)
  },
)

test.skipIf(!hasTerminal)(
  'a run whose first groups all fail alike asks whether to go on, and starts no more until it is answered or gone',
  async () => {
    const folder = await projectWith(`[ "$2" -ge 10 ] || { echo "no module" >&2; exit 1; }\n${awaits('others')}`)
    const question = 'Go on with the other 10 groups? No group starts until you answer'
    const [declined, agreed, killed] = [1, 2, 3].map(() => new Screen(folder, 'qanat run it -R "--i 0 20 1"'))
    await declined!.shows('the first 10 groups have all failed with the same error: exit 1: no module', question)
    await declined!.answer(question, 'n')
    expect(await declined!.exitCode()).toBe(1)
    expect(declined!.text()).toContain('10 failed, 10 cancelled')
    await agreed!.shows(question)
    await killed!.shows(question)
    open(folder, 'others')
    const isHeld = (id: number) => folder.has(`results/it/run_${id}/.run/hold`)
    const ids = [1, 2, 3].filter(isHeld)
    const countsOf = async (id: number) => (await folder.show(id)).groups
    for (const id of ids) await until(async () => (await countsOf(id)).running === 0)
    // One group may have started before the question was there.
    for (const id of ids) expect((await countsOf(id)).pending).toBeGreaterThanOrEqual(9)
    await agreed!.answer(question, 'y')
    expect(await agreed!.exitCode()).toBe(1)
    expect(agreed!.text()).toContain('10 finished, 10 failed')
    const [held] = ids.filter(isHeld)
    expect((await countsOf(held!)).pending).toBeGreaterThanOrEqual(9)
    process.kill(JSON.parse(folder.read(`results/it/run_${held}/.run/hold`)).pid, 'SIGKILL')
    await until(async () => (await countsOf(held!)).finished === 10)
  },
)

test.skipIf(!hasTerminal)(
  'run_delete lists several runs and asks, and keeps one that was retried meanwhile',
  async () => {
    const folder = await projectWith(
      `[ ! -e "$QANAT_PROJECT/.qanat/mended" ] || { ${awaits('end')}; exit 0; }; exit $2`,
    )
    for (const code of ['1', '0', '1']) await folder.qanat('run', 'it', '--code', code)
    const kept = new Screen(folder, 'qanat run_delete it --status failed')
    await kept.shows('3 ', 'failed', '1 ', 'failed', 'Delete these 2 runs?')
    await kept.answer('Delete these 2 runs?', 'n')
    await kept.shows('Kept.')
    const ids = async () => (await folder.json('runs', '--json')).runs.map(({ id }: { id: number }) => id)
    expect(await ids()).toEqual([3, 2, 1])

    const deleted = new Screen(folder, 'qanat run_delete it --status failed')
    await deleted.shows('Delete these 2 runs?')
    folder.write('.qanat/mended', '')
    await folder.qanat('run_retry', '3', '--detach')
    await deleted.answer('Delete these 2 runs?', 'y')
    expect(await deleted.exitCode()).toBe(0)
    expect(deleted.text()).toMatch(/run 3 is (pending|running) by now, and was kept/)
    expect((await ids()).sort()).toEqual([2, 3])
    open(folder, 'end')
    await folder.whenStatus(3, 'finished')
  },
)

test.skipIf(!hasTerminal)('run_delete says of a live run that it is live, and what has finished', async () => {
  const folder = await projectWith(`[ "$2" = 0 ] || ${awaits('end')}`)
  await folder.qanat('run', '--detach', '-R', '--n 0 3 1', 'it')
  await until(
    () => folder.json('run_show', '1', '--json'),
    ({ groups }) => groups.finished === 1,
  )
  const screen = new Screen(folder, 'qanat run_delete 1')
  await screen.shows(
    'Run 1 is running, and is cancelled first: 1 of 3 groups finished',
    'Delete run 1 (results/it/run_1)?',
  )
  await screen.answer('Delete run 1', 'n')
  await screen.shows('Kept.')
  open(folder, 'end')
  await folder.whenStatus(1, 'finished')
})

describe.skipIf(!hasTerminal)('run on a dirty tree, on a terminal,', () => {
  async function dirtyProject(): Promise<Folder> {
    const folder = await projectWith('true')
    folder.write('new.txt', 'x')
    return folder
  }

  test('commits what it lists with the message that is typed, and runs', async () => {
    const folder = await dirtyProject()
    folder.write('new/grid.yaml', '{}')
    await folder.qanat('config', 'set', 'poll_interval', '20')
    const screen = new Screen(folder, 'qanat run -f new/grid.yaml it')
    await screen.shows('.qanat/config.yaml', '?? new.txt', '?? new/grid.yaml')
    await screen.answer('Commit all of them now?', 'y')
    await screen.answer('Commit message', '')
    await screen.shows('this cannot be empty')
    await screen.answer('Commit message', "it's new")
    expect(await screen.exitCode()).toBe(0)
    expect(folder.git('log', '-1', '--format=%s', '--name-only')).toBe(
      "it's new\n\n.qanat/config.yaml\nnew.txt\nnew/grid.yaml\n",
    )
    expect(screen.text()).not.toContain('Warning')
    expect((await folder.show()).commit_sha).toBe(folder.git('rev-parse', 'HEAD').trim())
  })

  test.each<[string, number, string, ...string[]]>([
    ['no', 2, 'n', 'Enter'],
    ['Ctrl-C at the message', 130, 'y', 'Enter', 'C-c'],
  ])('launches nothing after %s', async (_, code, answer, ...keys) => {
    const folder = await dirtyProject()
    const look = () => [
      paths(folder).filter(path => !path.startsWith('.git/')),
      ...[folder.read('.qanat/database.db'), folder.git('log', '--format=%H')],
    ]
    const before = look()
    const screen = new Screen(folder, 'qanat run it')
    await screen.shows('Commit all of them now?')
    screen.type(answer)
    for (const key of keys) {
      if (key === 'C-c') await screen.shows('Commit message')
      screen.press(key)
    }
    expect(await screen.exitCode()).toBe(code)
    expect(look()).toEqual(before)
  })
})
