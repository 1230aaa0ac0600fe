import { beforeAll, describe, expect, test } from 'vitest'
import { groups, until } from '../e2e/project.js'
import { asRoot, startBox } from './box.js'
import { type ShownRun, saysAndAwaits } from './lifecycle-project.js'
import { type ClusterProject, noBox, shellProject } from './project.js'

/** Shell code of a group that says that it has run. */
const notes = (name: string) => `echo ${name} >>"$QANAT_PROJECT/ran"`
const ends = ({ group_list }: ShownRun) => group_list.map(({ status, cause }) => (cause === null ? status : cause))
const jobsOf = ({ group_list }: ShownRun) => group_list.map(({ job_id }) => job_id)
/** Takes a node down, or brings it back, which it may also do by itself. */
const n1 = (state: 'down' | 'idle') =>
  state === 'down'
    ? asRoot('scontrol update nodename=n1 state=down reason=test')
    : asRoot(
        `until_succeeds 'scontrol update nodename=n1 state=idle; scontrol show node n1 | grep -qE "State=(IDLE|MIXED|ALLOCATED)"'`,
      )

/** A job of four groups in one slot, of which the first has ended and the second waits. */
async function begun(runner: string, keys = ''): Promise<ClusterProject> {
  const it = await shellProject(runner, `  packed: {pack: 4${keys}}\n`)
  const codes = groups(notes('first'), saysAndAwaits('end'), notes('third'), notes('fourth'))
  await it.launch(runner, '--submit_template', 'packed', 'it', ...codes)
  await it.begun()
  await it.when(1, run => ends(run).join() === 'finished,running,pending,pending')
  return it
}

/** The run once a later job has run what the first one had not reached. */
async function whenLater(it: ClusterProject, cause: string): Promise<void> {
  const run = await it.when(1, ({ groups: { pending, running } }) => pending === 0 && running === 0)
  expect(ends(run)).toEqual(['finished', cause, 'finished', 'finished'])
  const [first, second, third, fourth] = jobsOf(run)
  expect([second, fourth]).toEqual([first, third])
  expect(third).not.toBe(first)
  expect(it.read('ran')).toBe('first\nthird\nfourth\n')
}

describe.skipIf(noBox).each([
  ['with', true],
  ['without', false],
])('a job of many groups on Slurm %s accounting', (_, accounting) => {
  beforeAll(() => startBox({ accounting }))

  test('is out of time: only what ran then has failed, and a later job runs what was not reached', async () => {
    const it = await begun('slurm')
    await asRoot('for job in $(squeue -h -o %A); do scontrol update jobid=$job timelimit=1; done')
    await whenLater(it, 'timeout')
    const why = (await it.qanat('why', '1.2')).stdout
    expect(why).toMatch(/its job +has 4 groups from 0 to 3, in slot 0$/m)
  })

  test('has too little memory', async () => {
    const it = await shellProject('slurm', '  small: {resources: {memory: 100M}, pack: 4}\n')
    const fills = 'python3 -c "import time; text = b\'x\' * (200 << 20); time.sleep(1000)"'
    const codes = groups(notes('first'), fills, notes('third'), notes('fourth'))
    await it.launch('slurm', '--submit_template', 'small', 'it', ...codes)
    await whenLater(it, 'oom')
  })

  test('is followed by a later job once no other runs, if the number of groups at a time is limited', async () => {
    const it = await shellProject('slurm', '  packed: {pack: 2}\n')
    const stops = 'touch "$QANAT_PROJECT/results/it/run_1/.run/pool/0/0.0/stop"'
    const codes = groups(stops, notes('second'), saysAndAwaits('end'), notes('fourth'))
    await it.launch('slurm', '--submit_template', 'packed', '--n_threads', '1', 'it', ...codes)
    await it.begun()
    await it.when(1, run => ends(run).join() === 'finished,pending,running,pending')
    it.open('end')
    const run = await it.whenStatus(1, 'finished')
    expect(it.read('ran')).toBe('fourth\nsecond\n')
    expect(new Set(jobsOf(run)).size).toBe(3)
  })

  test('loses its node', async () => {
    const it = await begun('slurm', ', --no-requeue: true, --nodelist: n1')
    await n1('down')
    await it.when(1, run => ends(run)[1] === 'node_fail')
    await n1('idle')
    await whenLater(it, 'node_fail')
  })

  test('is preempted and requeued: what has ended stays, and the rest runs', async () => {
    const it = await begun('slurm')
    const words = ['--parsable', '--partition=urgent', '--nodes=2', '--exclusive', '--wrap', 'sleep infinity']
    const job = /^\d+/m.exec((await it.command('sbatch', ...words)).stdout)![0]
    await it.when(1, run => ends(run).join() === 'finished,pending,pending,pending')
    await it.command('scancel', job)
    const [running, pending] = ['running', 'pending'].map(state => `squeue -h -t ${state} -o %A`)
    const starts = `for job in $(${pending}); do scontrol update jobid=$job starttime=now+2; done`
    const runs = `${running} | grep -q .`
    await asRoot(`until_succeeds '${runs} || { ${starts}; sleep 4; ${runs} || { squeue; false; }; }'`)
    await it.begun(2)
    it.open('end')
    const run = await it.whenStatus(1, 'finished')
    expect(new Set(jobsOf(run)).size).toBe(1)
    expect(it.read('ran')).toBe('first\nthird\nfourth\n')
  })

  test('waits if it has ended no group, and says so; cancelled, it can be retried', async () => {
    const it = await shellProject('slurm', '  packed: {pack: 4, --no-requeue: true, --nodelist: n1}\n')
    await it.launch('slurm', '--submit_template', 'packed', 'it', ...groups(saysAndAwaits('end'), notes('second')))
    await it.begun()
    await it.whenStatus(1, 'running')
    await n1('down')
    const run = await it.when(1, each => ends(each).join() === 'node_fail,held')
    await n1('idle')
    expect(run.status).toBe('held')
    const why = (await it.qanat('why', '1.1')).stdout
    expect(why).toContain('its job was over before any of its groups had ended (node_fail)')
    expect((await it.qanat('run_cancel', '1')).code).toBe(0)
    expect(ends(await it.show(1))).toEqual(['node_fail', 'cancelled'])
    it.open('end')
    expect((await it.qanat('run_retry', '1', '--wait')).code).toBe(0)
    expect(it.read('ran')).toBe('second\n')
  })
})

describe.skipIf(noBox)('a job of many groups on HTCondor', () => {
  beforeAll(() => startBox())

  test('whose shell is killed from outside leaves what it has not reached to a later one', async () => {
    const it = await begun('htcondor')
    await asRoot('pkill -KILL -o -f "job[.]sh pack"')
    await whenLater(it, 'signal')
  })

  test('is evicted: what has ended stays, and the rest runs', async () => {
    const it = await begun('htcondor')
    const id = jobsOf(await it.show(1))[0]!
    await it.command('condor_vacate_job', id)
    await until(async () => it.read('.qanat/log').split('begun').length > 2)
    it.open('end')
    const run = await it.whenStatus(1, 'finished')
    expect(jobsOf(run)).toEqual(Array(4).fill(id))
    expect(it.read('ran')).toBe('first\nthird\nfourth\n')
  })

  test('is removed from outside: what it has not reached is cancelled, too', async () => {
    const it = await begun('htcondor')
    await it.command('condor_rm', jobsOf(await it.show(1))[0]!)
    const run = await it.when(1, ({ groups: { cancelled } }) => cancelled === 3)
    expect(ends(run)).toEqual(['finished', 'cancelled', 'cancelled', 'cancelled'])
  })
})
