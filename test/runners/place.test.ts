import { expect, test } from 'vitest'
import { planLines } from '../../src/domain/runs/run-plan.js'
import { runnerKinds } from '../../src/runners/index.js'
import { here } from '../../src/sites/here.js'
import { plainEnvironment, planWith } from './plans.js'

const place = { here: '/the mirror/run_1', there: '/there/results/it/run_1' }
const environment = { ...plainEnvironment, venv: '.venv', env: { A: '$QANAT_STORAGE_PATH/a' }, setup: 'module load a' }

test.each(runnerKinds)('nothing that a job of the runner $name sees is a path of this machine', kind => {
  for (const indices of [null, [1, 2]]) {
    const plan = planWith({ place, groupCount: 3, indices, attempt: indices ? 2 : 1, environment })
    const prepared = kind.at(here).prepare(plan, kind.template.parse({}, environment), kind.usualLimits)
    const texts = prepared.files.flatMap(({ text }) => [...text])
    const seen = [...texts, ...planLines(plan), ...prepared.submissions.flatMap(({ command }) => command)].join('\n')
    expect(seen).toContain(place.there)
    expect(seen).not.toContain(place.here)
  }
})

test.each(runnerKinds)('every log of the runner $name is read on this machine', kind => {
  const { token, runId, groupCount, jobName, attempt, indices } = planWith({})
  const intent = { token, runId, place, groupCount, jobName, attempt, indices }
  const handles = [{ ...intent, first: 0, count: 1, id: '36', data: {} }]
  const runner = kind.at(here)
  const paths = [...runner.logFiles(handles, null), ...(runner.scripts?.(handles) ?? [])].map(({ path }) => path)
  expect(paths.length).toBeGreaterThan(0)
  for (const path of paths) expect(path.startsWith(`${place.here}/`)).toBe(true)
})
