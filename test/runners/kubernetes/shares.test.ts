import { describe, expect, test } from 'vitest'
import { freeAdmission } from '../../../src/domain/pods/admission.js'
import { podEvidence, podNews } from '../../../src/runners/kubernetes/evidence.js'
import { jobsAgain, jobsOfLaunch } from '../../../src/runners/kubernetes/jobs.js'
import { kubernetesDialect } from '../../../src/runners/kubernetes/options.js'
import { readQueue } from '../../../src/runners/kubernetes/queue.js'
import type { PolledRun } from '../../../src/runners/types.js'
import { folderWith } from '../../project/temporary.js'
import { plainEnvironment, planWith } from '../plans.js'

const options = kubernetesDialect.parse({ image: 'python:3.12' }, plainEnvironment)
const place = { volume: { claim: null, path: '/root', onOneNode: false }, user: 1000 }
const plan = planWith({
  ...{ token: 'token', groupCount: 3, slots: 2, projectRoot: '/root/p', workingDirectory: '/root/p/copy' },
  place: { here: '/mirror', there: '/root/p/results/it/run_1' },
})
const list = jobsOfLaunch(plan, options, place, freeAdmission, ['code-0', 'code-1'])
const [first, second] = list.items.map(({ metadata }) => metadata.name)

test('jobs without a volume have a share of the groups each, one pod, and the code', () => {
  const templates = list.items.map(({ spec }) => spec.template)
  expect(templates.map(({ metadata }) => metadata.annotations['qanat-groups'])).toEqual(['0 2', '1'])
  expect(templates[0]!.metadata.annotations).toMatchObject({
    ...{ 'qanat-folder': 'results/it/run_1', 'qanat-code': 'p/copy' },
    'sidecar.istio.io/inject': 'false',
  })
  expect(list.items[0]!.spec).toMatchObject({ backoffLimit: 0, completions: 1 })
  const { volumes } = templates[0]!.spec as any
  expect(volumes[0]).toEqual({ name: 'qanat-volume', emptyDir: {} })
  expect(volumes[2].projected.sources).toEqual([{ configMap: { name: 'code-0' } }, { configMap: { name: 'code-1' } }])
  const again = jobsAgain(list, 1, 1, [2, 1])
  expect(again.items.map(({ spec }) => spec.template.metadata.annotations['qanat-groups'])).toEqual(['2 1'])
})

const labels = { 'qanat-run': 'token', 'qanat-attempt': '1' }
const job = (name: string, type: string | null = null) => ({
  ...{ kind: 'Job', metadata: { name, labels } },
  status: { conditions: type === null ? [] : [{ type, status: 'True' }] },
})
const pod = (name: string, phase: string) => ({
  kind: 'Pod',
  metadata: { name: `${name}-x`, labels: { ...labels, 'job-name': name } },
  status: {
    phase,
    containerStatuses: [{ name: 'main', state: { terminated: { exitCode: 0, reason: 'Completed' } } }],
  },
})

/** What is known of the three groups. @param read how logs were read, by the names of jobs @param records of the first job */
function evidence(
  objects: readonly object[],
  read: Readonly<Record<string, string>>,
  records = '',
  cancelled = false,
  more: Readonly<Record<string, string>> = {},
) {
  const files = Object.entries(read).map(([name, text]) => [`.run/read/${name}`, text])
  const folder = folderWith({
    '.run/kubernetes.json': JSON.stringify(list),
    [`.run/records/${first}`]: records,
    ...Object.fromEntries(files),
    ...more,
  })
  const run = {
    ...{ token: 'token', runId: 1, groupCount: 3, jobName: 'it_1', asOf: 0, cursor: null },
    ...{ place: { here: folder, there: '/root/p/results/it/run_1' }, open: new Map(), settled: new Set() },
    ...{ handles: [{ attempt: 1, indices: null }], partial: new Set(), foreign: new Map() },
    ...{ attemptOf: () => 1, isCancelled: () => cancelled },
  } as unknown as PolledRun
  const queue = readQueue(JSON.stringify({ kind: 'List', items: objects }))
  return podEvidence({ run, news: podNews(run) }, queue)
}

const states = (...words: Parameters<typeof evidence>) => {
  const { job } = evidence(...words)
  return [0, 1, 2].map(index => job(index, 1)?.kind ?? null)
}

const end = '1 end 0 1 0 exit 10 20 - - - node x 0\n'
const both = [job(first!), pod(first!, 'Running'), job(second!, 'Complete'), pod(second!, 'Succeeded')]
const over = [job(first!, 'Complete'), pod(first!, 'Succeeded'), job(second!, 'Complete'), pod(second!, 'Succeeded')]

test.each([
  ['a log that was not read yet says nothing', both, {}, ['pending', null, 'pending']],
  [
    'a log that was read whole tells all that has begun',
    both,
    { [second!]: 'whole' },
    ['pending', 'unattended', 'pending'],
  ],
  ['a log that was cut does not', over, { [first!]: 'cut', [second!]: 'whole' }, ['gone', 'unattended', 'gone']],
  ['what nobody has read before it went is gone', [], {}, ['gone', 'gone', 'gone']],
  [
    'a pod that has gone once its log was read tells the same',
    [],
    { [second!]: 'whole' },
    ['gone', 'unattended', 'gone'],
  ],
])('%s', (_, objects, read, expected) => {
  expect(states(objects, read)).toEqual(expected)
})

test('groups that a pod has not reached wait for a later one, unless they were cancelled', () => {
  const read = { [first!]: 'whole', [second!]: 'whole' }
  expect(states(over, read, end)).toEqual(['ended', 'unattended', 'unattended'])
  expect(evidence(over, read, end).unreached).toEqual([{ attempt: 1, first: 0, jobs: [2, 1], groups: 2 }])
  expect(evidence(over, read, end, true).unreached).toEqual([])
  expect(evidence(both, {}, end).unreached).toEqual([])
})

describe('a later job of which kubectl has not told', () => {
  const later = jobsAgain(list, 1, 1, [2])
  const name = later.items[0]!.metadata.name
  const whole = { [first!]: 'whole', [second!]: 'whole' }
  const submission = JSON.stringify({ begun: 1, span: { first: 0, count: 3, jobs: [2] } })
  const begun = {
    '.run/submission_0.json': JSON.stringify({ begun: 1, span: { first: 0, count: 3 } }),
    '.run/submission_1.json': submission,
    '.run/kubernetes_1.json': JSON.stringify(later),
  }
  const refusal = `Error from server (AlreadyExists): error when creating "x": jobs.batch "${name}" already exists\n`
  const done = `${end}1 end 1 1 0 exit 10 20 - - - node x 0\n`

  test.each([
    ['that is not there waits to be made', [], {}, {}, [2]],
    ['that is there has the group', [job(name), pod(name, 'Running')], {}, {}, []],
    ['whose log was read has told all', [], { [name]: 'whole' }, {}, [2]],
    ['that the server has refused to make twice is made', [], {}, { '.run/submission_1.err': refusal }, []],
    ['that kubectl has told of is made', [], {}, { '.run/submission_1.out': `job.batch/${name}\n` }, []],
  ])('%s', (_, objects, read, more, expected) => {
    const { unreached } = evidence([...over, ...objects], { ...whole, ...read }, done, false, { ...begun, ...more })
    expect(unreached!.flatMap(({ jobs }) => jobs)).toEqual(expected)
  })
})
