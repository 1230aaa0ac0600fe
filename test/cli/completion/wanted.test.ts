import { describe, expect, test } from 'vitest'
import { lookups } from '../../../src/cli/completion/kinds.js'
import { type Surface, shapeOf } from '../../../src/cli/completion/shapes.js'
import { type Wanted, wantedAt } from '../../../src/cli/completion/wanted.js'
import { commands, shortNames, topics } from '../../../src/commands/index.js'

const shapes = Object.entries(commands).map(async ([name, load]) => [name, shapeOf((await load()).default)] as const)
const surface: Surface = { commands: Object.fromEntries(await Promise.all(shapes)), shortNames, topics }

/** What a Tab at the end of the line wants; behind a space it is the next word. */
function wanted(line: string): Wanted {
  return wantedAt(surface, line.split(' '))
}

function values(line: string): string[] {
  return wanted(line).candidates.map(({ value }) => value)
}

/** Lines, between which is `|`; each ends where Tab is pressed. */
const linesOf = (lines: string) => lines.split('|')

describe('commands', () => {
  test('are completed by their first words, short names and topics, with what they do', () => {
    const names = ['runs', 'run', 'run_show', 'experiment', 'config', 'completion']
    expect(values('')).toEqual(expect.arrayContaining(names))
    expect(wanted('').candidates.every(({ description }) => description !== '')).toBe(true)
    expect(values('')).toEqual([...new Set(values(''))].sort())
  })

  test('of a topic are completed behind its name, and nothing behind another word', () => {
    const config = ['edit', 'get', 'set', 'show', 'unset']
    for (const line of linesOf('config |help config |config get')) expect([line, values(line)]).toEqual([line, config])
    for (const line of linesOf('nonsense |constructor |help toString |config nonsense '))
      expect([line, values(line)]).toEqual([line, []])
  })
})

describe('what is looked up', () => {
  test.each([
    ['script_arguments', 'run it --seed |run -- it --runner |run it --values '],
    ['experiments', 'experiment status |run |experiment run |run -- |-q --no_emoji run |run -q '],
    ['datasets', 'dataset delete '],
    ['files', 'dataset new |action it plot 4 --format |run it -f '],
    ['folders', 'init |run --storage_path '],
    ['settings', 'config set '],
    ['dataset_runs', 'dataset diff d |dataset diff d 1 |dataset verify d '],
    ['runs', 'run_show it |experiment run_show it |action it plot '],
    ['live_runs', 'run_cancel it '],
    ['more_runs', 'run_delete it 1 2 '],
    ['experiments_or_runs', 'run_show '],
    ['experiments_or_live_runs', 'run_cancel '],
    ['experiments_or_groups', 'why 1.'],
    ['runs_or_groups', 'why it 1.'],
    ['tag_changes', 'run_tag it 4 |run_tag it 4 +a -b '],
    ['actions_or_experiments', 'action '],
    ['actions_or_runs', 'action it '],
    [null, 'run_show it 4 |config set logging |runs |run --description '],
  ])('for an argument is %s at the end of %s', (kind, lines) => {
    for (const line of linesOf(lines)) expect([line, wanted(line).kind]).toEqual([line, kind])
  })

  test.each([
    ['runners', 'run --runner |run -r |run it --runner '],
    ['templates', 'run --submit_template |run_retry it 4 --submit_template '],
    ['ends', 'run_retry it 4 --only '],
    ['statuses', 'runs --status '],
    ['sortings', 'runs --sort '],
    ['parameter_values', 'runs --param |experiment status it --param |groups it --param --'],
    ['axes', 'plot it -x --'],
    ['parameters', 'compare it --by --'],
    ['all_runs', 'export --crate '],
    ['tags', 'experiment status it -t '],
    ['groups', 'run_logs it 4 --group |action it plot 4 --group_no '],
  ])('for the value of an option is %s at the end of %s', (kind, lines) => {
    for (const line of linesOf(lines)) expect([line, wanted(line)]).toMatchObject([line, { kind, candidates: [] }])
  })

  test('is an existing kind for every option and argument', () => {
    for (const { arguments: own, options } of Object.values(surface.commands)) {
      for (const { completes } of [...own, ...options]) if (completes) expect(Object.keys(lookups)).toContain(completes)
    }
  })
})

test.each([
  ['run --runner slurm it ', { runner: ['slurm'], name: ['it'] }],
  ['run -rslurm --submit-template=a it ', { runner: ['slurm'], submit_template: ['a'], name: ['it'] }],
  ['run --wait True it ', { wait: [], name: ['it'] }],
  ['run -g -x it ', { group_param: ['-x'], name: ['it'] }],
  ['run --bins 3 it --bins 4 -- --wait ', { name: ['3'], arguments: ['it', '4', '--wait'] }],
  ['run_delete --yes it 4 5 ', { yes: [], name: ['it'], runs: ['4', '5'] }],
  ['run_tag it 4 -draft ', { name: ['it'], run: ['4'] }],
])('arguments are distinguished from options in %j', (line, given) => {
  expect(wanted(line).given).toEqual(given)
})

describe('options', () => {
  const usual = '--json --quiet --no_emoji --help'
  test.each([
    [
      'are those of the command, in its order',
      'rerun it 4 --',
      `--submit_template --wait --detach --yes --verify --rtol --ignore ${usual}`,
    ],
    ['are those of another command', 'dataset delete -', '--yes --quiet --no_emoji --help'],
    [
      'that are given are not offered',
      'rerun it 4 --wait --',
      `--submit_template --yes --verify --rtol --ignore ${usual}`,
    ],
    [
      'that others exclude are not offered',
      'rerun it 4 --detach --',
      `--submit_template --yes --rtol --ignore ${usual}`,
    ],
    ['are offered without a dash if nothing else can follow', 'status ', `--sizes ${usual}`],
    ['are not offered where an argument can follow', 'experiment status ', ''],
    ['are not offered after --', 'run -- it --', ''],
    ['are not offered after -- and arguments', 'config set default_editor -- --', ''],
    ['have a fixed set of values', 'run --snapshot ', 'auto always never'],
    ['and arguments may have one, too', 'completion ', 'bash zsh fish'],
  ])('%s: %j', (_, line, expected) => {
    expect(values(line).join(' ')).toBe(expected)
  })

  test('of run after the name are only those of the older program', () => {
    expect(values('run --')).toEqual(expect.arrayContaining(['--runner', '--values', '--json', '--help']))
    const behind = values('run it --')
    expect(behind).toEqual(expect.arrayContaining(['--runner', '--param_file', '--tag', '--dry_run']))
    for (const option of ['--values', '--detach', '--commit', '--allow_dirty', '--snapshot', '--json', '--help'])
      expect(behind).not.toContain(option)
  })

  test('that can be repeated are offered again, and others are not', () => {
    expect(values('run --tag a --')).toContain('--tag')
    expect(values('run --runner slurm --')).not.toContain('--runner')
  })

  test('are spelled with hyphens if they were typed so', () => {
    expect(values('run --dry-')).toContain('--dry-run')
    expect(values('run --dry_')).toContain('--dry_run')
    expect(values('run it --dry-')).toContain('--dry-run')
  })

  test('may have their value in the same word', () => {
    const prefix = '--submit-template='
    expect(wanted('run --submit-template=two')).toMatchObject({ kind: 'templates', prefix, typed: 'two' })
    expect(wanted('run --snapshot=')).toMatchObject({ prefix: '--snapshot=', candidates: { length: 3 } })
    expect(wanted('run it --of_the_script=')).toMatchObject({ kind: 'script_arguments', prefix: '' })
  })
})
