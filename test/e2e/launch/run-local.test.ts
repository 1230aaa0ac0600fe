import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { outcomeOf } from '../program.js'
import { awaits, groups, open, projectWith, shellProject, until } from '../project.js'
import { openTerminal } from '../terminal.js'

describe('a local run', () => {
  test('hands every argument to the script byte for byte', async () => {
    const project = await projectWith('for word; do printf "%s\\0" "$word"; done')
    const hostile = [
      'a b',
      "it's",
      '"quoted"',
      '$(touch pwned)',
      '`id`',
      '*',
      'two\nlines',
      'ünïcödé ☃',
      '',
      '-x',
      '\\',
      '$HOME',
    ]
    const { code } = await outcomeOf(project.start(['run', 'it', '--', ...hostile]))
    expect(code).toBe(0)
    const folder = join(project.path, 'results/it/run_1')
    const words = readFileSync(join(folder, 'stdout.txt'), 'utf8').split('\0').slice(0, -1)
    expect(words).toEqual([...hostile, '--storage_path', folder])
    expect(existsSync(join(project.path, 'pwned'))).toBe(false)
  })
  test('of several groups shows on a terminal how many have ended, and how far the running ones are', async () => {
    const project = await shellProject()
    const half = 'printf "count_total=4\\n2\\n" >"$QANAT_STORAGE_PATH/progress.txt"'
    const codes = ['exit 1', 'true', `${half}; ${awaits('end')}`, 'true']
    const terminal = openTerminal(project, 'run', 'it', ...groups(...codes))
    await until(() => terminal.shown().includes('2/4 (62%) · 1 failed'))
    open(project, 'end')
    expect(await terminal.ended).toBe(1)
  })
})
