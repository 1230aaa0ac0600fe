import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lives, processCalled } from '../processes.js'
import { program, quote, until } from '../project.js'
import { hasTerminal, Screen } from '../screen.js'
import { explore, leave, shown, withRuns } from './exploring.js'

/** Shell code that runs a command without the help of a shell, so that signals reach it; its id is in `.qanat/pid`. */
const directly = [process.execPath, program, 'run_explore', 'acting', '1'].map(quote).join(' ')
const withId = `sh -c 'echo $$ > .qanat/pid; exec "$0" "$@"' ${directly}`

describe.skipIf(!hasTerminal)('the terminal of run_explore', () => {
  test('shows the beginning of an output that is larger than any string can be', async () => {
    const folder = await withRuns()
    folder.environment.PAGER = 'head -n 2'
    // The file has one line, then nothing for a gigabyte.
    truncateSync(join(folder.path, 'results/acting/run_1/group_0/stdout.txt'), 1_000_000_000)
    const screen = await explore(folder, 'acting 1')
    await screen.press('a', '==> group 0 <==\none', shown)
    screen.type('\rq')
    expect(await screen.exitCode()).toBe(0)
  })

  test('goes on if the pager does not exist', async () => {
    const folder = await withRuns()
    folder.environment.PAGER = 'no-such-pager'
    const screen = await explore(folder, 'acting 1')
    await screen.press('a', 'no-such-pager', shown)
    await screen.press('Enter', '[a] Show output(s)', leave)
  })

  test.each([
    ['less', 'FRX'],
    ['less -F', ''],
  ])('returns at once from the pager %s, with the options %j', async (PAGER, LESS) => {
    const folder = await withRuns()
    Object.assign(folder.environment, { PAGER, LESS })
    const screen = await explore(folder, 'acting 1')
    await screen.press('a', '==> group 0 <==', '(END)')
    await screen.press('q', '[a] Show output(s)', leave)
  })

  test.each([
    ['SIGTERM', 143, false],
    ['SIGTERM', 143, true],
    ['SIGHUP', 129, true],
  ] as const)('is as it was after %s (exit code %i), which ends a pager, too (%s)', async (signal, code, isPaging) => {
    const folder = await withRuns()
    folder.environment.PAGER = 'echo $$ > .qanat/pid_pager; exec less'
    const screen = new Screen(folder, `echo before; ${withId}`)
    await screen.shows('[g] Delete run', leave)
    if (isPaging) await screen.press('a', '==> group 0 <==', '(END)')
    const pager = isPaging ? await processCalled(folder, 'pager') : null
    process.kill(Number(folder.read('.qanat/pid')), signal)
    expect(await screen.exitCode()).toBe(code)
    expect(pager !== null && lives(pager)).toBe(false)
    await screen.type('what is typed can be seen', 'before', 'what is typed can be seen')
    expect(screen.text()).not.toMatch(/Delete run|group 0|Enter: back/)
  })

  test('is as it was after SIGHUP, which ends an action, too, and records what that has made', async () => {
    const folder = await withRuns()
    folder.write('say.sh', 'echo half > "$2/half.svg"; : > begun; while [ -e begun ]; do sleep 0.02; done\n')
    const screen = new Screen(folder, withId)
    await screen.shows(leave)
    screen.type('h\r\r')
    await until(() => folder.has('begun'))
    process.kill(Number(folder.read('.qanat/pid')), 'SIGHUP')
    expect(await screen.exitCode()).toBe(129)
    await screen.type('what is typed can be seen', 'what is typed can be seen')
    const { actions } = await folder.json('action', '--list', '1', '--json')
    const made = expect.arrayContaining([expect.objectContaining({ path: 'results/acting/run_1/half.svg' })])
    expect(actions).toMatchObject([{ status: 'interrupted', made }])
  })

  test('is suspended by Ctrl-Z, and drawn again by fg', async () => {
    const screen = new Screen(await withRuns(), "PS1='shell> ' bash --norc -i")
    await screen.shows('shell>')
    await screen.type(`${directly}\r`, '[g] Delete run', leave)
    await screen.press('C-z', 'Stopped', 'shell>')
    await screen.type('echo typed\r', 'echo typed\ntyped')
    await screen.type('fg\r', '[g] Delete run', leave)
    await screen.press('q', 'typed', 'shell>')
  })

  test('leaves the terminal as it was, and says why, when the database is damaged meanwhile', async () => {
    const folder = await withRuns()
    const screen = await explore(folder, 'acting')
    // It is overwritten in place: a look between would find an empty database, which has another message.
    writeFileSync(join(folder.path, '.qanat/database.db'), 'x'.repeat(50_000), { flag: 'r+' })
    screen.press('Enter')
    expect(await screen.exitCode()).toBe(1)
    expect(screen.text()).toContain('is damaged')
    await screen.type('what is typed can be seen', 'what is typed can be seen')
  })
})
