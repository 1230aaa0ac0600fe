import { expect, test } from 'vitest'
import { kubernetesDialect } from '../../../src/runners/kubernetes/options.js'
import { refusalOfShell, shellPod } from '../../../src/runners/kubernetes/shell.js'
import { plainEnvironment, planWith } from '../plans.js'

const volume = { claim: 'scratch' as string | null, path: '/scratch', onOneNode: false }
const namespace = { title: 'lab', kubectl: ['kubectl', '-n', 'x'], volume, user: 1000, secrets: new Map() }

test('the pod of a shell is that of the template, for the time of a group, and none of a run', () => {
  const plan = planWith({ place: { here: '/here/shell_1a2b3c4d', there: '/scratch/p/shell_1a2b3c4d' } })
  const resources = { cpus: 2, memory: '4G', time: '2:00:00' }
  const keys = {
    image: 'python:3.12',
    queue: 'team-a',
    pull_secrets: ['regcred'],
    pod: { nodeSelector: { disk: 'ssd' } },
  }
  const options = kubernetesDialect.parse(keys, { ...plainEnvironment, resources, secrets: { TOKEN: 'x' } as never })
  const { name, manifest } = shellPod(plan, options, namespace) as any
  expect(name).toBe('qanat-shell-1a2b3c4d')
  expect(manifest.metadata).toMatchObject({
    name,
    labels: { 'app.kubernetes.io/managed-by': 'qanat', 'kueue.x-k8s.io/queue-name': 'team-a' },
  })
  expect(Object.keys(manifest.metadata.labels)).not.toContain('qanat-run')
  expect(manifest.spec).toMatchObject({
    restartPolicy: 'Never',
    activeDeadlineSeconds: 7200,
    imagePullSecrets: [{ name: 'regcred' }],
    nodeSelector: { disk: 'ssd' },
  })
  const [main] = manifest.spec.containers
  expect(main).toMatchObject({ image: 'python:3.12', resources: { requests: { cpu: '2', memory: '4Gi' } } })
  expect(manifest.spec.volumes[0]).toEqual({ name: 'qanat-volume', persistentVolumeClaim: { claimName: 'scratch' } })
})

test('without a volume there is no shell, and it is said what to type', () => {
  expect(refusalOfShell(namespace, null)).toBe(null)
  const without = { ...namespace, volume: { ...volume, claim: null } }
  expect(refusalOfShell(without, null)).toMatchObject({
    message: expect.stringContaining('lab has no volume'),
    hint: expect.stringContaining('results: volume or node'),
  })
  expect(refusalOfShell(without, 'qanat-x-0-abc')?.hint).toMatch(/^kubectl -n x exec -it qanat-x-0-abc -- sh /)
})
