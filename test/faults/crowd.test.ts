import { expect, test } from 'vitest'
import { cases } from '../cases.js'
import { type Folder, until } from '../e2e/project.js'
import { hasTerminal, Screen } from '../e2e/screen.js'
import { executions, projectIn } from './killed/crash.js'

const programs = 8
const launches = cases(50)

/** Of a run as `experiment status` lists it. */
interface Run {
  readonly id: number
  readonly status: string
  readonly halted: string | null
}

/** What a run that does not end has left, so that a failure tells where it stands. */
function tracesOf(folder: Folder, id: number) {
  const place = `results/it/run_${id}/.run`
  const read = (path: string) => (folder.has(`${place}/${path}`) ? folder.read(`${place}/${path}`) : null)
  return { slot: read('pool/slot_0'), journal: read('records/slot_0'), log: read('pool.log') }
}

test.skipIf(!hasTerminal)('many programs launch runs at once, under the eyes of a ninth', async () => {
  const folder = await projectIn('works')
  const screen = new Screen(folder, 'qanat experiment status it --live 2>.qanat/live_errors')
  const loop = `i=0; while [ $i -lt ${launches} ]; do i=$((i + 1)); qanat run --detach it --seed $i || exit; done`
  const outcomes = await Promise.all(Array.from({ length: programs }, () => folder.shell(loop)))
  expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual(Array(programs).fill([0, '']))
  const list = async () => (await folder.json('experiment', 'status', 'it', '--json')).runs
  await until(
    async () => {
      const live = (await list()).filter(({ status }: Run) => status !== 'finished')
      return live.map(({ id, status, halted }: Run) => ({ id, status, halted, ...tracesOf(folder, id) }))
    },
    live => live.length === 0,
  )
  const runs: Run[] = await list()
  expect(new Set(runs.map(({ id }) => id)).size).toBe(programs * launches)
  const times = executions(folder)
  expect([times.size, Math.max(...times.values())]).toEqual([programs * launches, 1])
  await screen.shows(`Runs: ${programs * launches}`)
  screen.press('C-c')
  await screen.exitCode()
  expect(folder.read('.qanat/live_errors')).toBe('')
})
