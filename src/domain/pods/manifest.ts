import { mainContainer } from './reasons.js'

/** A mapping as JSON. */
export type Manifest = Readonly<Record<string, unknown>>

/** A claim of a namespace. */
export interface PodVolume {
  /** Null if there is none: each pod has a folder of its own, and its code comes from ConfigMaps. */
  readonly claim: string | null
  /** Where pods mount it, or have that folder. */
  readonly path: string
  /** Whether only the pods of one node can write it: then all are on that node. */
  readonly onOneNode: boolean
}

/** What a pod needs of its namespace. */
export interface PodPlace {
  readonly volume: PodVolume
  /** The user that it runs as; null: as the namespace or the image says. */
  readonly user: number | null
}

/** Label of everything of ours. */
export const ownLabel = { 'app.kubernetes.io/managed-by': 'qanat' }
export const ownSelector = 'app.kubernetes.io/managed-by=qanat'

/** Labels by which everything of a launch is found again. */
export const runLabel = 'qanat-run'
export const attemptLabel = 'qanat-attempt'

/** Annotations of pods without a volume: their groups, where the folder of their run is in that of the project, and their code in the root. */
export const groupsAnnotation = 'qanat-groups'
export const folderAnnotation = 'qanat-folder'
export const codeAnnotation = 'qanat-code'

/** Label of pods that have to be on one node, with their claim. */
const claimLabel = 'qanat-claim'

/** Keeps a proxy beside a pod from being added, which would never end: old releases of Istio read annotations, new ones labels. */
const withoutProxy = { 'sidecar.istio.io/inject': 'false' }

/** Labels of every pod on a volume. */
export function podLabels({ claim, onOneNode }: PodVolume) {
  return { ...ownLabel, ...withoutProxy, ...(onOneNode && { [claimLabel]: claim }) }
}

/** Keeps autoscalers from ending pods. */
export const podAnnotations = {
  'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
  'karpenter.sh/do-not-disrupt': 'true',
  ...withoutProxy,
}

/** What a pod of ours asks for that has next to nothing to do, and its limits. */
export const little = { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '128Mi' } }

/** A pod without a job, which need not have time to end. @param labels besides those of every pod */
export function barePod(
  name: string,
  volume: PodVolume,
  labels: Readonly<Record<string, string>>,
  spec: Manifest,
): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { ...podLabels(volume), ...labels }, annotations: podAnnotations },
    spec: { terminationGracePeriodSeconds: 1, ...spec },
  }
}

/** Where HOME is: a folder of the pod that can be written. */
const home = '/qanat-home'

/** What the main container of a pod is made of. */
export interface Container {
  readonly image: string
  readonly pull?: string
  readonly command: readonly string[]
  readonly env?: readonly Manifest[]
  readonly requests: Readonly<Record<string, string>>
  readonly limits: Readonly<Record<string, string>>
  /** Names of ConfigMaps whose files are in {@link codeFolder}. */
  readonly code?: readonly string[]
  /** Name of the Secret whose file is in {@link secretFolder}; null for none. */
  readonly secret?: string | null
}

/** Where the files of ConfigMaps are in a pod. */
export const codeFolder = '/qanat-code'
/** Where the file of a Secret is in a pod, and its name. */
export const secretFolder = '/qanat-secrets'
export const secretKey = 'secrets'

/** A pod of one container on the volume that every namespace admits: the fields that the level `restricted` asks for. */
export function podSpec(
  { volume, user }: PodPlace,
  { image, pull, command, env = [], requests, limits, code = [], secret = null }: Container,
) {
  const who = user === null ? {} : { runAsUser: user, runAsGroup: user }
  // The files of a large volume are not all given to a group at each start.
  const group = user === null ? {} : { fsGroup: user, fsGroupChangePolicy: 'OnRootMismatch' }
  const isRoot = user === 0
  return {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    ...(volume.onOneNode && { affinity: besideOthers(volume) }),
    securityContext: {
      ...(!isRoot && { runAsNonRoot: true }),
      ...who,
      ...group,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        name: mainContainer,
        image,
        ...(pull !== undefined && { imagePullPolicy: pull }),
        command,
        env: [{ name: 'HOME', value: home }, ...env],
        resources: { requests, limits },
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        terminationMessagePolicy: 'FallbackToLogsOnError',
        volumeMounts: [
          { name: 'qanat-volume', mountPath: volume.path },
          { name: 'qanat-home', mountPath: home },
          ...(code.length > 0 ? [{ name: 'qanat-code', mountPath: codeFolder, readOnly: true }] : []),
          ...(secret === null ? [] : [{ name: 'qanat-secrets', mountPath: secretFolder, readOnly: true }]),
        ],
      },
    ],
    volumes: [
      {
        name: 'qanat-volume',
        ...(volume.claim === null ? { emptyDir: {} } : { persistentVolumeClaim: { claimName: volume.claim } }),
      },
      { name: 'qanat-home', emptyDir: {} },
      ...(code.length > 0
        ? [{ name: 'qanat-code', projected: { sources: code.map(name => ({ configMap: { name } })) } }]
        : []),
      ...(secret === null ? [] : [{ name: 'qanat-secrets', secret: { secretName: secret } }]),
    ],
  }
}

/** Keeps a pod on the node of the others on its claim. Where there are none, it may be on any. */
function besideOthers({ claim }: PodVolume) {
  const term = { labelSelector: { matchLabels: { [claimLabel]: claim } }, topologyKey: 'kubernetes.io/hostname' }
  return { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } }
}
