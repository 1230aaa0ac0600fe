import { expect, test } from 'vitest'
import { groups, shellProject } from '../project.js'

test('run_show of many groups summarises them, and lists those that did not finish first', async () => {
  const project = await shellProject()
  const scripts = Array.from({ length: 60 }, (_, at) =>
    at % 20 === 19 ? 'exit 3' : at === 30 ? 'kill -KILL $$' : 'true',
  )
  await project.qanat('run', 'it', ...groups(...scripts))
  const { stdout } = await project.qanat('run_show', '1')
  expect(stdout).toMatch(/^Causes: 3 × exit 3, 1 × SIGKILL$/m)
  expect(stdout).toMatch(/^Slowest: 1\.\d+ \(\d+\.\d s\), 1\.\d+ \(\d+\.\d s\), 1\.\d+ \(\d+\.\d s\)$/m)
  expect(stdout).toMatch(/^Hosts: \S+ \(60\)$/m)
  const listed = stdout
    .split('\n')
    .flatMap(line => /^(\d+) +(failed|finished) /.exec(line)?.slice(1, 3).join(' ') ?? [])
  expect(listed).toHaveLength(50)
  expect(listed.slice(0, 5)).toEqual(['19 failed', '30 failed', '39 failed', '59 failed', '0 finished'])
  expect(stdout).toMatch(/\n\nand 10 more groups: qanat groups 1\n$/)
  expect((await project.show(1)).group_list).toHaveLength(60)
})

test('run_show of few groups lists them in their order, without a summary', async () => {
  const project = await shellProject()
  await project.qanat('run', 'it', ...groups('true', 'exit 3'))
  const { stdout } = await project.qanat('run_show', '1')
  expect(stdout).not.toMatch(/^(Causes|Slowest|Hosts):|more group/m)
  expect(stdout).toMatch(/\n0 +finished .*\n1 +failed /)
})

test('lists of runs show what varied, if all of it is found at once', async () => {
  const project = await shellProject()
  await project.qanat('run', '-V', '--model mlp svm', 'it', 'true', '-R', '--seed 0 10 1')
  await project.qanat('run', 'it', 'true')
  for (const list of [['runs'], ['experiment', 'status', 'it']]) {
    const { stdout } = await project.qanat(...list)
    expect(stdout).toMatch(/ {2}Varied +Runner/)
    expect(stdout).toMatch(/\n1 .* {2}--seed 0…9 --model mlp,svm {2}local/)
    expect(stdout).toMatch(/\n2 .* 1\/1 +local/)
  }
})
