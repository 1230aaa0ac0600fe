import { describe, expect, test } from 'vitest'
import type { Resources } from '../../../src/domain/job-environment.js'
import { type Admission, freeAdmission } from '../../../src/domain/pods/admission.js'
import { jobsAgain, jobsOfLaunch, podsOf } from '../../../src/runners/kubernetes/jobs.js'
import { kubernetesDialect } from '../../../src/runners/kubernetes/options.js'
import { plainEnvironment, planWith } from '../plans.js'

const parse = (keys: object, resources: Resources = {}) =>
  kubernetesDialect.parse({ image: 'python:3.12', ...keys }, { ...plainEnvironment, resources })

const ownFields = [
  'containers',
  'restartPolicy',
  'securityContext',
  'volumes',
  'activeDeadlineSeconds',
  'imagePullSecrets',
]

const repository = 'registry.example.org:5000/lab/iris'
const build = { base: 'python:3.12', requirements: 'requirements.txt', repository }

const refused: readonly [keys: object, resources: Resources, message: string][] = [
  [{ image: null }, {}, 'has no image'],
  [{ image: 3 }, {}, 'image, which is no text'],
  [{ pull: 'Sometimes' }, {}, 'pull: Sometimes'],
  [{ pull_secrets: 'x' }, {}, 'pull_secrets, which is no list of names'],
  [{ build }, {}, 'has both image and build'],
  [{ image: 'other.example.org/lab/iris:1', build }, {}, 'has both image and build'],
  [{ imag: 'x' }, {}, "unknown key 'imag' in the submit template. Did you mean image?"],
  [{ pod: [] }, {}, 'pod, which is no mapping'],
  ...ownFields.map((field): [object, Resources, string] => [
    { pod: { [field]: 1 } },
    {},
    `sets pod.${field}, which Qanat sets itself`,
  ]),
  [{}, { partition: 'gpu' }, 'resources.partition, which Kubernetes does not have'],
  [{}, { nodes: 2 }, 'resources.nodes, which Kubernetes does not have'],
  [{}, { gpus: 'v100:1' }, 'resources.gpus: v100:1'],
  [{}, { gpus: 0.5 }, 'resources.gpus: 0.5'],
]

describe('a template', () => {
  test('asks for what its resources say, with the memory as a limit, too', () => {
    const { requests, limits } = parse(
      {},
      { cpus: 2, memory: '4G', disk: '500M', gpus: 1, extended: { 'google.com/tpu': 4 } },
    )
    const exact = { memory: '4Gi', 'ephemeral-storage': '500Mi', 'nvidia.com/gpu': '1', 'google.com/tpu': '4' }
    expect([requests, limits]).toEqual([{ cpu: '2', ...exact }, exact])
  })

  test.each(refused)('%j with %j is refused', (keys, resources, message) => {
    expect(() => parse(keys, resources)).toThrow(message)
  })

  test('with pack is refused', () => {
    const environment = { ...plainEnvironment, pack: { groups: 2, slots: 1 } }
    expect(() => kubernetesDialect.parse({ image: 'x' }, environment)).toThrow('pack')
  })
})

describe('build', () => {
  const buildOf = (keys: unknown, image: string | null = null) => {
    const options = parse({ image, build: keys })
    return [options.image, kubernetesDialect.build!(options)]
  }

  test.each([
    [build, { base: 'python:3.12', requirements: 'requirements.txt' }],
    [{ dockerfile: 'image/Dockerfile', base: null, repository }, { dockerfile: 'image/Dockerfile' }],
  ])('%j is an image to make', (keys, from) => {
    expect(buildOf(keys)).toEqual([repository, { repository, from }])
  })

  test('is done where a run has recorded the image', () => {
    expect(buildOf(build, `${repository}:0123`)).toEqual([`${repository}:0123`, null])
  })

  test.each([
    ['python:3.12', 'build, which is no mapping'],
    [{ ...build, tag: '1' }, 'build.tag'],
    [{ ...build, base: 3 }, 'build.base, which is no text'],
    [{ ...build, base: '--platform=linux/arm64 python:3.12' }, 'build.base: --platform'],
    [{ ...build, repository: null }, 'build without a repository'],
    ...[
      'iris',
      'registry.example.org/lab/iris:1',
      'r.org/lab/iris@sha256:0',
      'r.org/Lab/iris',
      '-x/iris',
      'https://r.org/iris',
    ].map((name): [object, string] => [{ ...build, repository: name }, `build.repository: ${name}`]),
    [{ repository }, 'neither base and requirements nor a dockerfile alone'],
    [{ base: 'python:3.12', repository }, 'neither base and requirements nor a dockerfile alone'],
    [{ ...build, dockerfile: 'Dockerfile' }, 'neither base and requirements nor a dockerfile alone'],
  ])('%j is refused', (keys, message) => {
    expect(() => buildOf(keys)).toThrow(message)
  })
})

describe('the jobs of a launch', () => {
  const place = { volume: { claim: 'scratch', path: '/scratch', onOneNode: false }, user: 1000 }
  const plan = planWith({ jobName: 'My_exp.2_17', token: '12345678-90ab', groupCount: 30, slots: null, attempt: 2 })
  const of = (
    keys: object,
    facts: Partial<typeof plan> = {},
    resources: Resources = {},
    where = place,
    admission: Partial<Admission> = {},
  ) => jobsOfLaunch({ ...plan, ...facts }, parse(keys, resources), where, { ...freeAdmission, ...admission }) as any

  test('are ten of one pod each, with names of their own and one label', () => {
    const { items } = of({})
    expect(items.map(({ metadata }: any) => metadata.name)).toEqual(
      Array.from({ length: 10 }, (_, at) => `qanat-my-exp-2-17-12345678-2-${at}`),
    )
    for (const { metadata, spec } of items) {
      expect(metadata.labels).toMatchObject({ 'qanat-run': '12345678-90ab', 'qanat-attempt': '2' })
      expect(spec.template.metadata.labels).toMatchObject({ 'qanat-run': '12345678-90ab', 'qanat-attempt': '2' })
      expect(spec).toMatchObject({ completions: 1, parallelism: 1, backoffLimit: 1000 })
      expect(spec.activeDeadlineSeconds).toBe(undefined)
    }
    expect(of({}, { slots: 3 }).items).toHaveLength(3)
    expect(of({}, { slots: 50, indices: [1, 2] }).items).toHaveLength(2)
  })

  test('have what the level restricted asks for, and nothing of the cluster', () => {
    const { spec } = of({}).items[0].spec.template
    expect(spec).toMatchObject({
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    })
    const [main] = spec.containers
    expect(main.securityContext).toEqual({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } })
    expect(main.env).toContainEqual({ name: 'NVIDIA_VISIBLE_DEVICES', value: 'void' })
    expect(main.resources).toEqual({ requests: {}, limits: {} })
    const anybody = of({}, {}, {}, { ...place, user: null as never }).items[0].spec.template.spec
    expect(Object.keys(anybody.securityContext)).toEqual(['runAsNonRoot', 'seccompProfile'])
  })

  test('have the fields of the template', () => {
    const pod = { nodeSelector: { disk: 'ssd' }, tolerations: [{ key: 'gpu' }] }
    const keys = { pull: 'Always', pull_secrets: ['regcred'], queue: 'team-a', pod }
    const [{ metadata, spec }] = of(keys, {}, { time: '10', gpus: 1 }).items
    expect(metadata.labels['kueue.x-k8s.io/queue-name']).toBe('team-a')
    expect(spec.template.spec).toMatchObject({ ...pod, imagePullSecrets: [{ name: 'regcred' }] })
    // A pod may take all groups, one after another.
    expect(spec.template.spec.activeDeadlineSeconds).toBe(30 * 600 + 3600)
    const [main] = spec.template.spec.containers
    expect(main).toMatchObject({ image: 'python:3.12', imagePullPolicy: 'Always' })
    expect(main.env.map(({ name }: any) => name)).not.toContain('NVIDIA_VISIBLE_DEVICES')
  })

  test('are all on one node if only the pods of one can write the claim', () => {
    const onOneNode = { ...place, volume: { ...place.volume, onOneNode: true } }
    const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [] }
    const { metadata, spec } = of({ pod: { affinity: { nodeAffinity } } }, {}, {}, onOneNode).items[0].spec.template
    expect(metadata.labels['qanat-claim']).toBe('scratch')
    expect(spec.affinity.nodeAffinity).toEqual(nodeAffinity)
    const [term] = spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution
    expect(term).toEqual({
      labelSelector: { matchLabels: { 'qanat-claim': 'scratch' } },
      topologyKey: 'kubernetes.io/hostname',
    })
    const beside = { pod: { affinity: { podAffinity: {} } } }
    expect(() => of(beside, {}, {}, onOneNode)).toThrow('pod.affinity.podAffinity')
    expect(of(beside).items[0].spec.template.spec.affinity).toEqual({ podAffinity: {} })
  })

  test('are made again under other names', () => {
    const again = jobsAgain(of({}), 2, 1)
    expect(again.items.map(({ metadata }) => metadata.name)).toEqual(
      [0, 1].map(at => `qanat-my-exp-2-17-12345678-2r1-${at}`),
    )
    expect(jobsAgain(of({}), 1, 2).items[0]!.metadata.name).toBe('qanat-my-exp-2-17-12345678-2r2-0')
  })

  test.each([
    [11, 10, 1],
    [10, 10, 1],
    [9, 1, 10],
    [0, 1, 10],
    [-1, 1, 10],
  ])('with room for %i are %i with %i pods each', (jobs, count, pods) => {
    const list = of({}, {}, {}, place, { jobs })
    expect(list.items.map(({ spec }: any) => [spec.completions, spec.parallelism])).toEqual(
      Array(count).fill([pods, pods]),
    )
    expect(podsOf(list)).toBe(10)
    expect(podsOf(jobsAgain(list, 3, 1))).toBe(3)
  })

  test.each([
    [9, 9],
    [0, 1],
    [-1, 1],
  ])('with room for %i and a share each are %i', (jobs, count) => {
    const log = { ...place, volume: { claim: null as never, path: '/root', onOneNode: false } }
    const { items } = of({}, {}, {}, log, { jobs })
    expect(items.map(({ spec }: any) => spec.completions)).toEqual(Array(count).fill(1))
    const dealt = items.flatMap(({ spec }: any) => spec.template.metadata.annotations['qanat-groups'].split(' '))
    expect(dealt.map(Number).sort((one: number, other: number) => one - other)).toEqual(
      Array.from({ length: 30 }, (_, index) => index),
    )
  })

  test('have a limit of their CPUs where a quota demands it', () => {
    const [{ spec }] = of({}, {}, { cpus: 2, memory: '4G' }, place, { demands: { 'limits.cpu': 'q' } }).items
    expect(spec.template.spec.containers[0].resources.limits).toEqual({ cpu: '2', memory: '4Gi' })
  })

  test('have names that Kubernetes takes, however long that of the experiment is', () => {
    const { name } = of({}, { jobName: `${'Ex.'.repeat(30)}_12` }).items[0].metadata
    expect(name).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/)
    expect(name.length).toBeLessThanOrEqual(63)
  })
})
