import { adviceForRoom } from '../../domain/full-disk.js'
import { quotaText, type ResourceQuota } from '../../domain/pods/admission.js'
import { type Claim, claimText } from '../../domain/pods/claim.js'
import { kubectlError } from '../../domain/pods/refusals.js'
import { quoteWord } from '../../domain/text/shell-text.js'
import type { Config } from '../../project/config.js'
import type { ClusterContext } from '../../project/contexts/contexts.js'
import { converse } from '../../sites/far/converse.js'
import { hasClaim, unfit, type Volume } from '../../sites/pod/claim.js'
import { Courier } from '../../sites/pod/courier.js'
import { findObject, kubectl } from '../../sites/pod/kubectl.js'
import { isMissing } from '../../sites/pod/namespace.js'
import type { Finding } from '../../views/contexts.js'
import { failing, imageFindings } from './images.js'
import { namespaceOf } from './sites.js'

/** How long a pod may take to answer, in milliseconds. */
const patience = 60_000

/** What runs need to do in a namespace, as `kubectl auth can-i` asks. */
const rights = ['create jobs.batch', 'get jobs.batch', 'delete jobs.batch', 'get pods', 'delete pods', 'get pods/log']
/** The same with a claim, and without one. */
const claimRights = [...rights, 'create pods', 'create pods/exec', 'get pods/exec', 'get persistentvolumeclaims']
const logRights = [...rights, 'create configmaps', 'get configmaps']

/** Asks a cluster about all that runs need in a namespace. @param config of the project, whose templates name images */
export async function testNamespace(config: Config, context: ClusterContext): Promise<Finding[]> {
  const place = namespaceOf(context)
  const ask = (...words: string[]) => kubectl([...place.kubectl, ...words])
  const version = await ask('version', '-o', 'json')
  if (version.ending === 'missing')
    return [{ name: 'kubectl', text: 'not in the PATH', advice: 'https://kubernetes.io/docs/tasks/tools/' }]
  const { clientVersion, serverVersion } = parsed(version.stdout)
  const program = { name: 'kubectl', text: clientVersion?.gitVersion ?? 'not known', advice: null }
  if (serverVersion === undefined) {
    const { message, hint } = kubectlError(version)
    return [program, { name: 'server', text: message, advice: hint ?? null }]
  }
  const server = { name: 'server', text: serverVersion.gitVersion, advice: null }
  const { namespace } = place
  const missed = namespace !== null && (await isMissing(place.kubectl, namespace))
  if (missed && (await ask('auth', 'can-i', 'create', 'namespaces')).exitCode !== 0)
    return [
      program,
      server,
      {
        name: 'namespace',
        text: `${namespace} is not there, and you may not make it`,
        advice: `kubectl create namespace ${namespace}        by somebody who may, or correct 'cluster' of the context`,
      },
    ]
  const needed = hasClaim(place.volume) ? claimRights : logRights
  const allowed = await Promise.all(
    needed.map(async right => (await ask('auth', 'can-i', ...right.split(' '))).exitCode === 0),
  )
  const missing = needed.filter((_, at) => !allowed[at])
  return [
    program,
    server,
    ...(missed ? [{ name: 'namespace', text: `${namespace} is not there, and will be made`, advice: null }] : []),
    {
      name: 'rights',
      text: missing.length === 0 ? 'all that runs need' : `missing: ${missing.join(', ')}`,
      advice: missing.length === 0 ? null : 'ask for the role edit in the namespace',
    },
    ...(hasClaim(place.volume)
      ? [await claimFinding(place.kubectl, place.volume), ...(await courierFindings(context, place.volume))]
      : [{ name: 'results', text: `come through the logs of pods, into ${place.volume.path}`, advice: null }]),
    ...(missed ? [] : [...(await quotaFindings(place.kubectl)), await levelFinding(place.kubectl, context)]),
    ...(await imageFindings(config, context)),
  ]
}

/** What the quotas of a namespace have left. */
async function quotaFindings(words: readonly string[]): Promise<Finding[]> {
  const name = 'quota'
  try {
    const found = await findObject<{ items: readonly ResourceQuota[] }>([...words, 'get', 'resourcequotas'])
    const quotas = (found?.items ?? []).map(quotaText)
    if (quotas.length === 0) return [{ name, text: 'none', advice: null }]
    return quotas.map(({ text, full }) => ({
      name,
      text,
      advice:
        full.length === 0
          ? null
          : `${full.join(', ')} of it is used up: wait until other pods have ended, or ask for more`,
    }))
  } catch (error) {
    return [failing(name, error)]
  }
}

/** The level of pod security that is enforced: pods of ours are made for the strictest one, unless they run as root. */
async function levelFinding(words: readonly string[], { cluster, user }: ClusterContext): Promise<Finding> {
  const namespace = cluster.namespace ?? (await namespaceNow(words))
  const path = 'jsonpath={.metadata.labels.pod-security\\.kubernetes\\.io/enforce}'
  const { stdout, exitCode } = await kubectl([...words, 'get', 'namespace', namespace, '-o', path])
  const level = stdout.trim()
  const text = exitCode !== 0 ? 'not known: one may not read it' : level || 'none is enforced'
  const name = 'security'
  return level === 'restricted' && user === 0
    ? {
        name,
        text: `${level}, which admits no pods of root`,
        advice: "set 'user' of the context to another number than 0",
      }
    : { name, text, advice: null }
}

/** The namespace that kubectl has now. */
async function namespaceNow(words: readonly string[]): Promise<string> {
  const path = 'jsonpath={.contexts[0].context.namespace}'
  const { stdout } = await kubectl([...words, 'config', 'view', '--minify', '-o', path])
  return stdout.trim() || 'default'
}

interface Versions {
  readonly clientVersion?: { readonly gitVersion: string }
  readonly serverVersion?: { readonly gitVersion: string }
}

function parsed(text: string): Versions {
  try {
    return JSON.parse(text) as Versions
  } catch {
    return {}
  }
}

async function claimFinding(words: readonly string[], volume: Volume): Promise<Finding> {
  const name = 'claim'
  try {
    const claim = await findObject<Claim>([...words, 'get', 'persistentvolumeclaim', volume.claim])
    if (claim === null)
      return volume.size === null
        ? {
            name,
            text: `${volume.claim} is not there`,
            advice: `volume: {claim: ${volume.claim}, size: 40Gi}        has it made`,
          }
        : { name, text: `${volume.claim} is not there, and will be made (${volume.size})`, advice: null }
    return {
      name,
      text: `${claimText(claim)}${await growthText(words, claim)}`,
      advice: unfit(volume.claim, claim, volume)?.advice ?? null,
    }
  } catch (error) {
    return failing(name, error)
  }
}

/** Whether a claim can be made larger, after a comma; empty if one may not read that. */
async function growthText(words: readonly string[], { spec }: Claim): Promise<string> {
  if (spec.storageClassName === undefined) return ''
  const path = 'jsonpath={.allowVolumeExpansion}.'
  const { stdout, exitCode } = await kubectl([...words, 'get', 'storageclass', spec.storageClassName, '-o', path])
  if (exitCode !== 0) return ''
  return stdout.trim() === 'true.' ? ', can be extended' : ', cannot be extended'
}

/** Makes a courier, and lets it tell what it sees. */
async function courierFindings(context: ClusterContext, volume: Volume): Promise<Finding[]> {
  const courier = new Courier({ ...namespaceOf(context), volume, image: context.courier, owner: 'test' })
  try {
    const begun = performance.now()
    const script = `command -v tar || echo; date +%s; exec 2>&1
cd ${quoteWord(volume.path)} && echo test >.qanat-test && echo written
rm -f .qanat-test
`
    const reply = await converse(courier, [script], patience)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    const [tar, clock, written] = reply.stdout.toString('utf8').split('\n')
    const skew = Math.round(Number(clock) - Date.now() / 1000)
    return [
      {
        name: 'courier',
        text: `${context.courier} answers after ${seconds} s${tar ? '' : ', and has no tar'}`,
        advice: tar ? null : "set 'courier' of the context to an image that has sh and tar",
      },
      volumeFinding(volume.path, context.user, written!),
      Math.abs(skew) < 5
        ? { name: 'clock', text: 'agrees', advice: null }
        : {
            name: 'clock',
            text: `${Math.abs(skew)} s ${skew > 0 ? 'ahead' : 'behind'}: times of groups are those of the cluster`,
            advice: 'correct the one that is wrong: date        tells the time of this machine',
          },
    ]
  } catch (error) {
    return [failing('courier', error)]
  } finally {
    await courier.remove()
  }
}

/** @param said `written`, or why the volume could not be written */
function volumeFinding(path: string, user: number | null, said: string): Finding {
  const by = user === null ? '' : ` by user ${user}`
  const name = 'volume'
  if (said === 'written') return { name, text: `${path} can be written${by}`, advice: null }
  return {
    name,
    text: `${path} cannot be written${by}: ${said}`,
    advice: adviceForRoom(said) ?? "set 'user' of the context to the number that owns the volume",
  }
}
