import { describe, expect, test } from 'vitest'
import type { ListedRun } from '../../../src/domain/results/best.js'
import type { RunListing } from '../../../src/operations/results/select-runs.js'
import { runsCsv, runsText } from '../../../src/views/runs/list.js'
import { plain } from '../render/columns.js'
import { endedRun, newRun } from '../sample-run.js'

const now = endedRun.asOf + 5_000

const listing = (...runs: ListedRun[]): RunListing => ({
  ...{ runs, metrics: [], late: 0 },
  ...{ total: runs.length, all: runs.length },
})

describe('runs', () => {
  test('are one a line in a terminal, with the age of the answer about live ones', () => {
    const [head, ended, live, ...note] = runsText(plain, listing(endedRun, newRun), now).split('\n')
    expect(head).toMatch(
      /^Run {2}Experiment {2}Status +Progress +Commit +Runner +Launched +Duration +Tags +Description +Path$/,
    )
    expect(ended).toMatch(
      /^4 +iris +failed +2\/3, 1 failed +0123456\+c0de +slurm .* 00:01:30 +paper, seeds +with "quotes", and a comma /,
    )
    expect(live).toMatch(/^5 +iris +pending +0\/3 +0123456 +local .* results\/iris\/run_4$/)
    expect(note).toEqual(['', expect.stringMatching(/^as of \d\d:\d\d:\d\d \(5 s ago\)$/)])
  })

  test('that are live have a duration until now', () => {
    const running = { ...newRun, status: 'running', started: now - 12_300 } as const
    expect(runsText(plain, listing(running), now)).toContain('  12.3 s  ')
  })

  test('have a column of best metrics if one of them has any, and say how many have not been read yet', () => {
    const best = [
      { metric: 'acc', value: 0.97214, group: 17 },
      { metric: 'loss', value: Number.POSITIVE_INFINITY, group: 0 },
    ]
    const late = { ...listing({ ...endedRun, best }, { ...endedRun, best: null }, { ...endedRun, best: [] }), late: 1 }
    const [head, one, other, none, ...notes] = runsText(plain, late, now).split('\n')
    expect(head).toMatch(/ {2}Progress +Best +Commit +Runner /)
    expect(one).toContain('  acc 0.9721, loss Infinity  0123456+c0de  ')
    expect(other).toContain('1 failed  …  ')
    expect(none).toMatch(/1 failed {10,}0123456\+c0de {2}slurm/)
    expect(notes).toEqual(['', 'The metrics of 1 run have not all been read yet: qanat compare iris reads them'])
    expect(runsCsv(late.runs).split('\n')[0]).toContain('progress,best_acc,best_loss,groups_total')
  })

  test.each([
    [11, 11, [endedRun], 'the first 1 of 11 runs'],
    [1, 11, [endedRun], '1 of 11 runs'],
    [3, 11, [endedRun], 'the first 1 of 3 that fit, of 11 runs'],
    [0, 1, [], 'None of 1 run fits'],
    [0, 11, [], 'None of 11 runs fits'],
    [0, 0, [], 'No runs found'],
  ])('of which %i of %i fit are said to be some of more', (total, all, runs, said) => {
    const lines = runsText(plain, { ...listing(...runs), total, all }, now).split('\n')
    expect(lines.at(-1)).toBe(said)
  })

  test('show in short which parameters varied, and then those that all groups share', () => {
    const parameter = (name: string, values: string[], count = values.length, isEverywhere = true) => ({
      ...{ name, values, count, isEverywhere },
    })
    const parameters = [
      parameter('--seed', ['9', '0'], 10),
      parameter('--model', ['mlp', 'svm']),
      parameter('--data', ['a', 'b\n', 'c', 'd']),
      parameter('--lr', ['1', '1e-3', '0.1', '0.01']),
      parameter('--amp', [''], 1, false),
      parameter('--note', ['a rather long text', "''"]),
      parameter('--init', ['/home/a/models/the first one.pt']),
      parameter('--fast', ['']),
      parameter('pos_0', ['x.csv']),
    ]
    const text = runsText(plain, listing({ ...endedRun, parameters }, newRun), now)
    expect(text).toMatch(/ {2}Progress +Parameters +Commit +Runner /)
    expect(text).toContain(
      "  --seed 0…9 --model mlp,svm --data a,b⏎,c … (4) --lr 1e-3…1 [--amp] --note a rather lo…,'' --init /home/a…the first one.pt --fast x.csv  0123456+c0de  slurm",
    )
  })

  test('leave out columns where the terminal is narrow, and name them', () => {
    const [head, , note] = runsText({ ...plain, columns: 80 }, listing({ ...endedRun, tags: [] }), now).split('\n')
    expect(head).toBe('Run  Experiment  Status  Progress       Commit        Launched          Duration')
    expect(note).toBe('Not shown (a pipe shows all): Runner, Tags, Description, Path')
  })

  test('keep room for parameters, which are cut where the terminal is narrow', () => {
    const parameter = (name: string, value: string) => ({ name, values: [value], count: 1, isEverywhere: true })
    const parameters = [parameter('--seed', '17'), parameter('--model', 'a-large-one'), parameter('--epochs', '200')]
    const at = (columns: number) =>
      runsText({ ...plain, columns }, listing({ ...endedRun, parameters }), now).split('\n')
    expect(at(80)).toEqual([
      'Run  Experiment  Status  Progress       Parameters                  Commit',
      '4    iris        failed  2/3, 1 failed  --seed 17 --model a-large…  0123456+c0de',
      'Not shown (a pipe shows all): Runner, Launched, Duration, Tags, Description, Path',
    ])
    expect(at(64)[1]).toBe('4    iris        failed  2/3, 1 failed  --seed 17 --model a-lar…')
  })

  test('are a CSV table with the single values of their JSON', () => {
    expect(runsCsv([endedRun, newRun])).toBe(
      [
        'id,experiment,status,runner,context,commit_sha,dirty,code_used,code_changed,storage_path,description,launched,started,finished,duration_s,progress,groups_total,groups_pending,groups_running,groups_held,groups_finished,groups_failed,groups_cancelled,groups_lost,submit_template,n_threads,container,tags,retired',
        '4,iris,failed,slurm,,0123456789abcdef0123456789abcdef01234567,true,c0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0de,,results/iris/run_4,"with ""quotes"",\nand a comma",2026-11-21T12:00:00.000Z,2026-11-21T12:01:00.000Z,2026-11-21T12:02:30.500Z,90.5,100,3,0,0,0,2,1,0,0,gpu,2,a.sif,paper seeds,',
        '5,iris,pending,local,,0123456789abcdef0123456789abcdef01234567,false,c0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0dec0de,,results/iris/run_4,,2026-11-21T12:00:00.000Z,,,,,3,3,0,0,0,0,0,0,,,,,',
        '',
      ].join('\n'),
    )
  })
})
