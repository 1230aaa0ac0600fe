import { attemptLabel, type Manifest, ownLabel, ownSelector, runLabel, secretKey } from '../../domain/pods/manifest.js'
import type { Job } from '../../domain/pods/objects.js'
import { SchedulerError } from '../../errors.js'
import { secretsFile } from '../../runfolder/layout.js'
import type { Site } from '../../sites/site.js'
import type { SubmissionIntent } from '../types.js'
import type { PackedCode } from './code.js'
import { secretName } from './jobs.js'
import { callKubectl, kubectlPatience, namespaceOf } from './kubectl.js'

/** The labels by which everything of launches of one run is found, and nothing else. */
export function selectorOf(...launches: readonly Pick<SubmissionIntent, 'token' | 'attempt'>[]): string {
  const attempts = [...new Set(launches.map(({ attempt }) => attempt))]
  return `${ownSelector},${runLabel}=${launches[0]!.token},${attemptLabel} in (${attempts.join(',')})`
}

/**
 * Gives the pods of a launch what they wait for: their code, where there is no volume, and their secrets. The jobs own these objects,
 * which go with the last of them. Those that are there stay.
 * @throws SchedulerError with kubectl's words if it refuses
 */
export async function giveObjects(site: Site, intent: SubmissionIntent, code: PackedCode = new Map()): Promise<void> {
  const { kubectl, secrets } = namespaceOf(site)
  const secretPath = `${intent.place.there}/${secretsFile(intent.attempt)}`
  const secret = secrets.get(secretPath)
  if (code.size === 0 && secret === undefined) return
  const text = await callKubectl(site, ['get', 'jobs', '-l', selectorOf(intent), '-o', 'json'])
  const owners = (JSON.parse(text) as { items: readonly Job[] }).items.map(({ metadata: { name, uid } }) => ({
    ...{ apiVersion: 'batch/v1', kind: 'Job', name, uid },
  }))
  const labels = { ...ownLabel, [runLabel]: intent.token, [attemptLabel]: String(intent.attempt) }
  const object = (kind: string, name: string, more: Manifest) => ({
    ...{ apiVersion: 'v1', kind, immutable: true },
    ...{ metadata: { name, labels, ownerReferences: owners }, ...more },
  })
  const maps = [...code].map(([name, piece], at) =>
    object('ConfigMap', name, { binaryData: { [`part_${String(at).padStart(3, '0')}`]: piece } }),
  )
  const items = [
    ...maps,
    ...(secret === undefined ? [] : [object('Secret', secretName(intent), { stringData: { [secretKey]: secret } })]),
  ]
  const { exitCode, stderr } = await site.run([...kubectl, 'create', '-f', '-'], {
    timeout: 5 * kubectlPatience,
    input: textInput(JSON.stringify({ apiVersion: 'v1', kind: 'List', items })),
  })
  const refused = stderr.split('\n').filter(line => line.trim() !== '' && !/\(AlreadyExists\)/.test(line))
  if (exitCode !== 0 && refused.length > 0)
    throw new SchedulerError(`what the pods wait for could not be made: ${refused.at(-1)}`, 'try again')
  secrets.delete(secretPath)
}

async function* textInput(text: string) {
  yield Buffer.from(text)
}
