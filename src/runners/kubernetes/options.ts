import {
  type JobEnvironment,
  type Resources,
  timeLimitSeconds,
  unknownTemplateKey,
} from '../../domain/job-environment.js'
import type { ImageBuild } from '../../domain/pods/image-build.js'
import type { Manifest } from '../../domain/pods/manifest.js'
import { writtenKey } from '../../domain/text/key-names.js'
import { UserError } from '../../errors.js'
import type { TemplateDialect } from '../template-dialect.js'
import { parseBuild } from './build.js'

/** What a template says of pods. */
export interface KubernetesOptions {
  /** Without a tag if it is to be built. */
  readonly image: string
  /** How to make the image; null if it is there. */
  readonly build: ImageBuild | null
  /** As in `Always`; null: as the cluster says. */
  readonly pull: string | null
  /** Names of secrets with which images are pulled. */
  readonly pullSecrets: readonly string[]
  /** A queue of Kueue; null for none. */
  readonly queue: string | null
  /** Further fields of pods. */
  readonly pod: Manifest
  readonly requests: Readonly<Record<string, string>>
  readonly limits: Readonly<Record<string, string>>
  /** Seconds that a group may take; null without a limit. */
  readonly time: number | null
}

const keys = ['image', 'pull', 'pull_secrets', 'queue', 'pod', 'build'] as const
const pulls = ['Always', 'IfNotPresent', 'Never']

/** The fields of a pod that Qanat sets itself, and what to do instead. */
const owned: Readonly<Record<string, string>> = {
  containers: 'the image, its resources and env are keys of the template',
  initContainers: 'shell lines before a group go into setup',
  ephemeralContainers: 'kubectl debug adds one to a pod that runs',
  restartPolicy: 'a pod that ends is replaced by its job',
  activeDeadlineSeconds: 'a limit for each group is resources: {time: 2:00:00}',
  securityContext: "the user is 'user' of the context",
  volumes: "the volume is 'volume' of the context",
  imagePullSecrets: 'write pull_secrets: [NAME]',
  automountServiceAccountToken: 'groups get no rights in the cluster',
  enableServiceLinks: 'groups get no variables of services',
}

/** The template keys are an image and fields of pods. */
export const kubernetesDialect: TemplateDialect<KubernetesOptions> = {
  parse,
  asks: () => ({}),
  build: ({ build }) => build,
  owned: [],
  description: 'Submit templates for Kubernetes.',
  keys: {
    pattern: new RegExp(`^(${keys.join('|')})$`),
    name: `one of ${keys.join(', ')}`,
    value: {
      description:
        'image: what pods run. build: what an image is made of that Qanat builds instead, as in {base: python:3.12, requirements: requirements.txt, repository: registry.example.org/lab/iris}. pull: Always, IfNotPresent or Never. pull_secrets: a list of names. queue: a queue of Kueue. pod: further fields of pods, such as nodeSelector and tolerations.',
    },
  },
  shared: {},
}

function parse(given: Readonly<Record<string, unknown>>, environment: JobEnvironment): KubernetesOptions {
  for (const key of Object.keys(given))
    if (!(keys as readonly string[]).includes(key)) throw unknownTemplateKey(key, environment, keys)
  if (environment.pack !== null)
    throw new UserError(
      'the submit template has pack, and a pod of Kubernetes takes one group after another anyway',
      'leave pack out, and say how many pods there are: --n_threads N',
    )
  const pull = word(given, 'pull')
  if (pull !== null && !pulls.includes(pull))
    throw new UserError(`the submit template has pull: ${pull}`, `write one of ${pulls.join(', ')}`)
  const { requests, limits } = resourcesOf(environment.resources)
  const { time } = environment.resources
  return {
    ...imageOf(given),
    pull,
    pullSecrets: words(given, 'pull_secrets'),
    queue: word(given, 'queue'),
    pod: podFields(given.pod),
    requests,
    limits,
    time: time === undefined ? null : timeLimitSeconds(time),
  }
}

/** A template as a run has recorded it has both: the image that was built, and how. */
function imageOf(given: Readonly<Record<string, unknown>>): Pick<KubernetesOptions, 'image' | 'build'> {
  const image = word(given, 'image')
  if ((given.build ?? null) === null) {
    if (image !== null) return { image, build: null }
    throw new UserError(
      'the submit template has no image',
      "name what pods run, as in image: python:3.12, or let it be built: 'qanat help images' tells how",
    )
  }
  const build = parseBuild(given.build)
  if (image === null) return { image: build.repository, build }
  if (image.startsWith(`${build.repository}:`)) return { image, build: null }
  throw new UserError('the submit template has both image and build', 'leave one of them out')
}

function word(given: Readonly<Record<string, unknown>>, key: string): string | null {
  const value = given[key] ?? null
  if (value === null) return null
  if (typeof value === 'string' && value.trim() !== '') return value
  throw new UserError(`the submit template has ${key}, which is no text`, `write a word: ${key}: …`)
}

function words(given: Readonly<Record<string, unknown>>, key: string): string[] {
  const value = given[key] ?? []
  if (Array.isArray(value) && value.every(each => typeof each === 'string')) return value
  throw new UserError(`the submit template has ${key}, which is no list of names`, `write a list: ${key}: [NAME]`)
}

function podFields(value: unknown): Manifest {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value))
    throw new UserError('the submit template has pod, which is no mapping', 'write fields: pod: {nodeSelector: {…}}')
  const field = Object.keys(value).find(each => Object.hasOwn(owned, each))
  if (field === undefined) return value as Manifest
  throw new UserError(
    `the submit template sets pod.${field}, which Qanat sets itself: ${owned[field]}`,
    `leave ${field} out`,
  )
}

/** Resources that a pod cannot ask for. */
const foreign = ['nodes', 'tasks', 'tasksPerNode', 'partition', 'account', 'qos', 'constraint', 'gpuDevices'] as const

/** What a pod asks for. The memory that it may have is what it asks for, so that no other pod can take it. */
function resourcesOf(resources: Resources) {
  const other = foreign.find(name => resources[name] !== undefined && resources[name] !== 1)
  if (other !== undefined)
    throw new UserError(
      `the submit template has resources.${writtenKey(other)}, which Kubernetes does not have`,
      'leave it out; nodes are chosen by pod: {nodeSelector: {…}}',
    )
  const { cpus, memory, disk, gpus = 0, extended = {} } = resources
  if (typeof gpus !== 'number' || !Number.isInteger(gpus))
    throw new UserError(
      `the submit template has resources.gpus: ${gpus}, and Kubernetes deals whole GPUs without a type`,
      'write gpus: 1, and choose nodes by pod: {nodeSelector: {…}}',
    )
  const exact = {
    ...(memory !== undefined && { memory: quantity(memory) }),
    ...(disk !== undefined && { 'ephemeral-storage': quantity(disk) }),
    ...(gpus > 0 && { 'nvidia.com/gpu': String(gpus) }),
    ...Object.fromEntries(Object.entries(extended).map(([name, count]) => [name, String(count)])),
  }
  return { requests: { ...(cpus !== undefined && { cpu: String(cpus) }), ...exact }, limits: exact }
}

/** `4G`, in powers of 1024, in the words of Kubernetes. */
function quantity(size: string): string {
  return `${size}i`
}
