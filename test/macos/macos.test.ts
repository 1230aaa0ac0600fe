import { describe, expect, test } from 'vitest'
import { kill, lives, parentOf, processCalled, tells } from '../e2e/processes.js'
import { awaits, groups, open, until } from '../e2e/project.js'
import { Mac, noMac, processWithId } from './mac.js'

/** A project whose experiment `it` runs its first argument as shell code, made on the simulated Mac. */
async function projectOnMac(): Promise<Mac> {
  const mac = new Mac()
  mac.git('init', '--quiet')
  mac.write('it.sh', 'eval "$1"\n')
  mac.write('it.yaml', 'name: it\nexecutable: it.sh\nexecutable_command: sh\n')
  mac.commit()
  expect(await mac.qanat('init', mac.linked, '--yes')).toMatchObject({ code: 0, stderr: '' })
  expect(await mac.qanat('experiment', 'new', '-f', 'it.yaml')).toMatchObject({ code: 0, stderr: '' })
  return mac
}

const toldOf = async (mac: Mac) =>
  (await mac.show()).group_list.map(({ status, cause }: any) => [status, cause].filter(Boolean).join(' '))

const running = ['running', 'running', 'pending', 'pending']
const lost = ['lost vanished', 'lost vanished', 'pending', 'pending']

/** Two groups that live on two slots, and two that wait. */
async function launchFour(mac: Mac) {
  const lasting = ['a', 'b'].map(name => `${tells(name)}; ${awaits('end')}; echo done`)
  const words = ['it', '--n_threads', '2', ...groups(...lasting, 'echo ran', 'echo ran')]
  expect(await mac.qanat('run', '--detach', ...words)).toMatchObject({ code: 0, stderr: '' })
  const scripts = await Promise.all(['a', 'b'].map(name => processCalled(mac, name)))
  const workers = scripts.map(parentOf)
  return { scripts, workers, keeper: parentOf(workers[0]!) }
}

async function end(...pids: number[]): Promise<void> {
  kill(...pids)
  await until(() => !pids.some(lives))
}

/** Takes it to another network, language and time zone, which all come with a journey. */
function travel(mac: Mac): void {
  mac.name = 'ada.fritz.box'
  Object.assign(mac.environment, { LANG: 'C', TZ: 'America/New_York' })
}

describe.skipIf(noMac)('on a simulated Mac', () => {
  test('there is what a Mac has, and no more', async () => {
    const mac = await projectOnMac()
    const missing = 'for p in setsid timeout nproc flock tac; do command -v $p; done; [ -e /proc/1 ]; echo "$?"'
    const gnu = 'cp --no-clobber a b; ps --pid 1; head -n -1 it.sh; sed --quiet p it.sh'
    expect((await mac.qanat('run', 'it', `${missing}; date +%N; echo "$BASH_VERSION"; ${gnu}; :`)).code).toBe(0)
    expect(mac.read('results/it/run_1/stdout.txt')).toBe('1\nN\n3.2.57(1)-release\n')
    const refusals = /^cp: illegal option.*\n.*\/ps: illegal option.*\nusage: .*\nhead: illegal.*\nsed: illegal.*\n$/
    expect(mac.read('results/it/run_1/stderr.txt')).toMatch(refusals)
  })

  test('a grid runs on several slots, and every command tells of it', async () => {
    const mac = await projectOnMac()
    const code = 'echo "$3"; [ "$3" != 2 ] || exit 3; [ "$3" != 3 ] || kill -9 $$; sleep 1000 &'
    const before = Math.floor(Date.now() / 1000) * 1000
    expect((await mac.qanat('run', '--n_threads', '3', 'it', code, '-R', '--n 0 5 1')).code).toBe(1)
    const run = await mac.show()
    expect(await toldOf(mac)).toEqual(['finished', 'finished', 'failed exit', 'failed signal', 'finished'])
    for (const { started, finished } of run.group_list) {
      expect(Date.parse(started)).toBeGreaterThanOrEqual(before)
      expect(Date.parse(finished)).toBeGreaterThanOrEqual(Date.parse(started))
    }
    expect(mac.read('results/it/run_1/group_4/stdout.txt')).toBe('4\n')
    const hostile = ' a\\tb*\n$(id)\x01\x7fé'
    expect((await mac.qanat('run', 'it', 'printf %s "$2"', hostile)).code).toBe(0)
    expect(mac.read('results/it/run_2/stdout.txt')).toBe(hostile)
    mac.write('.qanat/it.yaml', `${mac.read('it.yaml')}actions: [{a: {executable: it.sh, executable_command: sh}}]\n`)
    for (const line of [
      ...['experiment update it -f .qanat/it.yaml', 'doctor', 'status --sizes', 'why it 1.3', 'run_logs 1.4'],
      ...['run_tag it 1 +good', 'run_delete it 2 --yes', 'trash restore 2', 'rerun it 2', 'action it a 2 true'],
      ...['cache clean', 'doctor --repair', 'doctor'],
    ]) {
      expect({ line, ...(await mac.qanat(...line.split(' '))) }).toMatchObject({ line, code: 0, stderr: '' })
    }
  })

  test('a run is seen living, and ends, whatever became of the name of the machine, its clock and its language', async () => {
    const mac = await projectOnMac()
    await launchFour(mac)
    expect(await toldOf(mac)).toEqual(running)
    travel(mac)
    expect(await toldOf(mac)).toEqual(running)
    expect((await mac.qanat('run_retry', 'it', '1')).code).toBe(2)
    open(mac, 'end')
    expect((await mac.qanat('run_wait', 'it', '1')).code).toBe(0)
    expect(await toldOf(mac)).toEqual(Array(4).fill('finished'))
  })

  test('a run is cancelled with all of its processes and torn down, then retried', async () => {
    const mac = await projectOnMac()
    const note = (text: string) => `echo "${text}" >>"$QANAT_PROJECT/.qanat/notes"`
    const template = `
    setup: '${note('up $QANAT_SCRATCH')}; touch "$QANAT_SCRATCH/file"'
    teardown: '${note('down $(ls "$QANAT_SCRATCH")')}'
    scratch: true
    background: ['${tells('task')}; while :; do sleep 1; done']\n`
    mac.write('.qanat/config.yaml', `local:\n  default:${template}`)
    const code = `sleep 600 & ${tells('child', '$!')}; ${awaits('end')}`
    expect((await mac.qanat('run', '--detach', 'it', ...groups(code, 'true'))).code).toBe(0)
    const processes = await Promise.all([processCalled(mac, 'child'), processCalled(mac, 'task')])
    travel(mac)
    expect(await mac.qanat('run_cancel', 'it', '1')).toMatchObject({ code: 0, stderr: '' })
    expect(await toldOf(mac)).toEqual(['cancelled', 'cancelled'])
    expect(processes.filter(lives)).toEqual([])
    const [up = '', ...others] = mac.read('.qanat/notes').trim().split('\n')
    expect(up).toContain(mac.environment.TMPDIR)
    expect(mac.has(up.slice('up '.length))).toBe(false)
    expect(others).toEqual(['down file'])
    open(mac, 'end')
    expect((await mac.qanat('run_retry', 'it', '1')).code).toBe(0)
    expect(await toldOf(mac)).toEqual(['finished', 'finished'])
  })

  test('after kill -9 of all but the groups, cancelling ends these', async () => {
    const mac = await projectOnMac()
    const { scripts, workers, keeper } = await launchFour(mac)
    await end(keeper, ...workers)
    expect((await toldOf(mac)).slice(0, 2)).toEqual(['running', 'running'])
    expect((await mac.qanat('run_cancel', 'it', '1')).code).toBe(0)
    expect(scripts.filter(lives)).toEqual([])
    expect(await mac.show()).toMatchObject({ groups: { cancelled: 4 } })
  })

  test('processes that have got the ids of a run that is gone are not taken for it', async () => {
    const mac = await projectOnMac()
    const { scripts, workers, keeper } = await launchFour(mac)
    const ids = [keeper, workers[0]!, scripts[0]!]
    await end(keeper, ...workers, ...scripts)
    // The time of a group's start is taken to be known to five seconds, and both clocks are rounded.
    const later = Date.now() + 8_000
    await until(() => Date.now() > later)
    for (const id of ids) await processWithId(id)
    expect(await toldOf(mac)).toEqual(lost)
    expect((await mac.qanat('run_cancel', 'it', '1')).code).toBe(0)
    expect(ids.filter(lives)).toEqual(ids)
  })

  test('after a boot nothing of a run lives, under whatever name the machine has come back', async () => {
    const mac = await projectOnMac()
    const { scripts, workers, keeper } = await launchFour(mac)
    await end(keeper, ...workers, ...scripts)
    await processWithId(keeper)
    mac.boot()
    travel(mac)
    expect(await toldOf(mac)).toEqual(lost)
    expect(lives(keeper)).toBe(true)
  })

  test('from another Mac a run is as it was last seen', async () => {
    const mac = await projectOnMac()
    await launchFour(mac)
    expect(await toldOf(mac)).toEqual(running)
    mac.move()
    travel(mac)
    expect(await toldOf(mac)).toEqual(running)
    const stderr = expect.stringContaining('ada.local')
    expect(await mac.qanat('run_cancel', 'it', '1')).toMatchObject({ code: 1, stderr })
  })

  test('a run is not taken for ended where ps cannot be run', async () => {
    const mac = await projectOnMac()
    const { scripts } = await launchFour(mac)
    expect(await toldOf(mac)).toEqual(running)
    const mend = mac.breakPs()
    expect(await toldOf(mac)).toEqual(running)
    const cancel = await mac.qanat('run_cancel', 'it', '1')
    expect(cancel).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the system does not tell whether process'),
    })
    expect(scripts.filter(lives)).toEqual(scripts)
    mend()
    expect((await mac.qanat('run_cancel', 'it', '1')).code).toBe(0)
    expect(await toldOf(mac)).toEqual(Array(4).fill('cancelled'))
  })
})
