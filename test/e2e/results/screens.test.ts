import { describe, expect, test } from 'vitest'
import { madeOnce } from '../made-once.js'
import { program, projectWith, quote, shellProject } from '../project.js'
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
  test.each([
    ['Ctrl-C', '', null, 0],
    ['Ctrl-C where its input is no terminal', '</dev/null', null, 0],
    ['SIGTERM', '', 'TERM', 143],
  ])('groups --live shows the groups until %s, and leaves the terminal as it was', async (_, input, signal, code) => {
    const folder = await withRuns()
    const live = [process.execPath, program, 'groups', '1', '--status', 'failed', '--live'].map(quote).join(' ')
    const screen = new Screen(folder, `echo before; sh -c 'echo $$ >.qanat/pid; exec "$0" "$@"' ${live} ${input}`)
    await screen.shows('1.1', '1.2', '2 of 3 groups')
    if (signal === null) screen.press('C-c')
    else await folder.shell(`kill -${signal} $(cat .qanat/pid)`)
    expect(await screen.exitCode()).toBe(code)
    screen.type('what is typed can be seen')
    await screen.shows('before', 'what is typed can be seen')
    expect(screen.text()).not.toContain('2 of 3')
  })

  test.each([
    ['a question', 'run_delete 1', 'TERM', 143, ['Delete run 1']],
    ['a question', 'run_delete 1', 'HUP', 129, ['Delete run 1']],
    ['a bar', "run -R '--n 0 9 1' it 'sleep 60'", 'TERM', 143, ['━']],
  ])('%s that is killed (qanat %s, SIG%s) leaves the terminal as it was', async (_, line, signal, code, texts) => {
    const folder = await shellProject()
    await folder.qanat('run', 'it', 'true')
    const called = `sh -c 'echo $$ >.qanat/pid; exec "$0" "$@"' ${quote(process.execPath)} ${quote(program)} ${line}`
    const screen = new Screen(folder, called)
    await screen.shows(...texts)
    await folder.shell(`kill -${signal} $(cat .qanat/pid)`)
    expect(await screen.exitCode()).toBe(code)
    screen.type('what is typed can be seen')
    await screen.shows('what is typed can be seen')
    expect(screen.hasCursor()).toBe(true)
    await folder.qanat('run_cancel', 'latest')
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
