import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Folder, quote, shellProject, until } from '../project.js'

/** Widths of the columns that squeue is asked for, as the program does it. */
const widths = [64, 16, 6, 20, 20, 8, 80, 44, 32, 48]

/**
 * A Slurm that says what no real one can be made to say on demand: programs on the PATH that print what files hold.
 * Jobs are run by the test, by the very script that was submitted.
 */
class FakeSlurm {
  private constructor(readonly folder: Folder) {}

  static async start(): Promise<FakeSlurm> {
    const base = await shellProject()
    base.environment.PATH = `${join(base.path, '.qanat/bin')}:${process.env.PATH}`
    const fake = new FakeSlurm(base)
    const program = (name: string, code: string) => base.write(`.qanat/bin/${name}`, `#!/bin/sh\n${code}\n`, 0o755)
    program(
      'sbatch',
      `for word; do case $word in --comment=*) echo "\${word#*=}" >${fake.file('token')};; esac; done; echo 77`,
    )
    program('squeue', `cat ${fake.file('queue')} 2>/dev/null`)
    program('sacct', `sh ${fake.file('sacct')}`)
    program('scontrol', `cat ${fake.file('config')}`)
    program('scancel', 'exit 0')
    fake.answer('config', 'ClusterName = fake\nMaxArraySize = 1001\n')
    fake.answer('sacct', 'echo "Slurm accounting storage is disabled" >&2; exit 1\n')
    base.write('.qanat/config.yaml', 'poll_interval: 0.05\nslurm: {default: {}}\n')
    base.commit()
    return fake
  }

  private file(name: string): string {
    return join(this.folder.path, '.qanat', `slurm_${name}`)
  }

  /** What a program answers from now on. */
  answer(program: 'queue' | 'sacct' | 'config', text: string): void {
    this.folder.write(`.qanat/slurm_${program}`, text)
  }

  /** What squeue says of the job, with this state. */
  queue(state: string, facts: { comment?: string; restarts?: string; reason?: string; exit?: string } = {}): void {
    const {
      comment = this.folder.read('.qanat/slurm_token').trim(),
      restarts = '0',
      reason = 'None',
      exit = '0:0',
    } = facts
    const times = ['2026-03-01T10:00:00', '2026-03-01T11:00:00']
    const fields = ['77_0', state, restarts, ...times, exit, 'it_1', comment, 'n1', reason]
    this.answer('queue', `${fields.map((field, at) => field.padEnd(widths[at]!)).join('')}\n`)
  }

  async launch(code: string): Promise<void> {
    const { code: exit, stderr } = await this.folder.qanat('run', '--runner', 'slurm', 'it', code)
    expect([exit, stderr]).toEqual([0, ''])
  }

  /** Runs the job as Slurm would. */
  async runJob(facts: Record<string, string> = {}): Promise<void> {
    const variables = { SLURM_ARRAY_JOB_ID: '77', SLURM_ARRAY_TASK_ID: '0', SLURMD_NODENAME: 'n1', ...facts }
    const run = quote(join(this.folder.path, 'results/it/run_1'))
    const words = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
    await this.folder.shell(`${words.join(' ')} sh ${run}/.run/slurm.sh 0`)
  }

  async group(): Promise<{ status: string; cause: string | null; exit_code: number | null }> {
    return (await this.folder.show()).group_list[0]
  }
}

test('out of memory beats the exit code 0 of the script', async () => {
  const slurm = await FakeSlurm.start()
  await slurm.launch('exit 0')
  slurm.queue('RUNNING')
  await slurm.runJob()
  expect(await slurm.group()).toMatchObject({ status: 'finished', exit_code: 0 })
  slurm.queue('OUT_OF_MEMORY')
  expect(await slurm.group()).toMatchObject({ status: 'failed', cause: 'oom', exit_code: 0 })
})

test.each([
  ['NODE_FAIL', 'node_fail'],
  ['BOOT_FAIL', 'node_fail'],
  ['DEADLINE', 'deadline'],
  ['TIMEOUT', 'timeout'],
  ['PREEMPTED', 'preempted'],
  ['LAUNCH_FAILED', 'launch'],
])('%s is a failure by the cause %s', async (state, cause) => {
  const slurm = await FakeSlurm.start()
  await slurm.launch('exit 0')
  slurm.queue(state)
  expect(await slurm.group()).toMatchObject({ status: 'failed', cause })
})

test('a state that nobody knows keeps the last one', async () => {
  const slurm = await FakeSlurm.start()
  await slurm.launch('exit 0')
  slurm.queue('RUNNING')
  expect((await slurm.group()).status).toBe('running')
  slurm.queue('QUANTUM_LEAP')
  expect((await slurm.group()).status).toBe('running')
})

test('a job of somebody else that has got the same id says nothing', async () => {
  const slurm = await FakeSlurm.start()
  await slurm.launch('exit 0')
  slurm.queue('FAILED', { comment: '00000000-0000-4000-8000-000000000000', exit: '9:0' })
  expect((await slurm.group()).status).toBe('pending')
})

test('a job of another cluster is neither asked for nor lost', async () => {
  const slurm = await FakeSlurm.start()
  await slurm.launch('exit 0')
  slurm.queue('RUNNING')
  await slurm.group()
  slurm.answer('config', 'ClusterName = other\nMaxArraySize = 1001\n')
  slurm.queue('FAILED')
  const { as_of } = await slurm.folder.json('experiment', 'status', 'it', '--json', '--refresh')
  // A job of this cluster that nobody finds is lost after the grace, in which the other one was not found either.
  await slurm.launch('exit 0')
  const later = await until(
    () => slurm.folder.json('experiment', 'status', 'it', '--json', '--refresh'),
    ({ runs }) => runs.some(({ status }: { status: string }) => status === 'lost'),
  )
  expect(later.runs).toMatchObject([
    { id: 1, status: 'running' },
    { id: 2, status: 'lost' },
  ])
  expect(later.as_of).toBe(as_of)
})

test.each([
  ['prints rubbish', 'echo "Segmentation fault (core dumped)"'],
  ['fails', 'echo "Connection refused" >&2; exit 1'],
  ['hangs', 'exec sleep 60'],
])('an sacct that %s changes nothing about a job that has left the queue', async (_, code) => {
  const slurm = await FakeSlurm.start()
  await slurm.launch('exit 0')
  slurm.queue('RUNNING')
  expect((await slurm.group()).status).toBe('running')
  slurm.answer('queue', '')
  slurm.answer('sacct', `${code}\n`)
  expect((await slurm.group()).status).toBe('running')
  slurm.answer(
    'sacct',
    'echo "77_0|it_1|CANCELLED by 1001|0:0|2036-03-01T10:00:00|None|2036-03-02T10:00:00|0|None|n1"\n',
  )
  await slurm.folder.whenStatus(1, 'cancelled')
})

test('a job that was requeued by hand after its end is pending, also while Slurm is silent, and its next end counts', async () => {
  const slurm = await FakeSlurm.start()
  await slurm.launch('[ -e "$QANAT_PROJECT/.qanat/again" ] || { touch "$QANAT_PROJECT/.qanat/again"; exit 3; }')
  await slurm.runJob()
  slurm.queue('RUNNING')
  expect(await slurm.group()).toMatchObject({ status: 'failed', exit_code: 3 })
  slurm.queue('PENDING', { restarts: '1', reason: 'BeginTime' })
  expect((await slurm.group()).status).toBe('pending')
  slurm.answer('config', 'no answer')
  expect((await slurm.group()).status).toBe('pending')
  slurm.answer('config', 'ClusterName = fake\n')
  await slurm.runJob({ SLURM_RESTART_COUNT: '1' })
  slurm.queue('COMPLETED', { restarts: '1' })
  expect(await slurm.group()).toMatchObject({ status: 'finished', exit_code: 0 })
})
