import { findBuilder } from '../../code/image/provide.js'
import { adviceForRoom } from '../../domain/full-disk.js'
import { type Claim, claimText } from '../../domain/pods/claim.js'
import { kubectlError } from '../../domain/pods/refusals.js'
import { quoteWord } from '../../domain/text/shell-text.js'
import { QanatError } from '../../errors.js'
import type { ClusterContext } from '../../project/contexts/contexts.js'
import { converse } from '../../sites/far/converse.js'
import { hasClaim, unfit, type Volume } from '../../sites/pod/claim.js'
import { Courier } from '../../sites/pod/courier.js'
import { findObject, kubectl } from '../../sites/pod/kubectl.js'
import { isMissing } from '../../sites/pod/namespace.js'
import type { Finding } from '../../views/contexts.js'
import { namespaceOf } from './sites.js'

/** How long a pod may take to answer, in milliseconds. */
const patience = 60_000

/** What runs need to do in a namespace, as `kubectl auth can-i` asks. */
const rights = ['create jobs.batch', 'get jobs.batch', 'delete jobs.batch', 'get pods', 'delete pods', 'get pods/log']
/** The same with a claim, and without one. */
const claimRights = [...rights, 'create pods', 'create pods/exec', 'get pods/exec', 'get persistentvolumeclaims']
const logRights = [...rights, 'create configmaps', 'get configmaps']

/** Asks a cluster about all that runs need in a namespace. */
export async function testNamespace(context: ClusterContext): Promise<Finding[]> {
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
    ...builderFindings(context),
  ]
}

/** What builds images here, if a template of the context has one built. */
function builderFindings({ templates }: ClusterContext): Finding[] {
  if (Object.values(templates.kubernetes ?? {}).every(({ build }) => (build ?? null) === null)) return []
  const name = 'builder'
  try {
    return [{ name, text: findBuilder(), advice: null }]
  } catch (error) {
    return [failing(name, error)]
  }
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
      text: claimText(claim),
      advice: unfit(volume.claim, claim, volume)?.advice ?? null,
    }
  } catch (error) {
    return failing(name, error)
  }
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

function failing(name: string, error: unknown): Finding {
  if (!(error instanceof QanatError)) throw error
  return { name, text: error.message, advice: error.hint ?? null }
}
