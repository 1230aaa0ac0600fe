import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { lacks, skips } from '../../skips.js'
import { traces } from '../expectations.js'
import { madeOnce } from '../made-once.js'
import { Folder, program, projectWith, quote, until } from '../project.js'
import { hasTerminal, Screen } from '../screen.js'

const shells = ['bash', 'zsh', 'fish'] as const
const missing = shells.filter(shell => skips(`completion in ${shell}`, lacks(shell)))

/** A project in whose shells `qanat` is the built program, with a run whose tags a shell must not act on. */
const projectWithRuns = madeOnce(async () => {
  const folder = await projectWith('true')
  const { environment } = folder
  folder.write('.git/bin/qanat', `#!/bin/sh\nexec ${quote(process.execPath)} ${quote(program)} "$@"\n`, 0o755)
  environment.PATH = `${join(folder.path, '.git/bin')}:${environment.PATH}`
  environment.HOME = join(folder.path, '.git/home')
  folder.write('.git/home/.zshrc', 'PS1="> "\n')
  await folder.json('run', '--json', '-t', 'two words', '-t', 'x:y', '-t', '$(touch evil)', 'it', '-R', '--seed 0 3 1')
  await folder.json('run', '--json', '--description', 'the second', 'it')
  return folder
})

/** What the hidden command answers to a line: what the shell has to add, then candidates with their descriptions. */
async function answer(folder: Folder, line: string): Promise<[string, Record<string, string>]> {
  const { stdout, stderr, code } = await folder.qanat('completion', 'complete', '--', ...line.split(' '))
  expect([stderr, code]).toEqual(['', 0])
  const [part = '', ...lines] = stdout.slice(0, -1).split('\n')
  return [part, Object.fromEntries(lines.map(line => line.split('\t')))]
}

async function values(folder: Folder, line: string): Promise<string[]> {
  return Object.keys((await answer(folder, line))[1])
}

/** Expects these candidates, in that order or behind `…` among others, for each of the lines, between which is `|`. */
async function expectValues(folder: Folder, expected: Readonly<Record<string, readonly string[]>>): Promise<void> {
  for (const [lines, wanted] of Object.entries(expected)) {
    for (const line of lines.split('|'))
      expect([line, await values(folder, line)]).toEqual([
        line,
        wanted[0] === '…' ? expect.arrayContaining(wanted.slice(1)) : wanted,
      ])
  }
}

describe('candidates from the project', () => {
  test('are the names, runs, groups, tags and settings of the project', async () => {
    const folder = await projectWithRuns()
    const described = 'description: Does it\ndatasets: [data]\nactions: [{plot: {executable: it.sh}}]\n'
    folder.write('.qanat/it.yaml', described)
    folder.write('.qanat/data.yaml', 'name: data\npath: it.sh\ndescription: All of it\n')
    await folder.qanat('dataset', 'new', '-f', '.qanat/data.yaml')
    await folder.qanat('experiment', 'update', 'it', '-f', '.qanat/it.yaml')
    expect(await answer(folder, 'run ')).toEqual(['nothing', { it: 'Does it' }])
    expect(await answer(folder, 'dataset delete ')).toEqual(['nothing', { data: 'All of it' }])
    const runs = await folder.qanat('completion', 'complete', '--', 'run_show', 'it', '')
    expect(runs.stdout).toMatch(/^nothing\n2\tfinished 1\/1 · .* · the second\n1\tfinished 3\/3 · .* · two words, /)
    const groups = { 0: 'finished', 1: 'finished', 2: 'finished' }
    expect(await answer(folder, 'run_logs 1 --group ')).toEqual(['nothing', groups])
    expect(await values(folder, 'run_cancel 1')).not.toContain('1')
    await expectValues(folder, {
      'run_show 1 |run_cancel it |action nothing |dataset diff other ': [],
      'run_delete it 2 |run_delete 2 ': ['1'],
      'action ': ['plot', 'it'],
      'action plot ': ['1', '2', 'it'],
      'action it plot |action plot it |dataset diff data |export --crate ': ['1', '2'],
      'action plot 1 --group_no ': ['0', '1', '2'],
      'why it 1.|why 1.': ['1.0', '1.1', '1.2'],
      'runs --tag ': ['$(touch evil)', 'two words', 'x:y'],
      'run_tag it 1 -': ['…', '+two words', '-two words', '--json'],
      'runs --commit ': [folder.git('rev-parse', '--short=12', 'HEAD').trim()],
      'run --runner = sl': ['…', '--runner=slurm'],
      'runs --status lost,': ['…', 'lost,failed'],
    })
    folder.write('.qanat/config.yaml', 'slurm: {big: {--mem: 4G}}\nlocal: {small: {}}\n')
    expect(await answer(folder, 'run -r slurm it --submit_template ')).toEqual(['files', { big: '' }])
    await expectValues(folder, {
      'run_retry it 1 --submit_template ': ['small'],
      'config get ': ['…', 'logging', 'slurm', 'slurm.big', 'slurm.big.--mem'],
    })
    await folder.qanat('run_delete', 'it', '1', '--yes')
    await expectValues(folder, { 'trash restore ': ['1'], 'run_show it ': ['2'] })
  })

  test('are the parameters and metrics of the last runs of an experiment', async () => {
    const folder = await projectWith(`echo '{"acc": 1, "loss": {"train": 2}}' >"$QANAT_STORAGE_PATH/metrics.json"`)
    await folder.qanat('run', 'it', 'x', '--batch-size', '8', '-R', '--seed 0 2 1')
    await folder.qanat('compare', 'it')
    const metrics = ['acc', 'loss.train']
    await expectValues(folder, {
      'plot it -y |report it --metrics |groups it --where ': metrics,
      // A run on the line says the experiment, too.
      'plot it -x |plot 1 -x ': ['pos_0', 'batch-size', 'seed', ...metrics],
      'compare it --by seed,': ['seed,pos_0', 'seed,batch-size'],
      'compare it --sort ': ['…', 'time', '-time', 'seed', '-acc', 'loss.train'],
      'plot it -x --': ['…', '--batch-size', '--seed'],
      'compare it --by --seed,--': ['--seed,pos_0', '--seed,--batch-size'],
      'groups it --param |runs --param ': ['pos_0:x', 'batch-size:8', 'seed:0', 'seed:1'],
      'runs --param --seed : ': ['…', '--batch-size:8', '--seed:0'],
      'plot nothing -y |groups nothing --param ': [],
      'run it --': ['…', '--batch-size', '--seed'],
      'run it |run it x ': [],
    })
    await folder.qanat('run', '-V', 'lr 0.1 0.2', 'it', 'model=small')
    await expectValues(folder, { 'run it |run it lr=0.1 ': ['model=small', 'lr=0.1', 'lr=0.2'] })
  })

  test('are silently left out if there is no project, or it is broken, of another schema or not repaired, and nothing is written', async () => {
    const nowhere = new Folder()
    expect(await answer(nowhere, 'run ')).toEqual(['nothing', {}])
    expect(await values(nowhere, 'run --snapshot ')).toEqual(['auto', 'always', 'never'])
    expect(nowhere.list('.')).toEqual([])

    const folder = await projectWith('true')
    const wanted = async () => [
      await values(folder, 'run '),
      await values(folder, 'run --submit_template '),
      (await values(folder, 'config get ')).length > 0,
      (await values(folder, 'run --')).length > 0,
    ]
    const config = folder.read('.qanat/config.yaml')
    folder.write('.qanat/config.yaml', 'local: [\n')
    expect(await wanted()).toEqual([['it'], [], false, true])
    folder.write('.qanat/config.yaml', config)
    const path = join(folder.path, '.qanat/database.db')
    for (const spoil of [
      () => new Database(path).pragma('user_version = 1000'),
      // SQLite takes any beginning for that of a journal to be rolled back, which only those do who may write.
      () => folder.write('.qanat/database.db-journal', 'x'),
      () => writeFileSync(path, 'no database'),
    ]) {
      spoil()
      const before = traces(folder)
      expect(await wanted()).toEqual([[], ['default', 'two_cpus'], true, true])
      expect(traces(folder)).toEqual(before)
    }
    rmSync(path)
    expect((await wanted())[0]).toEqual([])
    expect(folder.has('.qanat/database.db')).toBe(false)
  })
})

test.skipIf(missing.includes('bash'))('bash 3.2, which cuts no words at = and :, is offered the same', async () => {
  const folder = await projectWithRuns()
  folder.write('.git/completion', (await folder.qanat('completion', 'bash')).stdout)
  for (const [words, current, expected] of [
    [['run', '--runner', '=', 'ht'], 'ht', 'htcondor'],
    [['run', '--runner=ht'], 'ht', 'htcondor'],
    [['runs', '--tag', '=', 'x', ':'], '', 'y'],
    [['runs', '--tag=x:'], '', 'y'],
    [['run', '--runner=local', '--snapshot', 'al'], 'al', 'always'],
    [['runs', '--tag', 'tw'], 'tw', 'two\\ words'],
    [['runs', '--tag', '$'], '$', '\\$\\(touch\\ evil\\)'],
    [['runs', '--tag', 'zz'], 'zz', ''],
  ] as const) {
    const line = `COMP_WORDS=(qanat ${words.map(quote).join(' ')}); COMP_CWORD=${words.length}`
    const code = `source .git/completion; ${line}; _qanat qanat ${quote(current)}; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout } = await folder.shell(`bash -c ${quote(code)}`)
    expect([words, stdout]).toEqual([words, `${expected}\n`])
  }
  expect(folder.has('evil')).toBe(false)
})

/** How a shell is started, and what the README says that it has to read. */
const interactive = {
  bash: ["PS1='> ' bash --norc --noprofile -i", 'eval "$(qanat completion bash)"'],
  zsh: ['zsh -i', 'source <(qanat completion zsh)'],
  fish: ['fish --no-config', 'qanat completion fish | source'],
} as const

describe.skipIf(!hasTerminal).each(shells)('at the prompt of %s', shell => {
  test.skipIf(missing.includes(shell))(
    'Tab completes names, values and files, and quotes what the shell would act on',
    async () => {
      const folder = await projectWithRuns()
      folder.write('a grid.yaml', '')
      const [command, line] = interactive[shell]
      const screen = new Screen(folder, command)
      await until(() => screen.text() !== '')
      screen.type(`${line}; echo ready`)
      screen.press('Enter')
      await screen.shows('\nready')
      const completes = async (line: string, expected: string) => {
        screen.type(line)
        screen.press('Tab')
        await screen.shows(expected)
        screen.press('C-u')
      }
      await completes('qanat run_sh', 'qanat run_show')
      await completes('qanat run -r slurm i', 'qanat run -r slurm it')
      await completes('qanat run --runner=ht', 'qanat run --runner=htcondor')
      await completes('qanat runs --tag=x:', 'qanat runs --tag=x:y')
      await completes('qanat run it -f a', String.raw`qanat run it -f a\ grid.yaml`)
      await completes('qanat runs --tag tw', String.raw`qanat runs --tag two\ words`)
      await completes("qanat runs --tag '$(t", "qanat runs --tag '$(touch evil)'")
      expect(folder.has('evil')).toBe(false)
    },
  )
})
