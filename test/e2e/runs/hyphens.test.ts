import { describe, expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { shellProject } from '../project.js'

describe('hyphens', () => {
  test('replace underscores in the names of options, and are kept in values', async () => {
    const folder = await shellProject()
    await folder.qanat('run', 'it', 'true', '--learning-rate', '0.1', '--lr', '-1')
    const found = async (...words: string[]) => (await folder.json('runs', '--json', ...words)).runs.length
    for (const value of ['--learning-rate:0.1', '--lr:-1', '-1']) {
      expect([value, await found('--param', value)]).toEqual([value, 1])
      expect([value, await found(`--param=${value}`)]).toEqual([value, 1])
    }
    expect(await found('--param', '--learning_rate:0.1')).toBe(0)
    for (const option of ['-m', '--message', '--message=']) {
      const words = option.endsWith('=') ? [`${option}--foo-bar a-b`] : [option, '--foo-bar a-b']
      expect(await folder.qanat('run_comment', 'it', '1', ...words)).toMatchObject({ code: 0 })
    }
    expect(folder.read('results/it/run_1/comment.md')).toBe('--foo-bar a-b\n\n--foo-bar a-b\n\n--foo-bar a-b\n')
    for (const name of ['--scheduler-log', '--scheduler_log']) {
      expect((await folder.qanat('run_logs', 'it', '1', name)).code).toBe(0)
    }
    expect((await folder.qanat('run_retry', 'it', '1', '--submit-template', '--dry-run')).stderr).toContain('no group')
  })

  test('reach the scripts of a document in their arguments', async () => {
    const folder = await shellProject()
    folder.write('paper/compile.sh', 'printf "%s|" "$@" >out.txt\n')
    folder.write(
      'paper.yaml',
      'name: paper\npath: paper\ncompile_script: compile.sh\ncompile_script_command: sh\nexperiment_dependencies: []\n',
    )
    folder.commit()
    expect((await folder.qanat('document', 'new', '-f', 'paper.yaml')).stderr).toBe('')
    for (const words of [['--options', '--no-figures --page-size a4'], ['--options=--no-figures --page-size a4']]) {
      expect((await folder.qanat('document', 'compile', 'paper', ...words)).stderr).toBe('')
      expect(folder.read('paper/out.txt')).toBe('--no-figures|--page-size|a4|')
    }
  })

  test('stay in the words that an error repeats', async () => {
    const folder = await shellProject()
    expectError(await folder.qanat('runs', '--no-such-thing'), 2, '--no-such-thing')
    expectError(await folder.qanat('run_show', 'it', '--', '--a-b'), 2, "'--a-b'")
  })
})
