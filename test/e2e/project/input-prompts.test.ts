import { describe, expect, test } from 'vitest'
import { paths, traces } from '../expectations.js'
import { awaits, Folder, open, projectWith, until } from '../project.js'
import { hasTerminal, Screen } from '../screen.js'

/** What of a project is not git's own. */
function files(folder: Folder): string[] {
  return paths(folder).filter(path => !path.startsWith('.git/'))
}

describe.skipIf(!hasTerminal)('init on a terminal', () => {
  test('asks for the result folder and the editor', async () => {
    const folder = new Folder()
    const screen = new Screen(folder, 'qanat init "my project"')
    await screen.answer('Folder for the results', 'out/runs')
    await screen.answer('Editor', 'vim -n')
    expect(await screen.exitCode()).toBe(0)
    const made = 'my project/'
    expect((await folder.qanatIn(made, 'config', 'get', 'result_dir')).stdout).toBe('out/runs\n')
    expect((await folder.qanatIn(made, 'config', 'get', 'default_editor')).stdout).toBe('vim -n\n')
    expect(folder.read(`${made}.gitignore`)).toBe('/out/runs\n')
  })

  test('asks again for a result folder that is not valid', async () => {
    const folder = new Folder()
    const screen = new Screen(folder, 'qanat init')
    await screen.answer('Folder for the results', '..')
    await until(
      () => screen.text(),
      text => /contains the project|Editor/.test(text),
    )
    expect(screen.text()).not.toContain('Editor')
    screen.press('C-c')
    expect(await screen.exitCode()).toBe(130)
    expect(paths(folder)).toEqual([])
  })

  test('makes nothing after Ctrl-C', async () => {
    const folder = new Folder()
    const screen = new Screen(folder, 'qanat init new')
    await screen.answer('Folder for the results', '')
    await screen.shows('Editor')
    screen.press('C-c')
    expect(await screen.exitCode()).toBe(130)
    expect(screen.text()).toContain('nothing was changed')
    expect(paths(folder)).toEqual([])
  })
})

describe.skipIf(!hasTerminal)('Ctrl-C at a question ends with 130 and changes nothing:', () => {
  test.each([
    ['dataset new', 'Name'],
    ['experiment new', 'Name'],
    ['experiment update it', 'Name'],
    ['document new', 'Name'],
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

describe.skipIf(!hasTerminal)('a deletion on a terminal', () => {
  test('is done after yes, and not by default', async () => {
    const folder = await projectWith('true')
    const kept = new Screen(folder, 'qanat experiment delete it')
    await kept.answer('Delete experiment it? (y/N)', '')
    expect([await kept.exitCode(), (await folder.json('status', '--json')).experiments]).toEqual([0, 1])
    const deleted = new Screen(folder, 'qanat experiment delete it')
    await deleted.answer('Delete experiment it?', 'y')
    expect([await deleted.exitCode(), (await folder.json('status', '--json')).experiments]).toEqual([0, 0])
  })

  test('asks on stderr when stdout goes to a file', async () => {
    const folder = await projectWith('true')
    const screen = new Screen(folder, 'qanat experiment delete it >.qanat/out.txt')
    await until(
      () =>
        screen.text().includes('Delete experiment it?') ||
        (folder.has('.qanat/out.txt') && folder.read('.qanat/out.txt') !== ''),
    )
    expect(screen.text()).toContain('Delete experiment it?')
    screen.type('y')
    screen.press('Enter')
    expect(await screen.exitCode()).toBe(0)
    expect(folder.read('.qanat/out.txt')).toBe('Experiment it deleted.\n')
  })
})

describe.skipIf(!hasTerminal)('run of more groups than confirm_above, on a terminal,', () => {
  async function carefulProject(script = 'true'): Promise<Folder> {
    const folder = await projectWith(script)
    await folder.qanat('config', 'set', 'confirm_above', '2')
    folder.commit()
    return folder
  }

  test('asks first, and launches nothing after no', async () => {
    const folder = await carefulProject()
    const asked = new Screen(folder, 'qanat run it -R "--i 0 3 1"')
    await asked.answer('Launch 3 groups?', 'n')
    expect(await asked.exitCode()).toBe(2)
    expect(asked.text()).toContain('Error: nothing was launched: 3 groups were declined')
    expect((await folder.json('runs', '--json')).runs).toEqual([])
  })

  test.each(['-y it -R "--i 0 3 1"', 'it -R "--i 0 2 1"', 'it -R "--i 0 3 1" </dev/null'])(
    'does not ask for %s',
    async line => {
      const folder = await carefulProject()
      const screen = new Screen(folder, `qanat run ${line}`)
      expect(await screen.exitCode()).toBe(0)
      expect(screen.text()).not.toContain('Launch')
    },
  )

  test('asks before a retry and a rerun of so many, too', async () => {
    const folder = await carefulProject('exit 3')
    await folder.qanat('run', 'it', '-R', '--i 0 3 1')
    for (const command of ['run_retry 1', 'rerun 1']) {
      const asked = new Screen(folder, `qanat ${command}`)
      await asked.answer('Launch 3 groups?', 'n')
      expect([command, await asked.exitCode()]).toEqual([command, 2])
    }
    const retried = new Screen(folder, 'qanat run_retry 1 --yes')
    expect(await retried.exitCode()).toBe(1)
    expect(retried.text()).not.toContain('Launch')
    const { runs } = await folder.json('runs', '--json')
    expect(runs.map(({ id }: { id: number }) => id)).toEqual([1])
    const attempts = (await folder.show()).group_list.map(({ attempt }: { attempt: number }) => attempt)
    expect(attempts).toEqual([2, 2, 2])
  })
})

describe.skipIf(!hasTerminal)('run whose first groups all fail alike, on a terminal,', () => {
  const failing = () => projectWith(`if [ "$2" -lt 10 ]; then echo "no module" >&2; exit 1; fi\n${awaits('others')}`)
  const question = 'Go on with the other 10 groups?'

  test('is cancelled after no', async () => {
    const folder = await failing()
    const screen = new Screen(folder, 'qanat run it -R "--i 0 20 1"')
    await screen.shows('the first 10 groups have all failed with the same error: exit 1: no module', question)
    await screen.answer(question, 'n')
    expect(await screen.exitCode()).toBe(1)
    expect((await folder.show()).groups).toMatchObject({ failed: 10, cancelled: 10 })
  })

  test('goes on after yes, and withdraws the question if it ends meanwhile', async () => {
    const folder = await failing()
    const agreed = new Screen(folder, 'qanat run it -R "--i 0 20 1"')
    const ignored = new Screen(folder, 'qanat run it -R "--i 0 20 1"')
    await agreed.answer(question, 'y')
    await ignored.shows(question)
    open(folder, 'others')
    for (const screen of [agreed, ignored]) {
      expect(await screen.exitCode()).toBe(1)
      expect(screen.text()).toContain('10 finished, 10 failed')
    }
  })
})

describe.skipIf(!hasTerminal)('run_delete of several runs, on a terminal,', () => {
  test('lists them first, and keeps them after no', async () => {
    const folder = await projectWith('exit $2')
    for (const code of ['1', '0', '1']) await folder.qanat('run', 'it', '--code', code)
    const screen = new Screen(folder, 'qanat run_delete it --status failed')
    await screen.shows('3 ', 'failed', '1 ', 'failed', 'Delete these 2 runs?')
    await screen.answer('Delete these 2 runs?', 'n')
    await screen.shows('Kept.')
    expect((await folder.json('runs', '--json')).runs).toHaveLength(3)
  })

  test('keeps a run that was retried in the meantime', async () => {
    const folder = await projectWith(`[ ! -e "$QANAT_PROJECT/.qanat/mended" ] || { ${awaits('end')}; exit 0; }; exit 1`)
    for (const _ of [1, 2]) await folder.qanat('run', 'it')
    const screen = new Screen(folder, 'qanat run_delete it --status failed')
    await screen.shows('Delete these 2 runs?')
    folder.write('.qanat/mended', '')
    await folder.qanat('run_retry', '2', '--detach')
    await screen.answer('Delete these 2 runs?', 'y')
    expect(await screen.exitCode()).toBe(0)
    expect(screen.text()).toMatch(/run 2 is (pending|running) by now, and was kept/)
    open(folder, 'end')
    await folder.whenStatus(2, 'finished')
    expect((await folder.json('runs', '--json')).runs.map(({ id }: { id: number }) => id)).toEqual([2])
  })
})

describe.skipIf(!hasTerminal)('run on a dirty tree, on a terminal,', () => {
  async function dirtyProject(): Promise<Folder> {
    const folder = await projectWith('true')
    folder.write('new.txt', 'x')
    return folder
  }

  test('commits with the message that is typed, and runs', async () => {
    const folder = await dirtyProject()
    const screen = new Screen(folder, 'qanat run it')
    await screen.shows('?? new.txt')
    await screen.answer('Commit all of them now?', 'y')
    await screen.answer('Commit message', '')
    await screen.shows('this cannot be empty')
    await screen.answer('Commit message', "it's new")
    expect(await screen.exitCode()).toBe(0)
    expect(folder.git('log', '-1', '--format=%s', '--name-only')).toBe("it's new\n\nnew.txt\n")
    expect((await folder.show()).commit_sha).toBe(folder.git('rev-parse', 'HEAD').trim())
  })

  test.each([
    ['no', 2],
    ['Ctrl-C', 130],
    ['Ctrl-C at the message', 130],
  ])('launches nothing after %s', async (answer, code) => {
    const folder = await dirtyProject()
    const before = [files(folder), folder.read('.qanat/database.db'), folder.git('log', '--format=%H')]
    const screen = new Screen(folder, 'qanat run it')
    await screen.shows('Commit all of them now?')
    if (answer === 'no') screen.type('n')
    if (answer === 'Ctrl-C at the message') screen.type('y')
    if (answer !== 'Ctrl-C') screen.press('Enter')
    if (answer === 'Ctrl-C at the message') await screen.shows('Commit message')
    if (answer !== 'no') screen.press('C-c')
    expect(await screen.exitCode()).toBe(code)
    expect([files(folder), folder.read('.qanat/database.db'), folder.git('log', '--format=%H')]).toEqual(before)
  })
})
