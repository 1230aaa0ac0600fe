import { describe, expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { Folder, type Outcome, program, projectWith } from '../project.js'
import { hasTerminal, Screen } from '../screen.js'
import { openTerminal } from '../terminal.js'

const file = '.qanat/config.yaml'

/** A project without an editor of the environment; texts that are refused are kept where the test ends, too. */
function project(): Promise<Folder> {
  return projectWith('true', 'sh', { VISUAL: undefined, EDITOR: undefined, NO_COLOR: '1', TMPDIR: new Folder().path })
}

/** A project with an editor that runs this code on the file `$1`. */
async function projectWithEditor(code: string): Promise<Folder> {
  const folder = await project()
  folder.write('.qanat/editor', `#!/bin/sh\n${code}\n`, 0o755)
  folder.environment.EDITOR = `${folder.path}/.qanat/editor`
  return folder
}

/** `qanat config edit` on a terminal; what is shown there counts as stderr. */
async function edit(folder: Folder): Promise<Outcome> {
  const terminal = openTerminal(folder, 'config', 'edit')
  const code = await terminal.ended
  return { stdout: '', stderr: terminal.shown().replaceAll('\r\n', '\n'), code }
}

describe('config edit', () => {
  test('keeps what another command has set meanwhile, and the edited text', async () => {
    const folder = await projectWithEditor(`echo "# mine" >>"$1"; ${program} config set poll_interval 77`)
    const outcome = await edit(folder)
    expectError(outcome, 2, 'another command has changed .qanat/config.yaml meanwhile\n  your text is in /')
    expect(folder.read(file)).toContain('poll_interval: 77')
    expect(folder.read(file)).not.toContain('# mine')
  })

  test('saves the edited text', async () => {
    const folder = await projectWithEditor('sed -i.bak "s/^poll_interval: 30/poll_interval: 77/" "$1"')
    expect(await edit(folder)).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Settings changed/) })
    expect(folder.git('diff', '--numstat')).toBe(`1\t1\t${file}\n`)
    expect((await folder.qanat('config', 'get', 'poll_interval')).stdout).toBe('77\n')
    const again = await edit(folder)
    expect([again.code, again.stderr]).toEqual([0, 'Nothing was changed.\n'])
  })

  test.each([
    ['fails', 'echo "poll_interval: 3" >"$1"; exit 3', 1, 'ended with code 3'],
    ['leaves no YAML', 'echo "a: [b" >"$1"', 2, 'config.yaml:'],
    ['leaves an ill-typed value', 'printf "#\\nlogging: 5\\n" >"$1"', 2, 'config.yaml:2:10: logging: expected one of'],
    ['removes the file', 'rm "$1"', 1, 'the editor has removed the file\n  nothing was changed'],
  ])('saves nothing if the editor %s, and says where its text is', async (_, code, exitCode, text) => {
    const folder = await projectWithEditor(code)
    const before = folder.read(file)
    const outcome = await edit(folder)
    expectError(outcome, exitCode, text)
    expect(folder.read(file)).toBe(before)
    if (code.startsWith('rm')) return
    const [kept] = /\/\S*?\/config\.yaml/.exec(outcome.stderr)!
    const { stdout } = await folder.shell(`cat "${kept}" && rm -r "$(dirname "${kept}")"`)
    expect(stdout).not.toBe('')
  })

  test('uses the editor of the settings, and says what to type if none is set', async () => {
    const folder = await project()
    expectError(await edit(folder), 2, 'no editor is set', 'export EDITOR', 'default_editor')
    folder.write('.qanat/editor', '#!/bin/sh\necho "logging: ERROR" >"$1"\n', 0o755)
    await folder.qanat('config', 'set', 'default_editor', `${folder.path}/.qanat/editor`)
    expect((await edit(folder)).code).toBe(0)
    expect(folder.read(file)).toBe('logging: ERROR\n')
    folder.environment.EDITOR = '/nonexistent/editor --wait'
    expectError(await edit(folder), 1, "'/nonexistent/editor --wait' failed", 'not on this machine')
  })

  test('starts no editor without a terminal', async () => {
    const folder = await projectWithEditor('echo "logging: ERROR" >"$1"')
    const before = folder.read(file)
    expectError(await folder.qanat('config', 'edit'), 2, 'there is no terminal for an editor', 'config set KEY VALUE')
    expect(folder.read(file)).toBe(before)
  })

  test.skipIf(!hasTerminal)('asks before it takes them from a file, and shows what would change', async () => {
    const folder = await project()
    folder.write(file, '# mine\nlogging: INFO\npoll_interval: 5\n')
    folder.write('new.yaml', '# mine\nlogging: ERROR\npoll_interval: 5\n')
    const kept = new Screen(folder, 'qanat config edit new.yaml')
    await kept.shows('  # mine\n- logging: INFO\n+ logging: ERROR\n  poll_interval: 5\n')
    await kept.answer('Replace the settings?', '')
    expect([await kept.exitCode(), kept.text()]).toEqual([0, expect.stringContaining('Nothing was changed.')])
    expect(folder.read(file)).toContain('logging: INFO')
    const changed = new Screen(folder, 'qanat config edit new.yaml')
    await changed.answer('Replace the settings?', 'y')
    expect([await changed.exitCode(), folder.read(file)]).toEqual([0, folder.read('new.yaml')])
  })
})
