import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inTurn, millisecondsOf } from './measure.js'
import { Project, temporaryFolder } from './project.js'

const kube = fileURLToPath(new URL('../test/clusters/kube', import.meta.url))
const root = process.env.KUBE ?? '/var/tmp/kube-box-1.36'

/** What a real Kubernetes of one node on this machine is needed for (see test/clusters/kube). */
export const kubernetesRows = [
  {
    name: 'kube-launch',
    what: 'launch of 1,000 groups on Kubernetes',
    reference: 'a courier made and ready, one `kubectl create`, one `kubectl exec` with the same tar',
    target: '≤ 1.5×',
    measure: () => inCluster(launches),
  },
  {
    name: 'kube-poll',
    what: 'a look at 1,000 groups in 50 pods that wait',
    reference: '`kubectl get`',
    target: '≤ 1×',
    unit: 'calls',
    measure: () => inCluster(cluster => looks(cluster, '50', { pod: heldBack })),
  },
  {
    name: 'kube-visit',
    what: 'a look at 1,000 groups in 5 pods that run',
    reference: '`kubectl get`',
    target: '',
    unit: 'calls',
    measure: () => inCluster(cluster => looks(cluster, '5')),
  },
  {
    name: 'kube-fetch',
    what: '`run_fetch` of 1 GB on Kubernetes',
    reference: 'a bare `kubectl exec … tar`',
    target: '≤ 1.2×',
    measure: () => inCluster(fetches),
  },
]

/** Keeps pods from taking their part of the machine. */
const heldBack = { nodeSelector: { disk: 'none' } }

async function inCluster(measure) {
  if (process.getuid?.() !== 0) {
    console.error('skipped: starting a cluster needs root')
    return null
  }
  execFileSync('bash', [kube, 'up'], { stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    return await measure(new Cluster())
  } finally {
    execFileSync('bash', [kube, 'down'], { stdio: 'ignore' })
  }
}

async function launches(cluster) {
  cluster.begin({ pod: heldBack })
  const launch = () => cluster.launch('-R', '--seed 0 1000 1')
  launch()
  const [jobs, archive] = [cluster.jobs(), cluster.archive()]
  const withoutJobs = async milliseconds => {
    cluster.kubectl('delete', 'jobs', '--all', '--wait=false')
    await sleep(5_000)
    return milliseconds
  }
  return inTurn(
    5,
    () => withoutJobs(launch()),
    () => withoutJobs(cluster.barely(jobs, archive)),
  )
}

/** How often a look at a live run calls kubectl. */
async function looks(cluster, pods, template = {}) {
  cluster.begin(template, 'sleep 600\n')
  cluster.launch('--n_threads', pods, '-R', '--seed 0 1000 1')
  await cluster.until(pods, template.pod ? 'Pending' : 'Running')
  return inTurn(
    5,
    () => cluster.calls(() => cluster.project.qanat('runs', '--refresh')),
    () => 1,
  )
}

async function fetches(cluster) {
  cluster.begin({}, 'head -c 1000000000 /dev/urandom >"$QANAT_STORAGE_PATH/large"\n')
  cluster.project.qanat('run', '--wait', 'noop')
  cluster.kubectl('create', '-f', cluster.file('courier.json', courier('bare')))
  cluster.kubectl('wait', '--for=condition=Ready', 'pod/bare', '--timeout=60s')
  const folder = cluster.kubectl('exec', 'bare', '--', 'sh', '-c', 'dirname /scratch/*/results/noop/run_1/large').trim()
  const here = temporaryFolder()
  return inTurn(
    5,
    () => {
      rmSync(join(cluster.project.path, 'results/noop/run_1/large'), { force: true })
      return cluster.project.qanat('run_fetch', '1')
    },
    () => {
      rmSync(join(here, 'large'), { force: true })
      const line = `kubectl exec bare -- tar -cf - -C ${folder} large | tar -xf - -C ${here}`
      return millisecondsOf('sh', ['-ec', line], { env: cluster.project.environment })
    },
  )
}

/** A pod that is like the couriers of Qanat. */
function courier(name) {
  const security = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }
  const container = {
    ...{ name: 'main', image: 'localhost/small:1', command: ['sh', '-c', 'trap "exit 0" TERM; sleep 3600 & wait'] },
    ...{ securityContext: security, volumeMounts: [{ name: 'claim', mountPath: '/scratch' }] },
  }
  const spec = {
    ...{ restartPolicy: 'Never', terminationGracePeriodSeconds: 1, containers: [container] },
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    volumes: [{ name: 'claim', persistentVolumeClaim: { claimName: 'scratch' } }],
  }
  return JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec })
}

/** A namespace of a real Kubernetes, and somebody who may do there what the role `edit` allows. */
class Cluster {
  project = new Project(['noop'])
  home = temporaryFolder()
  /** Each call of kubectl is a line of it. */
  log = join(this.home, 'calls')
  launches = 0

  constructor() {
    const { home, log } = this
    for (const folder of ['bin', 'qanat']) mkdirSync(join(home, folder))
    this.file('bin/kubectl', `#!/bin/sh\necho call >>${log}\nexec ${root}/usr/local/bin/kubectl "$@"\n`)
    chmodSync(join(home, 'bin/kubectl'), 0o755)
    const volume = '{claim: scratch, path: /scratch, size: 5Gi, class: shared}'
    const context = `{cluster: {namespace: lab}, volume: ${volume}, courier: "localhost/small:1", poll_interval: 1}`
    this.file('qanat/contexts.yaml', `lab: ${context}\n`)
    Object.assign(this.project.environment, {
      PATH: `${home}/bin:${process.env.PATH}`,
      KUBECONFIG: execFileSync('bash', [kube, 'config', 'researcher'], { encoding: 'utf8' }).trim(),
      ...{ XDG_CONFIG_HOME: home, XDG_STATE_HOME: join(home, 'state'), QANAT_CONTEXT: 'lab' },
    })
  }

  /** @param template of its pods @param script that each group runs */
  begin(template, script = 'exit 0\n') {
    const { path } = this.project
    writeFileSync(join(path, 'noop.sh'), script)
    const whole = JSON.stringify({ image: 'localhost/box:1', pull: 'Never', ...template })
    writeFileSync(join(path, '.qanat/config.yaml'), `kubernetes: {default: ${whole}}\n`)
    this.project.git('commit', '--quiet', '--all', '--message', 'A template')
  }

  /** A launch of a commit that is new there. */
  launch(...words) {
    const { project } = this
    this.launches++
    writeFileSync(join(project.path, 'number'), String(this.launches))
    project.git('add', 'number')
    project.git('commit', '--quiet', '--message', 'A number')
    return project.qanat('run', '--detach', 'noop', ...words)
  }

  /** The jobs of the first launch, as JSON. */
  jobs() {
    return readFileSync(join(this.project.path, 'results/noop/run_1/.run/kubernetes.json'), 'utf8')
  }

  /** An archive of all that the first launch has put on the volume. */
  archive() {
    const volume = this.kubectl('get', 'persistentvolumeclaim', 'scratch', '-o', 'jsonpath={.spec.volumeName}')
    const folder = temporaryFolder()
    cpSync(join(root, 'volumes', volume.replace('shared-', '')), join(folder, 'bare'), { recursive: true })
    execFileSync('tar', ['-czf', join(folder, 'all.tar'), '-C', folder, 'bare'])
    return join(folder, 'all.tar')
  }

  /** The same work without Qanat. */
  barely(jobs, archive) {
    this.launches++
    const name = `bare-${this.launches}`
    const token = /"qanat-run": "(\w{8})/.exec(jobs)[1]
    const mine = this.file('jobs.json', jobs.replaceAll(token, String(this.launches).padStart(8, '0')))
    const pod = this.file('courier.json', courier(name))
    const line = `kubectl create -f ${pod}
kubectl wait --for=condition=Ready pod/${name} --timeout=60s
kubectl exec -i ${name} -- tar -xzof - -C /scratch <${archive}
kubectl create -f ${mine} -o name`
    return millisecondsOf('sh', ['-ec', line], { env: this.project.environment })
  }

  /** How many calls of kubectl something makes. */
  calls(work) {
    writeFileSync(this.log, '')
    work()
    return readFileSync(this.log, 'utf8').split('\n').length - 1
  }

  async until(count, phase) {
    const words = ['-l', 'qanat-run', '--field-selector', `status.phase=${phase}`, '-o', 'name']
    while (this.kubectl('get', 'pods', ...words).split('\n').length - 1 < Number(count)) await sleep(1_000)
  }

  /** A file beside those of the project. @returns its path */
  file(name, text) {
    writeFileSync(join(this.home, name), text)
    return join(this.home, name)
  }

  /** What kubectl prints for the administrator. */
  kubectl(...words) {
    return execFileSync('bash', [kube, 'kubectl', '--namespace', 'lab', ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }
}
