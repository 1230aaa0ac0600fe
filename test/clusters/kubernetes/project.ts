import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, inject } from 'vitest'
import type { FaultPoint } from '../../../src/system/fault-point.js'
import { type Outcome, outcomeOf } from '../../e2e/program.js'
import { Folder, program, projectWith } from '../../e2e/project.js'
import { ContextProject } from '../contexts/laptop.js'
import { kube, kubeconfig, kubectl } from './cluster.js'

/** Whether there is no cluster here. */
export const noCluster = inject('noCluster') !== null

/** Where pods mount the claim. */
const mount = '/scratch'

/** Where somebody works who has the role `edit` in one namespace, and nothing else. */
export class Desk {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'qanat-desk-')))

  /** @param claim null for none @param results of the context @param config of kubectl */
  constructor(
    readonly claim: string | null,
    results: string,
    namespace = 'lab',
    private readonly config = kubeconfig(),
  ) {
    const volume = `volume: {claim: ${claim}, path: ${mount}, size: 5Gi, class: shared}`
    mkdirSync(join(this.home, 'qanat'))
    const settings = `lab:
  cluster: {namespace: ${namespace}}
  results: ${results}
  ${claim === null ? '' : volume}
  courier: localhost/small:1
  poll_interval: 1
`
    writeFileSync(join(this.home, 'qanat/contexts.yaml'), settings)
  }

  get environment(): NodeJS.ProcessEnv {
    return {
      PATH: `${kube}/usr/local/bin:${process.env.PATH}`,
      KUBECONFIG: this.config,
      XDG_CONFIG_HOME: this.home,
      XDG_STATE_HOME: join(this.home, 'state'),
      QANAT_CONTEXT: 'lab',
    }
  }
}

/** Makes a desk before the tests around this call. */
export function withDesk(claim: string | null = 'scratch', results = 'volume'): () => Desk {
  let desk: Desk
  beforeAll(() => {
    desk = new Desk(claim, results)
  })
  afterAll(() => rmSync(desk.home, { recursive: true, force: true, maxRetries: 5 }))
  return () => desk
}

/** A folder with a kubectl that is the real one, but for some calls. @param unlike shell lines that come first, with its words as arguments */
export function otherKubectl(desk: Desk, unlike: string): NodeJS.ProcessEnv {
  const folder = mkdtempSync(join(desk.home, 'kubectl-'))
  writeFileSync(join(folder, 'kubectl'), `#!/bin/sh\n${unlike}\nexec "${kube}/usr/local/bin/kubectl" "$@"\n`, {
    mode: 0o755,
  })
  return { PATH: `${folder}:${desk.environment.PATH}` }
}

/** The program that can be killed, see `faultPoint`. */
const mortalProgram = fileURLToPath(new URL('../../../dist-faults/qanat.cjs', import.meta.url))

/** A project whose runs live in the namespace. */
export class PodProject extends ContextProject {
  protected override readonly root = mount
  claim: string | null = null

  override with(environment: NodeJS.ProcessEnv): PodProject {
    const project = new PodProject(this.folder, this.program, { ...this.environment, ...environment })
    project.claim = this.claim
    return project
  }

  /** Runs a command that kills itself at a point, like `kill -9`. */
  killedAt(point: FaultPoint, ...args: string[]): Promise<Outcome> {
    const env = { ...process.env, ...this.environment, QANAT_FAULT: this.path('..', point) }
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    return outcomeOf(spawn(process.execPath, [mortalProgram, ...args], { cwd: this.folder, env, stdio: [...stdio] }))
  }

  /** The number of the volume, asked once: the API server may be away. */
  private volume: string | null = null

  /** The volume is a folder of the cluster. */
  protected override locate(path: string): string {
    this.volume ??= kubectl('get', 'persistentvolumeclaim', this.claim!, '-o', 'jsonpath={.spec.volumeName}')
    return join(kube, 'volumes', this.volume.replace('shared-', ''), path.slice(mount.length))
  }
}

/** The template of the tests. */
export const image = 'image: localhost/box:1, pull: Never'

/** A project with the experiment `it`, whose runs live in the namespace. */
export async function podProject(desk: Desk, code: string, templates = '', name = 'project'): Promise<PodProject> {
  const base = await projectWith(code)
  const path = join(new Folder().path, name)
  execFileSync('cp', ['-a', base.path, path])
  const project = new PodProject(path, program, { ...base.environment, ...desk.environment })
  project.claim = desk.claim
  project.write('.qanat/config.yaml', `grace: 9\n${templates}`)
  await project.commit('settings')
  // Makes the claim, and the id of the clone.
  const { stderr, code: exit } = await project.qanat('run', '--dry_run', 'it')
  if (exit !== 0) throw new Error(stderr)
  // Scripts of tests end with their project.
  if (desk.claim !== null) project.writeThere('.git/HEAD', '')
  return project
}

/** A script that notes that its group begins, then does what its arguments say. */
export const script = 'echo "$QANAT_GROUP_INDEX" >>"$QANAT_PROJECT/ran"\neval "$1"\n'

/** Which groups have begun, in ascending order: one that began twice is there twice. */
export function begun(it: PodProject): number[] {
  const lines = it.read('ran').split('\n')
  return lines
    .filter(line => line !== '')
    .map(Number)
    .sort((one, other) => one - other)
}

export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
