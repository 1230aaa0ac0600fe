import {
  attemptLabel,
  type Manifest,
  ownLabel,
  type PodPlace,
  podAnnotations,
  podLabels,
  podSpec,
  runLabel,
} from '../../domain/pods/manifest.js'
import { launchedCount, launchFolder, type RunPlan } from '../../domain/runs/run-plan.js'
import { launchFailed } from '../../domain/runs/verdicts.js'
import { expandableWord, quoteWord } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import { podLogs } from '../../runfolder/layout.js'
import type { JobHandle } from '../types.js'
import type { KubernetesOptions } from './options.js'

/** Without --n_threads there are so many pods at most. */
const usualWorkers = 10

/** A list of jobs as `kubectl create` takes it. */
export interface JobList {
  readonly apiVersion: 'v1'
  readonly kind: 'List'
  readonly items: readonly (Manifest & { readonly metadata: Manifest & { readonly name: string } })[]
}

/** A weekend of pods that are taken from their nodes must not end a job. */
const backoffLimit = 1000
/** What a pod that is told to end has for that, in seconds: its group has ten, and a teardown comes after. */
const gracePeriod = 60

/** How many jobs a launch has. */
export function workersOf(plan: Pick<RunPlan, 'slots' | 'indices' | 'groupCount'>): number {
  return Math.min(plan.slots ?? usualWorkers, launchedCount(plan))
}

/** Jobs of one pod each, which deal the groups of a launch among themselves: once a pod of a job has succeeded, no other is replaced. */
export function jobsOfLaunch(plan: RunPlan, options: KubernetesOptions, place: PodPlace): JobList {
  const labels = { ...ownLabel, [runLabel]: plan.token, [attemptLabel]: String(plan.attempt) }
  const queue = options.queue === null ? {} : { 'kueue.x-k8s.io/queue-name': options.queue }
  const stem = jobStem(plan)
  const template = {
    metadata: {
      labels: { ...labels, ...podLabels(place.volume), 'sidecar.istio.io/inject': 'false' },
      annotations: podAnnotations,
    },
    spec: specOf(plan, options, place),
  }
  return {
    apiVersion: 'v1',
    kind: 'List',
    items: Array.from({ length: workersOf(plan) }, (_, worker) => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: `${stem}-${worker}`, labels: { ...labels, ...queue } },
      spec: { backoffLimit, completions: 1, parallelism: 1, template },
    })),
  }
}

/** Some of the jobs once more, with names of their own. @param generation from 1 */
export function jobsAgain({ items, ...list }: JobList, workers: number, generation: number): JobList {
  return {
    ...list,
    items: items.slice(0, workers).map(({ metadata, ...job }) => ({
      ...job,
      metadata: { ...metadata, name: metadata.name.replace(/(r\d+)?-(\d+)$/, `r${generation}-$2`) },
    })),
  }
}

/** The beginning of the names of the jobs of a launch, which are unique in a namespace. */
export function jobStem({ jobName, token, attempt }: Pick<JobHandle, 'jobName' | 'token' | 'attempt'>): string {
  const name = jobName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
  return `qanat-${name.slice(-30).replace(/^-+/, '')}-${token.slice(0, 8)}-${attempt}`
}

function specOf(plan: RunPlan, options: KubernetesOptions, place: PodPlace) {
  const { image, pull, pullSecrets, requests, limits, time, pod } = options
  const fieldOf = (fieldPath: string) => ({ valueFrom: { fieldRef: { fieldPath } } })
  // The runtime of some clusters shows all GPUs of a node to pods that ask for none.
  const hidden = Object.keys(limits).some(name => name.includes('gpu'))
    ? []
    : [{ name: 'NVIDIA_VISIBLE_DEVICES', value: 'void' }]
  const env = [
    { name: 'qanat_node', ...fieldOf('spec.nodeName') },
    { name: 'qanat_pod', ...fieldOf('metadata.name') },
    ...hidden,
  ]
  const command = ['sh', '-c', podScript(plan)]
  const own = podSpec(place, { image, ...(pull !== null && { pull }), command, env, requests, limits })
  return {
    ...own,
    terminationGracePeriodSeconds: gracePeriod,
    // Each group has its limit; this is for a pod that hangs. That of a job would remove the pod with its log.
    ...(time !== null && { activeDeadlineSeconds: time * launchedCount(plan) + 3600 }),
    ...(pullSecrets.length > 0 && { imagePullSecrets: pullSecrets.map(name => ({ name })) }),
    ...pod,
    ...(own.affinity && { affinity: { ...affinityOf(pod), ...own.affinity } }),
  }
}

/** @throws UserError if it says beside which pods it is to be: that is ours where all pods are on one node */
function affinityOf({ affinity = {} }: Manifest): Manifest {
  if (!Object.hasOwn(affinity as Manifest, 'podAffinity')) return affinity as Manifest
  throw new UserError(
    'the submit template sets pod.affinity.podAffinity, and with results: node all pods are on one node',
    'leave podAffinity out; that node is chosen by pod: {nodeSelector: {…}}',
  )
}

/** What a pod runs: it waits for the folder of the launch, which a volume may show late, and starts job.sh. */
function podScript({ place, attempt, environment }: RunPlan): string {
  const shell = environment.shell.length > 0 ? environment.shell.map(expandableWord).join(' ') : 'sh'
  return `run=${quoteWord(place.there)} node=$qanat_node pod=$qanat_pod
unset qanat_node qanat_pod
launch=$run/${launchFolder(attempt)}
tries=12
while ! { [ -r "$launch/job.sh" ] && [ -r "$launch/settings.sh" ]; }; do
  if [ "$tries" = 0 ]; then
    echo "qanat: the node $node cannot read $launch" >&2
    exit ${launchFailed}
  fi
  tries=$((tries - 1))
  sleep 5
  ls "$launch" >/dev/null 2>&1
done
mkdir -p "$run/${podLogs}"
exec ${shell} "$launch/job.sh" pod '' "$node" "$pod" 0 >>"$run/${podLogs}/$pod.log" 2>&1
`
}
