import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { lives, processCalled, tells } from '../processes.js'
import { awaits, shellProject } from '../project.js'

test('a cancelled group is torn down: its tasks in the background end, and its scratch folder goes', async () => {
  const project = await shellProject()
  mkdirSync(join(project.path, '.qanat/tmp'))
  project.environment.TMPDIR = join(project.path, '.qanat/tmp')
  const template = {
    scratch: true,
    background: [`echo begun; ${tells('beside')}; while :; do sleep 0.1; done`],
    teardown: 'echo torn down >"$QANAT_STORAGE_PATH/teardown"',
  }
  project.write('.qanat/mine.yaml', stringify(template))
  const code = `${tells('script')}; ${awaits('never')}`
  await project.qanat('run', '--detach', 'it', '--submit_template', '.qanat/mine.yaml', code)
  const processes = await Promise.all(['script', 'beside'].map(name => processCalled(project, name)))
  expect((await project.qanat('run_cancel', 'it', '1')).code).toBe(0)
  expect(await project.show()).toMatchObject({ status: 'cancelled', group_list: [{ status: 'cancelled' }] })
  expect(processes.filter(lives)).toEqual([])
  expect(project.read('results/it/run_1/teardown')).toBe('torn down\n')
  expect(project.list('.qanat/tmp')).toEqual([])
  const [log] = project.list('results/it/run_1/.run/background')
  expect(project.read(`results/it/run_1/.run/background/${log}`)).toBe('begun\n')
})
