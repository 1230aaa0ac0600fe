import { describe, expect, test } from 'vitest'
import { runsCsv, runsText } from '../../../src/views/runs/list.js'
import { plain, terminal } from '../render/columns.js'
import { endedRun, newRun } from '../sample-run.js'

const now = endedRun.asOf + 5_000

describe('runs', () => {
  test('are one a line in a terminal, with the age of the answer about live ones', () => {
    const [head, ended, live, ...note] = runsText(plain, [endedRun, newRun], now).split('\n')
    expect(head).toMatch(/^Run {2}Experiment {2}Status +Progress +Runner +Launched +Duration +Tags +Description +Path$/)
    expect(ended).toMatch(
      /^4 +iris +failed +2\/3, 1 failed +slurm .* 00:01:30 +paper, seeds +with "quotes", and a comma /,
    )
    expect(live).toMatch(/^5 +iris +pending +0\/3 +local .* results\/iris\/run_4$/)
    expect(note).toEqual(['', expect.stringMatching(/^as of \d\d:\d\d:\d\d \(5 s ago\)$/)])
  })

  test('that are live have a duration until now', () => {
    const running = { ...newRun, status: 'running', started: now - 12_300 } as const
    expect(runsText(plain, [running], now)).toContain('  12.3 s  ')
  })

  test('have symbols if the terminal has them', () => {
    expect(runsText(terminal(200), [endedRun], now)).toMatch(/^🆔 Run {2}🔖 Experiment {2}🔍 Status .* 🏷 Tags/)
  })

  test('are a CSV table with the single values of their JSON', () => {
    expect(runsCsv([endedRun, newRun])).toBe(
      [
        'id,experiment,status,runner,commit_sha,dirty,code_changed,storage_path,description,launched,started,finished,duration_s,progress,groups_total,groups_pending,groups_running,groups_held,groups_finished,groups_failed,groups_cancelled,groups_lost,submit_template,n_threads,container,tags',
        '4,iris,failed,slurm,0123456789abcdef0123456789abcdef01234567,true,,results/iris/run_4,"with ""quotes"",\nand a comma",2026-11-21T12:00:00.000Z,2026-11-21T12:01:00.000Z,2026-11-21T12:02:30.500Z,90.5,100,3,0,0,0,2,1,0,0,gpu,2,a.sif,paper seeds',
        '5,iris,pending,local,0123456789abcdef0123456789abcdef01234567,false,,results/iris/run_4,,2026-11-21T12:00:00.000Z,,,,,3,3,0,0,0,0,0,0,,,,',
        '',
      ].join('\n'),
    )
  })
})
