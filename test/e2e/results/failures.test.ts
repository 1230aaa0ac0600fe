import { expect, test } from 'vitest'
import { groups, shellProject } from '../project.js'

test('failures puts groups together that failed alike, and says what to type next', async () => {
  const project = await shellProject()
  const fail = (seed: number) => `echo start >&2; echo "loss is nan at step ${seed * 7}" >&2; exit 3`
  await project.qanat('run', 'it', ...groups('true', fail(1), 'kill -KILL $$', fail(2), 'exit 1', fail(3), fail(4)))
  const { stdout, code } = await project.qanat('failures', 'it')
  expect(code).toBe(0)
  expect(stdout).toBe(`\
Run 1 of it: 6 of 7 groups failed
  4 × exit 3   loss is nan at step 7  1.1 1.3 1.5 …  qanat why 1.1
  1 × SIGKILL  (nothing on stderr)    1.2            qanat why 1.2
  1 × exit 1   (nothing on stderr)    1.4            qanat why 1.4
`)
  await project.qanat('run', 'it', 'true')
  expect((await project.qanat('failures', 'it', '2')).stdout).toBe('Run 2 of it: none of 1 group failed\n')
  expect((await project.qanat('failures', 'it')).stdout).toMatch(/^Runs 1, 2 of it: 6 of 8 groups failed\n/)
  const json = await project.json('failures', 'it', '1', '--json')
  expect(json).toMatchObject({ runs: [1], failed: 6, total: 7 })
  expect(json.kinds[0]).toEqual({
    ...{ cause: 'exit', line: 'loss is nan at step 7', count: 4, groups: ['1.1', '1.3', '1.5', '1.6'] },
    next: 'qanat why 1.1',
  })
})

test('failures has at most 30 lines, whatever the last lines of the groups are', async () => {
  const project = await shellProject()
  const words = Array.from({ length: 35 }, (_, at) => `printf '%${at + 1}s\\033[31m' | tr ' ' x >&2; exit 1`)
  await project.qanat('run', 'it', ...groups(...words))
  const { stdout } = await project.qanat('failures', 'it')
  expect(stdout.trimEnd().split('\n')).toHaveLength(30)
  expect(stdout).toContain('and 7 more kinds: --json lists them')
  expect(stdout).not.toContain('\x1b')
})

test('progress bars on stderr neither part failures of a kind nor fill the screen', async () => {
  const project = await shellProject()
  const bar = (done: number) => `\\r${10 * done}%%|${'█'.repeat(30 * done)}${' '.repeat(300 - 30 * done)}| ${done}/10`
  const die = (most: number) => {
    const bars = Array.from({ length: most }, (_, at) => `${bar(at)} [00:0${at}<${at === 0 ? '?' : '00:09'}, 1.00it/s]`)
    return `printf '${bars.join('')}' >&2; kill -KILL $$`
  }
  const { stderr } = await project.qanat('run', 'it', ...groups(die(1), die(3), die(9)))
  expect(stderr).not.toContain('\\x0d')
  const { stdout } = await project.qanat('failures', 'it')
  expect(stdout.split('\n')[1]).toMatch(/^ {2}3 × SIGKILL {2}0%\| +… {2}1\.0 1\.1 1\.2 {2}qanat why 1\.0$/)
  const { kinds } = await project.json('failures', 'it', '--json')
  expect(kinds.map(({ line }: { line: string }) => line)).toEqual([`0%|${' '.repeat(300)}| 0/10 [00:00<?, 1.00it/s]`])
  const why = await project.qanat('why', '1.2')
  expect(why.stdout).toContain('  80%|█')
  expect(why.stdout).not.toContain('70%')
  expect(why.stdout.length).toBeLessThan(1000)
})

test('failures of an experiment without runs is an error', async () => {
  const project = await shellProject()
  const { code, stderr } = await project.qanat('failures', 'it')
  expect([code, stderr]).toEqual([2, 'Error: it has no runs yet\n  qanat run it …\n'])
})
