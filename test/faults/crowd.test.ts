import { expect, test } from 'vitest'
import { cases } from '../cases.js'
import { until } from '../e2e/project.js'
import { hasTerminal, Screen } from '../e2e/screen.js'
import { executions, projectIn } from './killed/crash.js'

const programs = 8
const launches = cases(50)

test.skipIf(!hasTerminal)('many programs launch runs at once, under the eyes of a ninth', async () => {
  const folder = await projectIn('works')
  const screen = new Screen(folder, 'qanat experiment status it --live 2>.qanat/live_errors')
  const loop = `i=0; while [ $i -lt ${launches} ]; do i=$((i + 1)); qanat run --detach it --seed $i || exit; done`
  const outcomes = await Promise.all(Array.from({ length: programs }, () => folder.shell(loop)))
  expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual(Array(programs).fill([0, '']))
  const runs = await until(
    async () => (await folder.json('experiment', 'status', 'it', '--json')).runs,
    list => list.every(({ status }: { status: string }) => status === 'finished'),
  )
  expect(new Set(runs.map(({ id }: { id: number }) => id)).size).toBe(programs * launches)
  const times = executions(folder)
  expect([times.size, Math.max(...times.values())]).toEqual([programs * launches, 1])
  await screen.shows(`Runs: ${programs * launches}`)
  screen.press('C-c')
  await screen.exitCode()
  expect(folder.read('.qanat/live_errors')).toBe('')
})
