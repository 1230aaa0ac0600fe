import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { awaits, groups, until } from '../e2e/project.js'
import { startBox } from './box.js'
import { saysAndAwaits } from './lifecycle-project.js'
import { noBox, shellProject } from './project.js'

const project = (templates?: string) => shellProject('htcondor', templates)

describe.skipIf(noBox)('HTCondor', () => {
  beforeAll(() => startBox())

  test('holds a job with a reason, and after its release appends to the output', async () => {
    const it = await project()
    await it.launch('htcondor', 'it', `echo start; ${saysAndAwaits('end')}`)
    await it.begun()
    const { group_list } = await it.whenStatus(1, 'running')
    const job = group_list[0]!.job_id!
    await it.command('condor_hold', '-reason', 'because of a test', job)
    await it.whenStatus(1, 'held')
    expect((await it.qanat('run_show', 'it', '1')).stdout).toContain('because of a test')
    expect((await it.qanat('why', 'it', '1')).stdout).toMatch(/HTCondor +job \d+\.0: .*Job was held.*because of a test/)
    await it.command('condor_release', job)
    await it.begun(2)
    it.open('end')
    const run = await it.whenStatus(1, 'finished')
    expect(run.group_list).toMatchObject([{ status: 'finished', exit_code: 0, job_id: job }])
    expect(it.read('results/it/run_1/stdout.txt')).toBe('start\nstart\n')
  })

  test('finds a program of your PATH with the template of init; without it, why says what to write; results beside the project', async () => {
    const template = readFileSync('.qanat-template/config.yaml', 'utf8')
    const it = await project(`  ours: {getenv: ${JSON.stringify(parse(template).htcondor.default.getenv)}}\n`)
    it.write('tools/mytool', '#!/bin/sh\necho "found by $0"\n')
    it.write('tool.yaml', 'name: tool\nexecutable: it.sh\nexecutable_command: mytool\n')
    await it.command('chmod', '+x', 'tools/mytool')
    await it.qanat('experiment', 'new', '-f', 'tool.yaml')
    await it.qanat('config', 'set', 'result_dir', '../tool_results')
    await it.commit('tool')
    const withTools = it.with({ PATH: `${it.folder}/tools:/usr/local/bin:/usr/bin:/bin` })
    await withTools.launch('htcondor', '--submit_template', 'ours', 'tool')
    await withTools.launch('htcondor', 'tool')
    await until(async () => !/"(running|pending)": [1-9]/.test((await it.qanat('runs', '--json')).stdout))
    // In the frozen copy of the run.
    expect(it.read('../tool_results/tool/run_1/stdout.txt')).toMatch(
      /^found by \S+\/\.qanat\/cache\/\w+\/tools\/mytool\n$/,
    )
    const { stdout } = await it.qanat('why', 'tool', '2')
    expect(stdout).toContain('failed: exit 127')
    expect(stdout).toContain('or add to the template, so that jobs have your PATH: getenv: [PATH, HOME]')
  })

  test('shows the events of one group, and says that its job is suspended', async () => {
    const it = await project()
    await it.launch('htcondor', 'it', ...groups(saysAndAwaits('end'), saysAndAwaits('end')))
    await it.begun(2)
    const { group_list } = await it.when(1, ({ groups: { running } }) => running === 2)
    const job = group_list[1]!.job_id!
    const { stdout } = await it.qanat('run_logs', 'it', '1', '--group', '1', '--scheduler_log')
    expect(stdout).toMatch(/Job executing on host/)
    expect([...new Set(stdout.match(/^\d{3} \(\d+\.\d+/gm)!.map(text => Number(text.split('.')[1])))]).toEqual([1])
    await it.command('condor_suspend', job)
    await until(async () => (await it.qanat('why', 'it', '1.1')).stdout.includes('is running, and is suspended'))
    await it.command('condor_continue', job)
    it.open('end')
    await it.whenStatus(1, 'finished')
  })

  test('holds a job from the beginning, and tells when it ended, also in another time zone than that of its schedd', async () => {
    const it = (await project('  later: {hold: "true"}\n')).with({ TZ: 'America/New_York' })
    await it.launch('htcondor', '--submit_template', 'later', 'it', 'true')
    await it.whenStatus(1, 'held')
    const [, job] = /condor_release (\d+\.0)/.exec((await it.qanat('why', 'it', '1')).stdout)!
    await it.command('condor_rm', job!)
    const { group_list } = await it.whenStatus(1, 'cancelled')
    expect(Math.abs(Date.now() - Date.parse(group_list[0]!.finished!))).toBeLessThan(600_000)
  })

  test('says why a job waits, and what it asks for: more memory than any machine has, or behind others', async () => {
    const it = await project('  huge: {resources: {memory: 100G}}\n')
    await it.launch('htcondor', '--submit_template', 'huge', 'it', 'true')
    const why = async (group: string) => (await it.qanat('why', 'it', group)).stdout
    const rejected =
      /No machines matched .*: none meets TARGET\.Memory >= RequestMemory; it asks for 1 CPU, 102400 MB of memory/
    await until(async () => rejected.test(await why('1')))
    await it.launch('htcondor', 'it', ...groups(...Array(5).fill(saysAndAwaits('end'))))
    await it.begun(4)
    const { group_list } = await it.when(2, ({ groups: { running } }) => running === 4)
    const { index } = group_list.find(({ status }) => status === 'pending')!
    const waits =
      /Job submitted from host: [^,]*>; of 1 .*machines, 1 .*(drained|able to run your job); it asks for 1 CPU, /
    await until(async () => waits.test(await why(`2.${index}`)))
    await it.qanat('run_cancel', '1')
    it.open('end')
    await it.whenStatus(2, 'finished')
  })

  test('warns of an unknown line, which is shown, and the run continues', async () => {
    const it = await project('  typo: {request_cpu: 2}\n')
    const words = ['--submit_template', 'typo', '--wait', 'it', 'true']
    const { code, stderr } = await it.qanat('run', '--runner', 'htcondor', ...words)
    expect([code, stderr]).toEqual([0, expect.stringContaining("'request_cpu = 2' was unused by condor_submit")])
  })

  test('refuses a run with a message that is shown, and nothing is kept', async () => {
    const it = await project('  wrong: {requirements: "(("}\n')
    const { code, stderr } = await it.qanat('run', '-r', 'htcondor', '--submit_template', 'wrong', 'it', 'true')
    expect([code, stderr]).toEqual([4, expect.stringMatching(/condor_submit failed \(1 group\): .*requirements/is)])
    expect((await it.json('experiment', 'status', 'it', '--json')).runs).toEqual([])
  })

  test.each(['run_cancel', 'condor_rm'])('ends by %s, at once, jobs that are not made yet, too', async program => {
    const it = await project()
    it.write('.qanat/config.yaml', 'poll_interval: 1\ngrace: 100000\n')
    await it.launch('htcondor', '--n_threads', '1', 'it', ...groups(saysAndAwaits('a'), 'true', 'true'))
    await it.begun()
    const run = await it.when(1, ({ groups: { running } }) => running === 1)
    expect(run.groups).toMatchObject({ pending: 2, lost: 0 })
    const cluster = run.group_list[0]!.job_id!.split('.')[0]!
    await (program === 'run_cancel' ? it.qanat(program, 'it', '1') : it.command(program, cluster))
    expect((await it.whenStatus(1, 'cancelled')).groups).toMatchObject({ cancelled: 3 })
    expect((await it.qanat('why', 'it', '1.2')).stdout).toContain('Cluster removed, Materialized 1 jobs')
  })

  test('ends a job at its time limit', async () => {
    const it = await project('  short: {resources: {time: "00:01"}, teardown: \'touch "$QANAT_PROJECT/tidied"\'}\n')
    await it.launch('htcondor', '--submit_template', 'short', 'it', awaits('never'))
    const { group_list } = await it.whenStatus(1, 'failed')
    expect(group_list).toMatchObject([{ cause: 'timeout' }])
    expect((await it.command('ls')).stdout).toContain('tidied')
  })
})
