import { randomBytes } from 'node:crypto'
import { findBuilder } from '../../code/image/provide.js'
import { barePod, little } from '../../domain/pods/manifest.js'
import { mainContainer } from '../../domain/pods/reasons.js'
import { QanatError } from '../../errors.js'
import { jobOptions } from '../../operations/launch/job-options.js'
import { configAt } from '../../operations/workspace.js'
import type { Config } from '../../project/config.js'
import type { ClusterContext } from '../../project/contexts/contexts.js'
import { resolveTemplate } from '../../project/templates/templates.js'
import type { KubernetesOptions } from '../../runners/kubernetes/options.js'
import { templateSpec } from '../../runners/kubernetes/pod.js'
import { kubernetesKind } from '../../runners/kubernetes/runner.js'
import { createPod, removeEnded, removePod, waitForPod } from '../../sites/pod/begin.js'
import { hasClaim } from '../../sites/pod/claim.js'
import { kubectl } from '../../sites/pod/kubectl.js'
import type { Finding } from '../../views/contexts.js'
import { namespaceOf } from './sites.js'

/** How long a pod may take to begin, in milliseconds: its image may have to be pulled. */
const patience = 120_000

/** What pods need of their image, with a claim, and without one. */
const needed = ['sh', 'mkdir', 'date', 'tail']
const neededForLogs = [...needed, 'tar', 'gzip', 'base64', 'sha256sum']

/** The images of the templates of a context and its project, each tried in a pod, and what builds images here if one is to be built. */
export async function imageFindings(config: Config, context: ClusterContext): Promise<Finding[]> {
  const all = configAt({ config, findContext: () => context }, context)
  const tried = new Map<string, () => Promise<Finding>>()
  for (const name of Object.keys(all.templates().kubernetes ?? {})) {
    try {
      const template = resolveTemplate(all, kubernetesKind.name, name)
      const options = jobOptions({ kind: kubernetesKind }, template).options as KubernetesOptions
      if (options.build === null) tried.set(options.image, () => imageFinding(context, name, options))
      else tried.set('builder', async () => builderFinding())
    } catch (error) {
      tried.set(`template ${name}`, async () => failing('template', error))
    }
  }
  await removeEnded(namespaceOf(context).kubectl, testLabel)
  return Promise.all(Array.from(tried.values(), each => each()))
}

function builderFinding(): Finding {
  const name = 'builder'
  try {
    return { name, text: findBuilder(), advice: null }
  } catch (error) {
    return failing(name, error)
  }
}

/** What was found where an error was thrown. */
export function failing(name: string, error: unknown): Finding {
  if (!(error instanceof QanatError)) throw error
  return { name, text: error.message, advice: error.hint ?? null }
}

async function imageFinding(context: ClusterContext, template: string, options: KubernetesOptions): Promise<Finding> {
  const place = namespaceOf(context)
  const words = place.kubectl
  const pod = `qanat-test-${randomBytes(4).toString('hex')}`
  const finding = (text: string, advice: string | null) => ({ name: 'image', text: `${options.image} ${text}`, advice })
  const correct = `correct 'image' or 'pull_secrets' of the submit template ${template}`
  try {
    const begun = performance.now()
    await createPod(words, testPod(place, pod, options))
    const reason = await waitForPod(words, pod, () => performance.now() < begun + patience)
    if (reason !== null) return finding(`does not begin: ${reason}`, correct)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    const programs = hasClaim(place.volume) ? needed : neededForLogs
    const script = `for each in ${programs.join(' ')}; do command -v "$each" >/dev/null || echo "$each"; done; echo .`
    const { stdout, stderr } = await kubectl([...words, 'exec', pod, '-c', mainContainer, '--', 'sh', '-c', script])
    const [...lacking] = stdout.split('\n').filter(line => line !== '')
    if (lacking.pop() !== '.') return finding(`cannot be looked into: ${stderr.trim()}`, 'try again')
    if (lacking.length > 0)
      return finding(`has no ${lacking.join(', ')}`, `take an image that has ${programs.join(', ')}`)
    return finding(`begins after ${seconds} s`, null)
  } catch (error) {
    const { text, advice } = failing('image', error)
    return finding(`was not tried: ${text}`, advice)
  } finally {
    await removePod(words, pod)
  }
}

/** Label of the pods in which images are tried. */
const testLabel = 'qanat-test'

/** A small pod of a template: it is to begin where those of its groups have no room now. */
function testPod(place: ReturnType<typeof namespaceOf>, name: string, options: KubernetesOptions) {
  const spec = templateSpec({ ...options, ...little }, place, { command: ['sh', '-c', 'sleep 60'] }, {})
  return barePod(name, place.volume, { [testLabel]: 'image' }, spec)
}
