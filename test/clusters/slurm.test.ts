import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { awaits, groups, until } from '../e2e/project.js'
import { asRoot, isNewest, startBox, stopBox } from './box.js'
import { mostAtATime, saysAndAwaits } from './lifecycle-project.js'
import { clusterProject, noBox, shellProject } from './project.js'

const project = (templates?: string) => shellProject('slurm', templates)
/** Shell code that lists the jobs in a state. */
const jobs = (state: string) => `squeue -h -t ${state} -o %A`
const n1 = (state: string) => asRoot(`scontrol update nodename=n1 state=${state} reason=test`)

describe.skipIf(noBox).each([
  ['with', true],
  ['without', false],
])('Slurm %s accounting tells why', (_, accounting) => {
  beforeAll(() => startBox({ accounting }))

  test('a preempted job is requeued, and its second start appends to the output', async () => {
    const it = await project()
    await it.launch('slurm', 'it', `echo start; ${saysAndAwaits('end')}`)
    await it.begun()
    await it.whenStatus(1, 'running')
    // Two whole nodes of the partition that preempts.
    const words = ['--parsable', '--partition=urgent', '--nodes=2', '--exclusive', '--wrap', 'sleep infinity']
    const job = /^\d+/m.exec((await it.command('sbatch', ...words)).stdout)![0]
    const waiting = await it.whenStatus(1, 'pending')
    expect(waiting.groups).toMatchObject({ pending: 1, failed: 0 })
    await it.command('scancel', job)
    // The queue lets a job that was requeued wait for two minutes; nobody here has to. But a node takes no job in the
    // second in which it ended one with the same id ("Job credential revoked").
    const starts = `for job in $(${jobs('pending')}); do scontrol update jobid=$job starttime=now+2; done`
    const runs = `${jobs('running')} | grep -q .`
    await asRoot(`until_succeeds '${runs} || { ${starts}; sleep 4; ${runs} || { squeue; false; }; }'`)
    await it.begun(2)
    it.open('end')
    const run = await it.whenStatus(1, 'finished')
    expect(run.group_list).toMatchObject([{ status: 'finished', exit_code: 0 }])
    expect(it.read('results/it/run_1/stdout.txt')).toBe('start\nstart\n')
  })

  test('a group reached its time limit, and its teardown and background tasks have ended with it', async () => {
    const it = await project(`  short:
    --time: 60
    --signal: B:URG@3000
    scratch: true
    background:
      - |
        trap 'echo synced >>"$QANAT_PROJECT/synced"' TERM
        >"$QANAT_PROJECT/.qanat/gate_task"
        while :; do sleep 0.1; done
    teardown: echo "$QANAT_SCRATCH" >>"$QANAT_PROJECT/tidied"
`)
    await it.launch('slurm', '--submit_template', 'short', 'it', `${awaits('task')}; ${saysAndAwaits('end')}`)
    await it.begun()
    // The signal would come after ten minutes, and comes now: there are minutes to begin and to end.
    await asRoot(`scontrol update jobid=$(${jobs('running')}) timelimit=50`)
    const { group_list } = await it.whenStatus(1, 'failed')
    expect(group_list).toMatchObject([{ status: 'failed', cause: 'timeout' }])
    const why = (await it.qanat('why', 'it', '1')).stdout
    expect(why).toMatch(/^Group 0 of run 1 failed: timeout$/m)
    expect(why).toMatch(/Slurm +job \d+_0 [A-Z]+ on n[12] after \S+ \(memory \S+, time limit \S+\)$/m)
    expect(why).toContain('--only timeout --submit_template')
    expect(it.read('synced')).toBe('synced\n')
    expect((await it.command('ls', it.read('tidied').trim())).code).not.toBe(0)
  })

  test('a node failed under a job that may not be requeued', async () => {
    const it = await project('  once: {--no-requeue: true, --nodelist: n1}\n')
    await it.launch('slurm', '--submit_template', 'once', 'it', saysAndAwaits('end'))
    await it.begun()
    await n1('down')
    const { group_list } = await it.whenStatus(1, 'failed')
    expect(group_list).toMatchObject([{ cause: 'node_fail' }])
    await n1('idle')
  })

  test.each([
    ['a job', 'resources: {memory: 100M}'],
    ['a step of srun', 'resources: {memory: 300M}, launcher: srun --mem=100M'],
  ])('%s was killed for its memory, also without cgroups', async (_, keys) => {
    const it = await project(`  small: {${keys}}\n`)
    const fills = 'python3 -c "import time; text = b\'x\' * (200 << 20); time.sleep(1000)"'
    await it.launch('slurm', '--submit_template', 'small', 'it', fills)
    // The record of the group may be there before Slurm says that the job has ended.
    await it.when(1, ({ group_list }) => group_list[0]!.cause === 'oom')
    const why = (await it.qanat('why', 'it', '1')).stdout
    expect(why).toMatch(/StepId=\S+ exceeded memory limit \(/)
    expect(why).toContain('qanat run_retry 1 --only oom')
  })

  if (isNewest) {
    test('a job whose node failed waits to start at once (--requeue=expedite)', async () => {
      const it = await project('  now: {--requeue: expedite, --nodelist: n1}\n')
      await it.launch('slurm', '--submit_template', 'now', 'it', `echo start; ${saysAndAwaits('end')}`)
      await it.begun()
      await it.whenStatus(1, 'running')
      // A node that is only down comes back by itself.
      await n1('drain')
      await n1('down')
      await it.whenStatus(1, 'pending')
      const waits = /Slurm +job \d+_0 EXPEDITING: the nodes that it asks for are /
      await until(async () => waits.test((await it.qanat('why', 'it', '1')).stdout))
      await n1('idle')
      await it.begun(2)
      it.open('end')
      await it.whenStatus(1, 'finished')
      expect(it.read('results/it/run_1/stdout.txt')).toBe('start\nstart\n')
    })
  }

  test('a job whose shell was killed from outside has no record, and is not finished', async () => {
    const it = await project()
    await it.launch('slurm', 'it', saysAndAwaits('end'))
    await it.begun()
    await asRoot('pkill -KILL -f "job[.]sh task"')
    const { group_list } = await it.whenStatus(1, 'failed')
    expect(group_list).toMatchObject([{ status: 'failed', cause: 'signal', signal: 'SIGKILL' }])
    it.open('end')
  })

  test('a node cannot read the folder of the run', async () => {
    const it = await project('  later: {--hold: true}\n')
    const { id } = await it.launch('slurm', '--submit_template', 'later', 'it', 'true')
    await it.command('sh', '-c', `mkdir aside; mv results/it/run_${id}/.run/job.sh aside`)
    await asRoot(`scontrol release $(${jobs('pending')})`)
    const { group_list } = await it.whenStatus(id, 'failed')
    expect(group_list).toMatchObject([{ status: 'failed', cause: 'launch', exit_code: 125 }])
    const logs = await it.qanat('run_logs', 'it', String(id), '--scheduler_log')
    expect(logs.stdout).toMatch(/the node n[12] cannot read .*run_1\/\.run: is that file system mounted there\?/)
  })

  test('a retry waits for live groups, as it keeps the limit of groups at a time', async () => {
    const it = await project()
    await it.launch('slurm', '--n_threads', '1', 'it', ...groups('exit 3', awaits('end'), 'true'))
    await it.when(1, ({ groups: { failed, running } }) => failed === 1 && running === 1)
    const retry = await it.qanat('run_retry', '1')
    expect([retry.code, retry.stderr]).toEqual([0, expect.stringContaining('waits for the end of the 2 live groups')])
    await until(async () => (await it.qanat('why', 'it', '1.0')).stdout.includes('it waits for the job before it'))
    it.open('end')
    const { group_list } = await it.when(1, ({ groups: { failed, finished } }) => failed === 1 && finished === 2)
    expect(group_list.map(({ attempt }) => attempt)).toEqual([2, 1, 1])
    const [again, ...others] = group_list.map(({ started, finished }) => ({ started, finished }))
    for (const other of others) expect(again!.started! >= other.finished!).toBe(true)
  })
})

describe.skipIf(noBox)('Slurm', () => {
  // It forgets jobs at once: what is read of them has to be in the records of the groups.
  beforeAll(() => startBox({ maxArraySize: 5, jobAge: 5 }))
  beforeEach(() => asRoot('scancel --user=researcher'))

  test('gets a run that is too large for one array in several, which share a limit', async () => {
    const log = '"$QANAT_PROJECT/.qanat/log"'
    const it = await clusterProject(`echo + >>${log}; sleep 0.2; echo - >>${log}\n`, 'slurm: {default: {}}\n')
    const words = ['--runner', 'slurm', '--n_threads', '2', '--wait', 'it', '-R', '--seed 0 12 1']
    const arrays = /12 groups → Slurm job \d+ \(array 0-4\), \d+ \(array 0-4\), \d+ \(array 0-1\)/
    expect((await it.qanat('run', ...words)).stdout).toMatch(arrays)
    expect(mostAtATime(it.read('.qanat/log')).most).toBeLessThanOrEqual(2)
    const { group_list } = await it.show(1)
    expect(group_list.map(({ status }) => status)).toEqual(Array(12).fill('finished'))
    for (const { index } of group_list) {
      expect(it.read(`results/it/run_1/group_${index}/group_info.yaml`)).toContain(`--seed ${index}`)
    }
  })

  test('has forgotten the jobs, and the records of the groups tell how they ended', async () => {
    const it = await project()
    await it.launch('slurm', 'it', ...groups('true', 'exit 4'))
    await until(async () => (await it.command('squeue', '--noheader', '--states=all')).stdout === '')
    const { group_list } = await it.show(1)
    expect(group_list).toMatchObject([
      { status: 'finished', exit_code: 0 },
      { status: 'failed', exit_code: 4 },
    ])
  })

  test('refuses to run groups again, which leaves them as they were', async () => {
    const it = await project('  wrong: {--partition: nowhere}\n')
    await it.qanat('run', '--runner', 'slurm', '--wait', 'it', 'echo kept; exit 3')
    const { code, stderr } = await it.qanat('run_retry', 'it', '1', '--submit_template', 'wrong')
    expect([code, stderr]).toEqual([4, expect.stringContaining('invalid partition specified: nowhere')])
    const { group_list } = await it.show(1)
    expect(group_list).toMatchObject([{ status: 'failed', exit_code: 3, attempt: 1 }])
    expect(it.read('results/it/run_1/stdout.txt')).toBe('kept\n')
    expect((await it.qanat('run_retry', 'it', '1', '--wait')).code).toBe(1)
    // The number of the refused attempt is not used again.
    expect((await it.show(1)).group_list).toMatchObject([{ exit_code: 3, attempt: 3 }])
  })

  test("may write its own log where sbatch's option says", async () => {
    const it = await project('  logged: {"--output": "../results/%x/slurm-%j.out", setup: "echo hello"}\n')
    await it.qanat('run', '--runner', 'slurm', '--submit_template', 'logged', '--wait', 'it', 'true')
    expect((await it.command('ls', '../results/it_1')).stdout).toMatch(/^slurm-\d+\.out\n$/)
  })

  test('runs groups of several projects with the same names and ids apart', async () => {
    const [one, two] = [await project(), await project()]
    await Promise.all([one.launch('slurm', 'it', 'exit 0'), two.launch('slurm', 'it', 'exit 5')])
    const [first, second] = await Promise.all([one.whenStatus(1, 'finished'), two.whenStatus(1, 'failed')])
    expect(first.group_list[0]!.job_id).not.toBe(second.group_list[0]!.job_id)
  })

  test('is missing on this machine, which is reported before anything is made', async () => {
    const it = await project()
    const links = 'mkdir -p .qanat/bin; for p in git sh env; do ln -s $(command -v $p) .qanat/bin/; done'
    await it.command('sh', '-c', links)
    const bare = it.with({ PATH: `${it.path('.qanat/bin')}:/usr/local/bin` })
    const { code, stderr } = await bare.qanat('run', '--runner', 'slurm', 'it', 'true')
    expect([code, stderr]).toEqual([4, expect.stringContaining("Slurm is not on this machine: no 'sbatch' in PATH")])
    expect((await bare.qanat('run', '--runner', 'slurm', '--dry_run', 'it', 'true')).code).toBe(0)
  })
})

// A controller that was killed may give job ids away again, so nothing else follows in the same box.
describe.skipIf(noBox)('Slurm', () => {
  beforeEach(() => startBox())
  afterEach(stopBox)

  test('that is down changes nothing, and the answer says how old it is', async () => {
    const it = await project()
    await it.launch('slurm', 'it', saysAndAwaits('end'))
    await it.begun()
    const before = await it.whenStatus(1, 'running')
    await asRoot('pkill -KILL slurmctld')
    const { runs, as_of } = await it.json('experiment', 'status', 'it', '--json', '--refresh')
    expect(runs).toMatchObject([{ status: 'running', started: before.group_list[0]!.started }])
    const later = await it.json('experiment', 'status', 'it', '--json', '--refresh')
    expect(later.as_of).toBe(as_of)
    const refused = await it.qanat('run', '--runner', 'slurm', 'it', 'true')
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('Slurm does not answer')])
    expect((await it.command('ls', 'results/it')).stdout).toBe('run_1\n')
    await asRoot('slurmctld; until_succeeds "scontrol ping"')
    it.open('end')
    await it.whenStatus(1, 'finished')
  })

  test('that has lost its state, and does not know a job, leaves its group lost after the grace', async () => {
    const it = await project()
    await it.launch('slurm', 'it', saysAndAwaits('end'))
    await it.begun()
    await it.whenStatus(1, 'running')
    // As after a controller that has lost its state: neither the queue nor the record tells how it ended.
    await asRoot(`pkill -KILL slurmctld; pkill -KILL -f 'job[.]sh task'; rm -rf /var/spool/slurmctld/*
      slurmctld -c; until_succeeds 'scontrol ping'`)
    const { group_list } = await it.whenStatus(1, 'lost')
    expect(group_list).toMatchObject([{ status: 'lost', cause: 'vanished', exit_code: null, finished: null }])
    it.open('end')
  })
})
