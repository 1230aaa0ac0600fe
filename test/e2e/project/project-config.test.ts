import { describe, expect, test } from 'vitest'
import { expectError, traces } from '../expectations.js'
import { Folder, type Outcome, program, projectWith } from '../project.js'
import { hasTerminal, Screen } from '../screen.js'
import { openTerminal } from '../terminal.js'

const file = '.qanat/config.yaml'

/** A project without an editor of the environment; texts that are refused are kept where the test ends, too. */
function project(): Promise<Folder> {
  return projectWith('true', 'sh', { VISUAL: undefined, EDITOR: undefined, NO_COLOR: '1', TMPDIR: new Folder().path })
}

/** A project with these settings and no others. */
async function projectOf(settings: string): Promise<Folder> {
  const folder = await project()
  folder.write(file, settings)
  return folder
}

/** A project with an editor that runs this code on the file `$1`. */
async function projectWithEditor(code: string): Promise<Folder> {
  const folder = await project()
  folder.write('.qanat/editor', `#!/bin/sh\n${code}\n`, 0o755)
  folder.environment.EDITOR = `${folder.path}/.qanat/editor`
  return folder
}

function qanat(folder: Folder, line: string): Promise<Outcome> {
  return folder.qanat(...line.split(' '))
}

/** `qanat config edit` on a terminal; what is shown there counts as stderr. */
async function edit(folder: Folder): Promise<Outcome> {
  const terminal = openTerminal(folder, 'config', 'edit')
  const code = await terminal.ended
  return { stdout: '', stderr: terminal.shown().replaceAll('\r\n', '\n'), code }
}

test.each([
  ['emoji: true', true, 'experiment list', 'experiment status it'],
  ['emoji: false', false, 'experiment list', 'experiment status it'],
  ['emoji: true', false, '--no_emoji experiment list', 'experiment status it --no_emoji'],
])('on a terminal, %s means that there are symbols: %s, behind %s', async (setting, areSymbols, ...lines) => {
  const folder = await projectOf(`${setting}\n`)
  delete folder.environment.NO_COLOR
  for (const line of lines) {
    const terminal = openTerminal(folder, ...line.split(' '))
    expect([line, await terminal.ended]).toEqual([line, 0])
    expect(terminal.shown()).toContain('Name')
    expect(terminal.shown().includes('🔖')).toBe(areSymbols)
  }
})

test('a mistake in a template hinders only what uses templates', async () => {
  const folder = await projectWith('true')
  await folder.qanat('run', 'it')
  folder.write(file, 'slurm: {gpu: {resources: {cpu: 2}}}\n')
  for (const line of ['runs', 'experiment status it', 'run_show 1', 'why 1', 'compare it'])
    expect([line, await qanat(folder, line)]).toEqual([line, expect.objectContaining({ code: 0, stderr: '' })])
  const mistake = 'slurm.gpu.resources.cpu: unknown key'
  for (const line of ['run it', 'config get slurm'])
    expectError(await qanat(folder, line), 2, `${file}:1:27: ${mistake}`)
  expect((await folder.qanat('doctor')).stdout).toContain(mistake)
})

test('what cannot be a setting is refused, and nothing is changed', async () => {
  const folder = await project()
  folder.write('new.yaml', 'logging: ERROR\n')
  folder.write('wrong.yaml', 'logging: LOUD\n')
  await qanat(folder, 'config set poll_interval 30')
  const files = () => traces(folder).filter(line => !line.startsWith('.qanat/locks '))
  const before = files()
  for (const [line, text] of [
    ['set logging debug', 'expected one of DEBUG, INFO, WARNING, ERROR, CRITICAL'],
    ['get pol_interval', "'pol_interval' is not set. Did you mean poll_interval?"],
    ['unset slurm.gpu', "'slurm.gpu' is not set"],
    ['edit wrong.yaml', 'wrong.yaml:1:10: logging: expected one of'],
    ['edit absent.yaml', "'absent.yaml'"],
    ['edit .', 'folder'],
    ['edit new.yaml', 'there is no terminal to ask on\n  add --yes'],
  ] as const)
    expectError(await qanat(folder, `config ${line}`), 2, text)
  expect(files()).toEqual(before)
})

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

  test('warns of an unknown key in one line', async () => {
    const folder = await projectWithEditor('echo "loging: INFO" >"$1"')
    const { stderr, code } = await edit(folder)
    const warning =
      /^Warning: .*config\.yaml:1:1: loging: unknown key\. Did you mean logging\?.*\nSettings changed.*\n$/
    expect([code, stderr]).toEqual([0, expect.stringMatching(warning)])
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
    const folder = await projectOf('# mine\nlogging: INFO\npoll_interval: 5\n')
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

const loading = ['status', 'experiment status it', 'run --dry_run it', 'run it', 'config show']

describe('settings are checked whenever they are read:', () => {
  test('a mistake is an error with its position', async () => {
    const folder = await projectOf('poll_interval: 30\nlogging: LOUD\n')
    for (const line of loading)
      expectError(await qanat(folder, line), 2, `${file}:2:10: logging: expected one of DEBUG`)
    expect(folder.has('results')).toBe(false)
  })

  test('an unknown key is a warning with the nearest one, on stderr', async () => {
    const folder = await projectOf('logging: INFO\nresult_dri: out\n')
    const warning = /^Warning: \.qanat\/config\.yaml:2:1: result_dri: unknown key\. Did you mean result_dir\?.*\n$/
    for (const line of loading) {
      const { stderr, code } = await qanat(folder, line)
      expect([line, code, stderr]).toEqual([line, 0, expect.stringMatching(warning)])
    }
    expect((await folder.json('status', '--json')).runs).toEqual({ finished: 1 })
  })
})

describe('the setting logging', () => {
  test('DEBUG tells on stderr which programs are called, how long they took and how they ended', async () => {
    const folder = await projectOf('logging: DEBUG\n')
    folder.commit()
    const { stdout, stderr, code } = await folder.qanat('run', '--json', 'it')
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ status: 'finished' })])
    const lines = stderr.trimEnd().split('\n')
    expect(lines).toEqual(lines.map(() => expect.stringMatching(/^Debug: \d+ ms(, [^:]+)?: \S/)))
    for (const program of [/: git .* status /, /supervisor/]) expect(stderr).toMatch(program)
  })

  test('decides whether a warning is shown; an error always is', async () => {
    const folder = await project()
    for (const [level, warning] of Object.entries({
      INFO: /^Warning: /,
      WARNING: /^Warning: /,
      ERROR: /^$/,
      CRITICAL: /^$/,
    })) {
      folder.write(file, `logging: ${level}\nloging: x\n`)
      const { stderr, code } = await folder.qanat('status')
      expect([level, code, stderr]).toEqual([level, 0, expect.stringMatching(warning)])
      expect((await folder.qanat('run', 'nothing')).stderr).toContain("Error: no experiment 'nothing'")
    }
  })
})
