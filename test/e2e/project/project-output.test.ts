import { describe, expect, test } from 'vitest'
import { madeOnce } from '../made-once.js'
import { Folder, projectWith } from '../project.js'
import { hasTerminal, Screen } from '../screen.js'

const reading = ['status', 'experiment list', 'experiment status it', 'dataset list', 'run_show it 1', 'run_logs it 1']

/** A project with a run that failed, whose tags are longer than a line of a terminal. */
const projectWithRun = madeOnce(async () => {
  const folder = await projectWith('exit 3')
  folder.write('.qanat/data.yaml', 'name: data\npath: it.sh\n')
  await folder.qanat('dataset', 'new', '.qanat/data.yaml')
  await folder.qanat('run', 'it', '--tag', 'long'.repeat(50))
  return folder
})

describe('in a pipe', () => {
  test('there is no escape code, no emoji and no cut line, whatever the terminal is said to be', async () => {
    const folder = await projectWithRun()
    Object.assign(folder.environment, { TERM: 'xterm-256color', COLORTERM: 'truecolor', COLUMNS: '40' })
    const commands = [...reading, 'run it', 'run --dry_run it', '--help', 'run --help', 'experiment status nope']
    for (const command of commands) {
      const { stdout, stderr } = await folder.qanat(...command.split(' '))
      const plain = expect.not.stringMatching(/\x1b|\p{Extended_Pictographic}/u)
      expect([command, stdout + stderr]).toEqual([command, plain])
    }
    const status = (await folder.qanat('experiment', 'status', 'it')).stdout
    expect(status).toContain('long'.repeat(50))
    const [heading, ...rows] = status.slice(status.indexOf('Run  ')).trimEnd().split('\n')
    expect(rows.map(row => row.indexOf('local'))).toEqual(rows.map(() => heading!.indexOf('Runner')))
  })

  test('a file that takes only a part of it, as on a disk that is almost full, is an error', async () => {
    const folder = await projectWith('true')
    const { stderr, code } = await folder.shell(`ulimit -f 2
    "${process.execPath}" "${folder.program}" completion bash >part`)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Error: the output could not be written: EFBIG/)])
    expect(folder.read('part')).toHaveLength(1024)
    await folder.shell(`"${process.execPath}" "${folder.program}" completion bash >>part`)
    const whole = (await folder.qanat('completion', 'bash')).stdout
    expect(folder.read('part')).toBe(whole.slice(0, 1024) + whole)
  })

  test('a reader that goes away is not an error', async () => {
    const folder = await projectWithRun()
    for (const command of ['experiment list', 'status', '--help', 'run --help', 'run_show it 1 --json']) {
      const { stdout, stderr } = await folder.shell(`{ qanat ${command}; echo "exit $?" >&2; } | head -1`)
      expect([command, stderr, stdout]).toEqual([command, 'exit 0\n', expect.stringMatching(/.+\n/)])
    }
  })
})

describe.skipIf(!hasTerminal)('on a terminal', () => {
  test('there are emoji and colours', async () => {
    const folder = await projectWithRun()
    const commands = ['experiment status it', 'experiment list', 'dataset list', 'status']
    const screen = new Screen(folder, commands.map(words => `qanat ${words}`).join('; '))
    expect(await screen.exitCode()).toBe(0)
    for (const text of ['🔖 Name: it', '🔍 Status', '❌ failed', '⏳ Runs', '📁 Path'])
      expect(screen.text()).toContain(text)
    expect(screen.coloured()).toMatch(/\x1b\[31m❌ failed/)
  })

  test.each(['NO_COLOR=1', 'TERM=dumb'])('%s turns both off', async setting => {
    const folder = await projectWithRun()
    const screen = new Screen(folder, `export ${setting}; qanat experiment status it; qanat status; qanat run it`)
    expect(await screen.exitCode()).toBe(1)
    expect(screen.text()).toContain('Name: it')
    expect(screen.coloured()).not.toMatch(/\x1b\[[\d;]*m|\p{Extended_Pictographic}/u)
  })
})

describe('with --quiet', () => {
  test('a launch prints only the id of its run, and on stderr how it failed', async () => {
    const folder = await projectWith('echo "$1"; [ "$1" = good ] || { echo why >&2; exit 3; }')
    folder.write('new.txt', '')
    const good = { stdout: '1\n', stderr: '', code: 0 }
    expect(await folder.qanat('run', '-q', '--commit', 'new', 'it', 'good')).toEqual(good)
    const failed = { stdout: '2\n', stderr: expect.stringMatching(/^Run 2 failed: .*\n {2}group 0 .*: why\n/), code: 1 }
    expect(await folder.qanat('-q', 'run', 'it', '-q')).toEqual(failed)
    expect((await folder.qanat('run_retry', '2', '--quiet')).stdout).toBe('2\n')
    expect((await folder.qanat('rerun', '--quiet', '1')).stdout).toBe('3\n')
    expect((await folder.json('runs', '--json')).runs[1].id).toBe(2)
    expect(folder.read('results/it/run_2/stdout.txt')).toBe('-q\n')
  })

  test('what only does something prints nothing, and what shows something prints it', async () => {
    const folder = await projectWithRun()
    const nothing = { stdout: '', stderr: '', code: 0 }
    const tags = `run_tag -q 1 +a -${'long'.repeat(50)}`
    for (const line of [tags, 'config set -q logging INFO', 'export -q', 'run_delete 1 -y -q'])
      expect([line, await folder.qanat(...line.split(' '))]).toEqual([line, nothing])
    expect((await folder.qanat('config', 'get', '-q', 'logging')).stdout).toBe('INFO\n')
    expect((await folder.qanat('-q', 'run_show', '1')).stderr).toContain('Error: run 1 is in the trash')
  })
})

describe('with --json', () => {
  test('an error is on stdout alone', async () => {
    const [folder, outside] = [await projectWith('true'), new Folder()]
    for (const [line, code, message] of [
      ['dataset list --json extra', 2, 'unexpected argument: extra'],
      ['experiment status --json', 2, 'NAME is missing'],
      ['run --json', 2, 'which experiment?'],
      ['run --json --nonsense it', 2, 'unknown option --nonsense'],
      ['sttus --json', 2, "no command 'sttus'"],
      ['status --json', 3, 'not a Qanat project'],
      ['experiment list --json', 3, 'not a Qanat project'],
      ['run --json it', 3, 'not a Qanat project'],
    ] as const) {
      const outcome = await (code === 3 ? outside : folder).qanat(...line.split(' '))
      expect(outcome).toEqual({ stdout: expect.stringContaining(message), stderr: '', code })
      const { error, ...others } = JSON.parse(outcome.stdout)
      expect([Object.keys(error), error.code, others]).toEqual([['message', 'hint', 'code', 'kind'], code, {}])
    }
  })

  test('after the name it is refused, unless the experiment says that it has such an option', async () => {
    const folder = await projectWith('echo "$@"')
    const refused = await folder.qanat('run', 'it', '--json')
    expect([refused.code, JSON.parse(refused.stdout).error.hint]).toEqual([
      2,
      "qanat run --json it\nif it is an option of it, write it after --, or 'passes: [--json]' in its YAML file",
    ])
    folder.write('.qanat/it.yaml', 'name: it\nexecutable: it.sh\nexecutable_command: sh\npasses: --json\n')
    await folder.qanat('experiment', 'update', 'it', '-f', '.qanat/it.yaml')
    const { stdout, code } = await folder.qanat('run', 'it', '--json')
    expect([code, stdout]).toEqual([0, expect.stringContaining('\n--json --storage_path ')])
    expect((await folder.qanat('experiment', 'export', 'it')).stdout).toContain('passes:\n  - --json\n')
  })

  test('output of a script and warnings go to stderr', async () => {
    const folder = await projectWith('echo out; echo err >&2')
    folder.write('.qanat/config.yaml', 'loging: INFO\n')
    const { stdout, stderr } = await folder.qanat('run', '--json', 'it')
    expect(JSON.parse(stdout).status).toBe('finished')
    expect(stderr.split('\n').sort()).toEqual(['', expect.stringMatching(/^Warning: .*loging/), 'err', 'out'])
  })
})

test('QANAT_DEBUG=1 shows where an error comes from', async () => {
  const folder = await projectWith('true', 'sh', { QANAT_DEBUG: '1' })
  const { stderr, code } = await folder.qanat('experiment', 'status', 'nope')
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^ {4}at /m)])
  expect(stderr).toContain("Error: no experiment 'nope'")
})
