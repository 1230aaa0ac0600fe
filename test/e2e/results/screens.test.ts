import { describe, expect, test } from 'vitest'
import { madeOnce } from '../made-once.js'
import { projectWith } from '../project.js'
import { hasTerminal, Screen } from '../screen.js'

/** A run whose best metric is of a group beside one that failed, one with a worse metric, and one without. */
const withRuns = madeOnce(async () => {
  const script =
    '[ "$1" = no ] && exit 3; [ "$1" = none ] || echo "{\\"acc\\": $1}" >"$QANAT_STORAGE_PATH/metrics.json"\n'
  const folder = await projectWith(script, 'sh', { PAGER: 'cat', NO_COLOR: '1' })
  folder.write('it.yaml', `${folder.read('it.yaml')}best: {acc: max}\n`)
  folder.commit()
  await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
  await folder.qanat('run', 'it', '-g', '0.97214', '-g', 'no', '-g', 'no')
  await folder.qanat('run', 'it', '-g', '0.25', '-g', 'no')
  await folder.qanat('run', 'it', 'none')
  await folder.qanat('compare', 'it')
  return folder
})

describe.skipIf(!hasTerminal)('on a terminal', () => {
  test('groups --live shows the groups until Ctrl-C', async () => {
    const screen = new Screen(await withRuns(), 'qanat groups 1 --status failed --live')
    await screen.shows('1.1', '1.2', '2 of 3 groups')
    screen.press('C-c')
    expect(await screen.exitCode()).toBe(0)
  })

  test('run_explore shows the best metric, is sorted and filtered by it, and finds its text', async () => {
    const screen = new Screen(await withRuns(), "qanat run_explore it --sort acc --where 'acc > 0'")
    await screen.shows('acc 0.25', 'acc 0.9721', 'Best: acc 0.25 (group 0)', 'q: leave')
    screen.press('/')
    screen.press('C-u')
    screen.type("'acc 0.97'\r")
    await screen.shows('1 of 3', 'Best: acc 0.9721 (group 0)')
    screen.press('Enter')
    await screen.shows('Run 1 of experiment it', 'Best: acc 0.9721 (group 0)', 'q: back')
    screen.type('qq')
    expect(await screen.exitCode()).toBe(0)
  })
})
