import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacksSshd, Sshd } from '../../sites/sshd.js'
import { skips } from '../../skips.js'
import { awaits, type Folder, open, projectWith, until } from '../project.js'
import { openTerminal } from '../terminal.js'

/** Types lines into a shell of a group, and returns what was shown, and how it ended. */
async function sit(folder: Folder, words: readonly string[], ...lines: readonly string[]) {
  const terminal = openTerminal(folder, 'shell', ...words)
  for (const [at, line] of lines.entries()) {
    await until(
      () =>
        terminal.shown().split('(qanat)').length > at + 1 &&
        /[#$] $/.test(terminal.shown().replace(/\x1b\[[?\d]*[a-zA-Z]/g, '')),
      isThere => isThere,
    )
    terminal.type(`${line}\r`)
  }
  return { code: await terminal.ended, shown: terminal.shown() }
}

const script = 'cat kept; echo "$1 $SETTING" >"$QANAT_STORAGE_PATH/made"\n'
const asks =
  'echo "<$(cat kept) $SETTING $LINES_OF_SETUP>"; eval "$QANAT_COMMAND"; echo "<$(cat "$QANAT_STORAGE_PATH/made")>"'

/** A project with a run of two groups, after which its code has changed. */
async function launched(folder: Folder, ...words: string[]): Promise<void> {
  folder.write('kept', 'frozen\n')
  folder.write('.qanat/config.yaml', 'local: {default: {env: {SETTING: set}, setup: export LINES_OF_SETUP=setup}}\n')
  folder.commit()
  expect(await folder.qanat('run', ...words, 'it', '-g', 'a', '-g', 'b')).toMatchObject({ code: 0 })
  await folder.whenStatus(1, 'finished')
  folder.write('kept', 'changed\n')
  folder.commit()
}

test('a shell has the code and the environment of a group, and leaves nothing that nobody has made', async () => {
  const folder = await projectWith(script)
  await launched(folder)
  const { code, shown } = await sit(folder, ['1.1'], asks, 'rm "$QANAT_STORAGE_PATH/made"; exit 3')
  expect([code, shown]).toEqual([3, expect.stringContaining('<frozen set setup>')])
  expect(shown).toContain('<b set>')
  expect(folder.read('results/it/run_1/group_1/made')).toBe('b set\n')
  expect(folder.list('.qanat/cache').filter(name => name.startsWith('shell_'))).toEqual([])
  const kept = await sit(folder, ['1'], 'echo kept >"$QANAT_STORAGE_PATH/made"; exit')
  const [left] = folder.list('.qanat/cache').filter(name => name.startsWith('shell_'))
  expect([kept.code, kept.shown]).toEqual([0, expect.stringContaining(`The files of the shell are in `)])
  expect(folder.read(`.qanat/cache/${left}/made`)).toBe('kept\n')
  expect(await folder.states()).toEqual(['finished', 'finished'])
  const bare = await sit(folder, ['--submit_template', 'default'], 'echo "<$SETTING $LINES_OF_SETUP $PWD>"; exit 5')
  expect([bare.code, bare.shown]).toEqual([5, expect.stringContaining(`<set setup ${folder.path}>`)])
})

test('a shell leaves nothing when its window is closed; its code stays while it lives, and what it left when it was killed is removed', async () => {
  const folder = await projectWith(script)
  await launched(folder)
  const shells = () => folder.list('.qanat/cache').filter(name => /^shell_|_shell$/.test(name))
  const closed = openTerminal(folder, 'shell', '--submit_template', 'default')
  await until(closed.shown, text => text.includes('(qanat)'))
  closed.close()
  await closed.ended
  expect(shells()).toEqual([])
  const terminal = openTerminal(folder, 'shell', '1.1')
  await until(terminal.shown, text => text.includes('(qanat)'))
  const [copy] = shells().filter(name => name.endsWith('_shell'))
  expect((await folder.qanat('cache', 'clean')).code).toBe(0)
  expect(shells()).toContain(copy)
  expect(
    shells()
      .map(name => name.replace(/^shell_[0-9a-f]+/, 'shell'))
      .slice(1),
  ).toEqual(['shell', 'shell.lock', 'shell.lock-journal'])
  terminal.kill()
  await terminal.ended
  await until(
    async () => {
      await folder.qanat('cache', 'clean')
      return shells()
    },
    left => left.length === 0,
  )
})

test('a shell beside a group that runs without a scheduler is one on its machine', async () => {
  const folder = await projectWith(awaits('open'))
  await folder.qanat('run', '--detach', 'it')
  await folder.whenStatus(1, 'running')
  const { code, shown } = await sit(folder, ['1.0', '--inside'], 'echo "<$QANAT_COMMAND>"; exit 7')
  expect([code, shown]).toEqual([7, expect.stringMatching(/<sh it\.sh --storage_path \S+>/)])
  open(folder, 'open')
  await folder.whenStatus(1, 'finished')
})

test('a shell inside a group that does not run is refused, as is one without a terminal', async () => {
  const folder = await projectWith(script)
  await launched(folder)
  const { code, shown } = await sit(folder, ['1.0', '--inside'])
  expect([code, shown]).toEqual([2, expect.stringContaining('group 1.0 does not run')])
  const piped = await folder.qanat('shell', '1.0')
  expect([piped.code, piped.stderr]).toEqual([2, expect.stringContaining('there is no terminal')])
})

describe.skipIf(skips('shells in contexts', lacksSshd()))('in a context', () => {
  let sshd: Sshd
  beforeAll(() => {
    sshd = new Sshd()
  })
  afterAll(() => sshd.end())

  test('a shell is opened there, whatever its path is', async () => {
    const folder = await projectWith(script)
    const home = mkdtempSync(join(sshd.folder, "h o'me-"))
    Object.assign(folder.environment, sshd.environment, { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home })
    await folder.qanat('context', 'add', 'box', '--host', 'box', '--root', join(home, 'root'))
    expect(await folder.qanat('context', 'login', 'box')).toMatchObject({ code: 0 })
    await launched(folder, '--context', 'box', '--wait')
    const { code, shown } = await sit(folder, ['1.1'], `${asks}; pwd`, 'exit 4')
    expect([code, shown]).toEqual([4, expect.stringContaining('<frozen set setup>')])
    expect(shown).toContain('<b set>')
    expect(shown).toMatch(/h o'me-\w+\/root\/\S+@box_shell/)
    expect(shown).toContain('The files of the shell are in box:')
  })
})
