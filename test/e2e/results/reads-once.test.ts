import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { lacks, skips } from '../../skips.js'
import { type Folder, groups, program, quote, shellProject } from '../project.js'

const files = ['metrics.json', 'metrics.csv', 'stdout.txt']

/** The system calls of a command, in any of its processes. */
async function traced(folder: Folder, calls: string, words: string): Promise<string[]> {
  const line = `strace -f -qq -e trace=${calls} -o trace ${quote(process.execPath)} ${quote(program)} ${words}`
  const { code, stderr } = await folder.shell(line)
  expect([words, code, stderr]).toEqual([words, 0, ''])
  return folder.read('trace').split('\n')
}

/** The files of metrics that a command opens. */
async function opened(folder: Folder, words: string): Promise<string[]> {
  const all = await traced(folder, 'open,openat,openat2', words)
  const lines = all.filter(text => files.some(file => text.includes(`/${file}"`)))
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
      const ofRun = (run: number) =>
        [0, 1].flatMap(group => ['csv', 'json'].map(end => `run_${run}/group_${group}/metrics.${end}`))
      expect(await opened(folder, 'compare it 1')).toEqual(ofRun(1))
      expect(await opened(folder, 'sql "select count(*) from it"')).toEqual(ofRun(2))
      for (const words of [
        ...['compare it', 'compare it 1.0 2.1', 'collect it -o t.csv', 'collect it -o t.parquet', 'failures it'],
        ...['sql "select * from metrics, it, groups, runs"', 'runs', 'run_show it 1', 'experiment status it'],
      ]) {
        expect([words, await opened(folder, words)]).toEqual([words, []])
      }
    })

    // On a network file system each lock is a conversation with the server.
    test('are read without a lock on the database for each run', async () => {
      const folder = await shellProject()
      const launch = () => folder.qanat('run', 'it', `echo '{"acc": 1}' >"$QANAT_STORAGE_PATH/metrics.json"`)
      const commands = ['compare it', 'collect it -o t.csv', 'failures it', 'report it -o r.html', 'experiment list']
      const locks = async () => {
        const counts: number[] = []
        for (const words of commands) {
          await folder.qanat(...words.split(' '))
          counts.push((await traced(folder, 'fcntl', words)).filter(text => text.includes('F_RDLCK')).length)
        }
        return counts
      }
      await launch()
      await launch()
      const few = await locks()
      for (let more = 0; more < 6; more++) await launch()
      const added = (await locks()).map((count, at) => count - few[at]!)
      // Two calls are one lock.
      expect(added.filter(count => count >= 2 * 6)).toEqual([])
    })
  },
)
