import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { visitor } from '../../browser/serving.js'
import { lacks, skips } from '../../skips.js'
import { type Folder, groups, program, shellProject, until } from '../project.js'

const cannotTrace = () => (spawnSync('strace', ['true']).status === 0 ? null : 'strace may not trace processes here')
const count = 20
const rows = 2_000

/** A project with groups that have written many steps, and run until the project is removed. */
async function growing(): Promise<Folder> {
  const folder = await shellProject()
  const write = `cd "$QANAT_STORAGE_PATH"; seq -f '%g,0.5' 0 ${rows - 1} | sed '1i step,loss' >metrics.csv; echo ${rows},0.75 >>metrics.csv`
  const run = `${write}; while [ -d "$QANAT_PROJECT/.git" ]; do sleep 1; done`
  await folder.qanat(
    ...['run', '--detach', '--n_threads', String(count), 'it'],
    ...groups(...Array.from({ length: count }, (_, at) => `: ${at}; ${run}`)),
  )
  await until(
    () => folder.json('groups', '1', '--json'),
    ({ groups: all }) => all.every((group: any) => group.so_far?.loss === 0.75),
  )
  return folder
}

/** The pages of a project, whose processes are traced, and how many bytes they have read of metrics until now. */
async function traced(folder: Folder) {
  const traces = join(folder.path, '.git/traces')
  mkdirSync(traces)
  const words = ['-ff', '-qq', '-y', '-e', 'trace=read,pread64,readv', '-o', `${traces}/of`]
  const child = spawn('strace', [...words, process.execPath, program, 'view'], {
    ...{ cwd: folder.path, env: folder.environment, stdio: ['ignore', 'pipe', 'inherit'] },
    detached: true,
  })
  onTestFinished(() => void process.kill(-child.pid!, 'SIGTERM'))
  let printed = ''
  child.stdout!.setEncoding('utf8').on('data', text => (printed += text))
  const address = await until(() => /^http:\S+/.exec(printed)?.[0])
  const view = { child, address: String(address), port: Number(new URL(String(address)).port), printed: () => printed }
  const bytes = () =>
    readdirSync(traces)
      .flatMap(name => readFileSync(join(traces, name), 'utf8').split('\n'))
      .filter(line => line.includes('/metrics.csv>'))
      .reduce((sum, line) => sum + Math.max(0, Number(/= (-?\d+)/.exec(line)?.[1] ?? 0)), 0)
  return { ask: await visitor(view), bytes }
}

describe.skipIf(skips('what view reads of growing files', lacks('strace') ?? cannotTrace()))(
  'a refresh of view',
  () => {
    test.each([
      [
        'the groups of a run',
        '/api/runs/1?limit=500',
        (answer: any) =>
          answer.list.table.rows.filter((row: any) => row.cells.some((cell: string) => / …$/.test(cell))).length,
      ],
      [
        'curves',
        '/api/experiments/it/plot?kind=series&y=loss&runs=1',
        (answer: any) => Number(/of which (\d+)/.exec(answer.drawn?.headline ?? '')?.[1]),
      ],
    ])('with %s reads of files that grow only what was appended', async (_, path, seen) => {
      const folder = await growing()
      const { ask, bytes } = await traced(folder)
      const look = async () => {
        const before = bytes()
        const answer = (await ask(path)).json()
        return { answer, read: bytes() - before }
      }
      expect(seen((await look()).answer)).toBe(count)
      // All were read, and nothing of them twice.
      const whole = bytes()
      expect((await look()).read).toBe(0)
      const rest = '5000,0.25\n5001,0.125\n'
      for (let group = 0; group < count; group++)
        appendFileSync(join(folder.path, `results/it/run_1/group_${group}/metrics.csv`), rest)
      const { read } = await look()
      // What was appended, and 64 bytes before it.
      expect(read).toBe(count * (rest.length + 64))
      expect(whole).toBeGreaterThan(100 * read)
      expect((await look()).read).toBe(0)
    })
  },
)
