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

describe('commands', () => {
  test('are completed by their first words, short names and topics, with what they do', () => {
    expect(values('')).toEqual(
      expect.arrayContaining(['runs', 'run', 'run_show', 'experiment', 'config', 'completion']),
    )
    expect(wanted('').candidates.every(({ description }) => description !== '')).toBe(true)
    expect(values('')).toEqual([...new Set(values(''))].sort())
  })

  test.each([
    ['config ', ['edit', 'get', 'set', 'show', 'unset']],
    ['help config ', ['edit', 'get', 'set', 'show', 'unset']],
    ['config get', ['edit', 'get', 'set', 'show', 'unset']],
    ['nonsense ', []],
    ['constructor ', []],
    ['help toString ', []],
    ['config nonsense ', []],
  ])('after %j are %j', (line, expected) => {
    expect(values(line)).toEqual(expected)
  })
})

describe('arguments', () => {
  test.each([
    ['experiment status ', 'experiments'],
    ['run ', 'experiments'],
    ['experiment run ', 'experiments'],
    ['dataset delete ', 'datasets'],
    ['dataset new ', 'files'],
    ['init ', 'folders'],
    ['config set ', 'settings'],
    ['dataset diff d ', 'dataset_runs'],
    ['dataset diff d 1 ', 'dataset_runs'],
    ['dataset verify d ', 'dataset_runs'],
    ['run_show it ', 'runs'],
    ['experiment run_show it ', 'runs'],
    ['run_cancel it ', 'live_runs'],
    ['run_delete it 1 2 ', 'more_runs'],
    ['run_show ', 'experiments_or_runs'],
    ['run_cancel ', 'experiments_or_live_runs'],
    ['why 1.', 'experiments_or_groups'],
    ['why it 1.', 'runs_or_groups'],
    ['run_tag it 4 ', 'tag_changes'],
    ['run_tag it 4 +a -b ', 'tag_changes'],
    ['action ', 'actions_or_experiments'],
    ['action it ', 'actions_or_runs'],
    ['action it plot ', 'runs'],
    ['action it plot 4 --format ', 'files'],
    ['run it --seed ', 'files'],
    ['run -- ', 'experiments'],
    ['-q --no_emoji run ', 'experiments'],
    ['run -q ', 'experiments'],
    ['run -- it --runner ', 'files'],
    ['run_show it 4 ', null],
    ['config set logging ', null],
    ['runs ', null],
  ])('at the end of %j are %s', (line, kind) => {
    expect(wanted(line).kind).toBe(kind)
  })

  test.each([
    ['run --runner slurm it ', { runner: ['slurm'], name: ['it'] }],
    ['run -rslurm --submit-template=a it ', { runner: ['slurm'], submit_template: ['a'], name: ['it'] }],
    ['run --wait True it ', { wait: [], name: ['it'] }],
    ['run -g -x it ', { group_param: ['-x'], name: ['it'] }],
    ['run --bins 3 it --bins 4 -- --wait ', { name: ['3'], arguments: ['it', '4', '--wait'] }],
    ['run_logs it 4 --group 6 ', { name: ['it'], run: ['4'], group: ['6'] }],
    ['run_delete --yes it 4 5 ', { yes: [], name: ['it'], runs: ['4', '5'] }],
    ['run_tag it 4 -draft ', { name: ['it'], run: ['4'] }],
  ])('are distinguished from options in %j', (line, given) => {
    expect(wanted(line).given).toEqual(given)
  })
})

describe('options', () => {
  test('are those of the command', () => {
    expect(values('rerun it 4 --')).toEqual([
      '--submit_template',
      '--wait',
      '--detach',
      '--yes',
      '--verify',
      '--rtol',
      '--ignore',
      '--json',
      '--quiet',
      '--no_emoji',
      '--help',
    ])
    expect(values('dataset delete -')).toEqual(['--yes', '--quiet', '--no_emoji', '--help'])
    expect(values('run --')).toEqual(expect.arrayContaining(['--runner', '--values', '--json', '--help']))
  })

  test('are offered without a dash if nothing else can follow', () => {
    expect(values('status ')).toEqual(['--sizes', '--json', '--quiet', '--no_emoji', '--help'])
    expect(values('experiment status ')).toEqual([])
  })

  test('of run after the name are only those of the older program', () => {
    const behind = values('run it --')
    expect(behind).toEqual(expect.arrayContaining(['--runner', '--param_file', '--tag', '--dry_run']))
    for (const option of ['--values', '--detach', '--commit', '--allow_dirty', '--snapshot', '--json', '--help']) {
      expect(behind).not.toContain(option)
    }
  })

  test('are not offered after --', () => {
    expect(values('run -- it --')).toEqual([])
    expect(values('config set default_editor -- --')).toEqual([])
  })

  test('that are given already, or excluded by others, are not offered', () => {
    const usual = ['--json', '--quiet', '--no_emoji', '--help']
    expect(values('rerun it 4 --wait --')).toEqual([
      '--submit_template',
      '--yes',
      '--verify',
      '--rtol',
      '--ignore',
      ...usual,
    ])
    expect(values('rerun it 4 --detach --')).toEqual(['--submit_template', '--yes', '--rtol', '--ignore', ...usual])
    expect(values('run --tag a --')).toContain('--tag')
    expect(values('run --runner slurm --')).not.toContain('--runner')
  })

  test('are spelled with hyphens if they were typed so', () => {
    expect(values('run --dry-')).toContain('--dry-run')
    expect(values('run --dry_')).toContain('--dry_run')
    expect(values('run it --dry-')).toContain('--dry_run')
  })
})

describe('values of options', () => {
  test.each([
    ['run --runner ', 'runners'],
    ['run -r ', 'runners'],
    ['run it --runner ', 'runners'],
    ['run it -f ', 'files'],
    ['run --submit_template ', 'templates'],
    ['run_retry it 4 --submit_template ', 'templates'],
    ['run_retry it 4 --only ', 'ends'],
    ['run --storage_path ', 'folders'],
    ['run --description ', null],
    ['run it --values ', 'files'],
    ['runs --status ', 'statuses'],
    ['runs --sort ', 'sortings'],
    ['runs --param ', 'parameter_values'],
    ['experiment status it --param ', 'parameter_values'],
    ['groups it --param --', 'parameter_values'],
    ['plot it -x --', 'axes'],
    ['compare it --by --', 'parameters'],
    ['export --crate ', 'all_runs'],
    ['experiment status it -t ', 'tags'],
    ['run_logs it 4 --group ', 'groups'],
    ['action it plot 4 --group_no ', 'groups'],
  ])('at the end of %j are %s', (line, kind) => {
    expect(wanted(line)).toMatchObject({ kind, candidates: [] })
  })

  test('of a fixed set are known', () => {
    expect(values('run --snapshot ')).toEqual(['auto', 'always', 'never'])
    expect(values('completion ')).toEqual(['bash', 'zsh', 'fish'])
  })

  test('may be written in the same word', () => {
    expect(wanted('run --submit-template=two')).toMatchObject({
      kind: 'templates',
      prefix: '--submit-template=',
      typed: 'two',
    })
    expect(wanted('run --snapshot=')).toMatchObject({ prefix: '--snapshot=', candidates: { length: 3 } })
    expect(wanted('run it --of_the_script=')).toMatchObject({ kind: 'files', prefix: '' })
  })
})

test('every option and argument completes an existing kind', () => {
  for (const { arguments: own, options } of Object.values(surface.commands)) {
    for (const { completes } of [...own, ...options]) if (completes) expect(Object.keys(lookups)).toContain(completes)
  }
})
