import { describe, expect, test } from 'vitest'
import { shellProject } from '../project.js'

const kept = (group: string) => `results/it/run_1${group}/parameters_files`

describe.each([
  ['', []],
  [', after the setup of a template', ['--submit_template', '.qanat/mine.yaml']],
])('a file of --parameters_file is kept with each group%s', (_, options) => {
  test('as it was when the group started, and the argument is passed on unchanged', async () => {
    const folder = await shellProject()
    folder.write('.qanat/mine.yaml', 'setup: set -eu\n')
    for (const name of ['one.yaml', 'two words.yaml', '-odd.yaml']) folder.write(`grids/${name}`, `${name}\n`)
    folder.write('top.yaml', 'top\n')
    folder.commit()
    const code = 'shift; printf "%s|" "$@"; cat "$2"'
    const given = [
      '--parameters_file top.yaml',
      '--parameters_file=grids/one.yaml',
      "--parameters_file 'grids/two words.yaml'",
    ]
    const words = given.flatMap(each => ['-g', each])
    expect((await folder.qanat('run', ...options, 'it', code, ...words)).code).not.toBe(2)
    expect(folder.list(kept('/group_0'))).toEqual(['top.yaml'])
    expect(folder.list(kept('/group_1'))).toEqual(['one.yaml'])
    expect(folder.read(`${kept('/group_2')}/two words.yaml`)).toBe('two words.yaml\n')
    expect(folder.read('results/it/run_1/group_0/stdout.txt')).toMatch(/^--parameters_file\|top\.yaml\|/)
  })

  test('and one that does not exist, or is not a file, is left for the script to complain about', async () => {
    const folder = await shellProject()
    folder.write('.qanat/mine.yaml', 'setup: set -eu\n')
    folder.write('it.d/x', '')
    folder.commit()
    for (const name of ['missing', 'it.d', '', '--parameters_file']) {
      expect((await folder.qanat('run', ...options, 'it', 'true', '--parameters_file', name)).code).toBe(0)
    }
    expect((await folder.qanat('run', ...options, 'it', 'true', '--parameters_file')).code).toBe(0)
    expect(folder.list('results/it/run_1')).not.toContain('parameters_files')
    expect(folder.read('results/it/run_1/stderr.txt')).toBe('')
  })
})

test('a retry keeps the file of each attempt', async () => {
  const folder = await shellProject()
  folder.write('p.yaml', 'p\n')
  folder.commit()
  await folder.qanat('run', 'it', 'exit 3', '--parameters_file', 'p.yaml')
  await folder.qanat('run_retry', 'it', '1')
  expect(folder.read(`${kept('')}/p.yaml`)).toBe('p\n')
  expect(folder.read('results/it/run_1/.run/attempts/1/parameters_files/p.yaml')).toBe('p\n')
})
