import { expect, test } from 'vitest'
import { planLines } from '../../src/domain/runs/run-plan.js'
import { runnerKinds } from '../../src/runners/index.js'
import { here } from '../../src/sites/here.js'
import type { Site } from '../../src/sites/site.js'
import { plainEnvironment, planWith } from './plans.js'

const place = { here: '/the mirror/run_1', there: '/there/results/it/run_1' }
const environment = { ...plainEnvironment, venv: '.venv', env: { A: '$QANAT_STORAGE_PATH/a' }, setup: 'module load a' }
const volume = { claim: 'scratch', path: '/there', onOneNode: false }
const site: Site = {
  ...here,
  namespace: { title: 'lab', kubectl: ['kubectl'], volume, user: 1000, secrets: new Map() },
}

/** Runners whose template needs keys, and whose commands read a file of this machine, as kubectl does. */
const templates: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { kubernetes: { image: 'python:3.12' } }

test.each(runnerKinds)('nothing that a job of the runner $name sees is a path of this machine', kind => {
  for (const indices of [null, [1, 2]]) {
    const plan = planWith({ place, groupCount: 3, indices, attempt: indices ? 2 : 1, environment })
    const options = kind.template.parse(templates[kind.name] ?? {}, environment)
    const prepared = kind.at(site).prepare(plan, options, kind.usualLimits)
    const texts = prepared.files.flatMap(({ text }) => [...text])
    const commands = kind.name in templates ? [] : prepared.submissions.flatMap(({ command }) => command)
    const seen = [...texts, ...planLines(plan), ...commands].join('\n')
    expect(seen).toContain(place.there)
    expect(seen).not.toContain(place.here)
  }
})

test.each(runnerKinds)('every log of the runner $name is read on this machine', kind => {
  const { token, runId, groupCount, jobName, attempt, indices } = planWith({})
  const intent = { token, runId, place, groupCount, jobName, attempt, indices }
  const handles = [{ ...intent, first: 0, count: 1, id: '36', data: {} }]
  const runner = kind.at(site)
  const paths = [...runner.logFiles(handles, null), ...(runner.scripts?.(handles) ?? [])].map(({ path }) => path)
  expect(paths.length).toBeGreaterThan(0)
  for (const path of paths) expect(path.startsWith(`${place.here}/`)).toBe(true)
})
