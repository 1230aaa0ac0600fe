import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { lacks, skips } from '../../skips.js'
import { type Folder, groups, program, quote, shellProject } from '../project.js'

const files = ['metrics.json', 'metrics.csv', 'stdout.txt']

/** The files of metrics that a command opens, in any of its processes. */
async function opened(folder: Folder, words: string): Promise<string[]> {
  const calls = 'open,openat,openat2'
  const line = `strace -f -qq -e trace=${calls} -o trace ${quote(process.execPath)} ${quote(program)} ${words}`
  const { code, stderr } = await folder.shell(line)
  expect([words, code, stderr]).toEqual([words, 0, ''])
  const lines = folder
    .read('trace')
    .split('\n')
    .filter(text => files.some(file => text.includes(`/${file}"`)))
  return lines.map(text => /\/(run_\d+\/[^"]*)"/.exec(text)![1]!).sort()
}

const cannotTrace = () => (spawnSync('strace', ['true']).status === 0 ? null : 'strace may not trace processes here')

describe.skipIf(skips('which files are read', lacks('strace') ?? cannotTrace()))(
  'metrics that have been taken in',
  () => {
    test('are read from no file again', async () => {
      const folder = await shellProject()
      const leave = `cd "$QANAT_STORAGE_PATH"; echo '{"acc": 1}' >metrics.json; printf 'step,loss\\n1,2\\n2,1\\n' >metrics.csv`
      await folder.qanat('run', 'it', ...groups(leave, `${leave}; :`, 'exit 3'))
      await folder.qanat('run', 'it', ...groups(leave, `${leave}; :`, 'exit 3'))
      const first = [
        'run_1/group_0/metrics.csv',
        'run_1/group_0/metrics.json',
        'run_1/group_1/metrics.csv',
        'run_1/group_1/metrics.json',
      ]
      expect(await opened(folder, 'compare it 1')).toEqual(first)
      expect(await opened(folder, 'sql "select count(*) from it"')).toEqual(
        first.map(path => path.replace('run_1', 'run_2')),
      )
      for (const words of [
        'compare it',
        'compare it 1.0 2.1',
        ...['csv', 'jsonl', 'parquet', 'sqlite'].map(end => `collect it -o t.${end}`),
        'sql',
        'sql "select * from metrics, it, groups, runs"',
        'failures it',
        'status',
        'runs',
        'run_show it 1',
        'experiment status it',
      ]) {
        expect([words, await opened(folder, words)]).toEqual([words, []])
      }
    })
  },
)
