import { relative } from 'node:path'
import { type Admission, admittedLimits, freeAdmission } from '../../domain/pods/admission.js'
import {
  attemptLabel,
  codeAnnotation,
  codeFolder,
  folderAnnotation,
  groupsAnnotation,
  type Manifest,
  ownLabel,
  type PodPlace,
  podAnnotations,
  podLabels,
  runLabel,
} from '../../domain/pods/manifest.js'
import { pouredWord } from '../../domain/pods/poured.js'
import { launchedCount, launchFolder, type RunPlan } from '../../domain/runs/run-plan.js'
import { launchFailed } from '../../domain/runs/verdicts.js'
import { expandableWord, quoteWord } from '../../domain/text/shell-text.js'
import { podLogs } from '../../runfolder/layout.js'
import type { JobHandle } from '../types.js'
import type { KubernetesOptions } from './options.js'
import { templateSpec } from './pod.js'

/** Without --n_threads there are so many pods at most. */
const usualWorkers = 10

/** A list of jobs as `kubectl create` takes it. */
export interface JobList {
  readonly apiVersion: 'v1'
  readonly kind: 'List'
  readonly items: readonly JobManifest[]
}

type Annotations = Readonly<Record<string, string>>

interface JobManifest {
  readonly apiVersion: 'batch/v1'
  readonly kind: 'Job'
  readonly metadata: Manifest & { readonly name: string }
  readonly spec: Manifest & {
    readonly completions: number
    readonly parallelism: number
    readonly template: {
      readonly metadata: Manifest & { readonly annotations: Annotations }
      readonly spec: Manifest
    }
  }
}

/** A weekend of pods that are taken from their nodes must not end a job. */
const backoffLimit = 1000
/** What a pod that is told to end has for that, in seconds: its group has ten, and a teardown comes after. */
const gracePeriod = 60

/** The label by which Kueue finds the queue of a template. */
export function queueLabel({ queue }: KubernetesOptions): Readonly<Record<string, string>> {
  return queue === null ? {} : { 'kueue.x-k8s.io/queue-name': queue }
}

/** How many pods a launch asks for. */
export function workersOf(plan: Pick<RunPlan, 'slots' | 'indices' | 'groupCount'>): number {
  return Math.min(plan.slots ?? usualWorkers, launchedCount(plan))
}

/** How many pods jobs have at a time. */
export function podsOf({ items }: JobList): number {
  return items.reduce((sum, { spec }) => sum + spec.parallelism, 0)
}

/**
 * Jobs of one pod each, which deal the groups of a launch among themselves. Where a quota does not allow so many, one job has all pods.
 * Without a volume, each has its share of the groups, and one pod: nobody but that pod knows what it has done. So there are fewer then.
 * @param code names of the ConfigMaps with the code, without a volume
 * @throws UserError if the namespace demands what the template does not say
 */
export function jobsOfLaunch(
  plan: RunPlan,
  options: KubernetesOptions,
  place: PodPlace,
  admission: Admission = freeAdmission,
  code: readonly string[] = [],
): JobList {
  const labels = { ...ownLabel, [runLabel]: plan.token, [attemptLabel]: String(plan.attempt) }
  const stem = jobStem(plan)
  const template = {
    metadata: {
      labels: { ...labels, ...podLabels(place.volume) },
      annotations: podAnnotations,
    },
    spec: specOf(plan, { ...options, limits: admittedLimits(options, admission) }, place, code),
  }
  const isShared = place.volume.claim !== null
  const workers = workersOf(plan)
  const fits = workers <= admission.jobs
  const pods = isShared && !fits ? workers : 1
  const jobs = fits ? workers : isShared ? 1 : Math.max(1, admission.jobs)
  const list: JobList = {
    apiVersion: 'v1',
    kind: 'List',
    items: Array.from({ length: jobs }, (_, worker) => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: `${stem}-${worker}`, labels: { ...labels, ...queueLabel(options) } },
      spec: { backoffLimit: isShared ? backoffLimit : 0, completions: pods, parallelism: pods, template },
    })),
  }
  if (isShared) return list
  const annotations = {
    [folderAnnotation]: relative(plan.projectRoot, plan.place.there),
    // A dry run has no copy yet.
    [codeAnnotation]: relative(place.volume.path, plan.copied?.copy ?? plan.workingDirectory),
  }
  return withShares(list, plan.indices ?? Array.from({ length: plan.groupCount }, (_, index) => index), annotations)
}

/** Where the code of jobs without a volume is in the root; null for others, which deal their groups among themselves. */
export function copyOf({ items }: JobList): string | null {
  return items[0]?.spec.template.metadata.annotations[codeAnnotation] ?? null
}

/** Deals groups to jobs, each of which has one more than the next at most. */
function withShares({ items, ...list }: JobList, indices: readonly number[], more: Annotations): JobList {
  const shareOf = (worker: number) => indices.filter((_, at) => at % items.length === worker).join(' ')
  return {
    ...list,
    items: items.map(({ spec, ...job }, worker) => {
      const { metadata, ...template } = spec.template
      const annotations = {
        ...metadata.annotations,
        ...more,
        [groupsAnnotation]: shareOf(worker),
      }
      return { ...job, spec: { ...spec, template: { ...template, metadata: { ...metadata, annotations } } } }
    }),
  }
}

/**
 * Jobs with some of the pods once more, with names of their own.
 * @param generation from 1
 * @param indices of the groups that they deal among themselves, without a volume
 */
export function jobsAgain(
  { items, ...list }: JobList,
  workers: number,
  generation: number,
  indices: readonly number[] = [],
): JobList {
  const again: JobList = {
    ...list,
    items: items.slice(0, workers).map(({ metadata, spec, ...job }) => {
      const pods = Math.min(spec.parallelism, workers)
      return {
        ...job,
        metadata: { ...metadata, name: metadata.name.replace(/(r\d+)?-(\d+)$/, `r${generation}-$2`) },
        spec: { ...spec, completions: pods, parallelism: pods },
      }
    }),
  }
  return copyOf(again) === null ? again : withShares(again, indices, {})
}

/** The beginning of the names of the jobs of a launch, which are unique in a namespace. */
export function jobStem({ jobName, token, attempt }: Pick<JobHandle, 'jobName' | 'token' | 'attempt'>): string {
  const name = jobName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
  return `qanat-${name.slice(-30).replace(/^-+/, '')}-${token.slice(0, 8)}-${attempt}`
}

/** The name of the Secret of a launch. */
export function secretName(intent: Pick<JobHandle, 'jobName' | 'token' | 'attempt'>): string {
  return `${jobStem(intent)}-secrets`
}

/** Whether the pods of jobs wait for a Secret. */
export function hasSecret({ items }: JobList): boolean {
  const volumes = (items[0]?.spec.template.spec.volumes ?? []) as readonly Manifest[]
  return volumes.some(volume => Object.hasOwn(volume, 'secret'))
}

function specOf(plan: RunPlan, options: KubernetesOptions, place: PodPlace, code: readonly string[]): Manifest {
  const secret = Object.keys(plan.environment.secrets).length > 0 ? secretName(plan) : null
  const isShared = place.volume.claim !== null
  const fieldOf = (fieldPath: string) => ({ valueFrom: { fieldRef: { fieldPath } } })
  const env = [
    { name: 'qanat_node', ...fieldOf('spec.nodeName') },
    { name: 'qanat_pod', ...fieldOf('metadata.name') },
    ...(isShared ? [] : [{ name: 'qanat_groups', ...fieldOf(`metadata.annotations['${groupsAnnotation}']`) }]),
  ]
  const command = ['sh', '-c', `${isShared ? '' : unpackingScript(plan, place.volume.path)}${podScript(plan)}`]
  return templateSpec(
    options,
    place,
    { command, env, code, secret },
    {
      terminationGracePeriodSeconds: gracePeriod,
      // Each group has its limit; this is for a pod that hangs. That of a job would remove the pod with its log.
      ...(options.time !== null && { activeDeadlineSeconds: options.time * launchedCount(plan) + 3600 }),
    },
  )
}

/**
 * What a pod without a volume runs first: it unpacks the code, and takes its share of the plan. Its log, which is descriptor 8 then,
 * is all that comes back.
 */
function unpackingScript({ token, place, attempt }: RunPlan, root: string): string {
  const plan = quoteWord(`${place.there}/${launchFolder(attempt)}/plan`)
  return `echo ${pouredWord(token)} begin
cat ${codeFolder}/* | tar -xzo -f - -C ${quoteWord(root)} || exit ${launchFailed}
while IFS= read -r line; do
  case " qanat-plan $qanat_groups " in *" \${line%% *} "*) printf '%s\n' "$line" ;; esac
done <${plan} >${plan}.own && mv ${plan}.own ${plan} || exit ${launchFailed}
unset qanat_groups
exec 8>&1
`
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
