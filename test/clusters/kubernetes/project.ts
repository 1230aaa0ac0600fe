import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, inject } from 'vitest'
import { Folder, program, projectWith } from '../../e2e/project.js'
import { ContextProject } from '../contexts/laptop.js'
import { kube, kubeconfig, kubectl } from './cluster.js'

/** Whether there is no cluster here. */
export const noCluster = inject('noCluster') !== null

/** The claim of the tests, and where pods mount it. */
const claim = 'scratch'
const mount = '/scratch'

/** Where somebody works who has the role `edit` in one namespace, and nothing else. */
export class Desk {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'qanat-desk-')))

  constructor() {
    mkdirSync(join(this.home, 'qanat'))
    const settings = `lab:
  cluster: {namespace: lab}
  volume: {claim: ${claim}, path: ${mount}, size: 5Gi, class: shared}
  courier: localhost/small:1
  poll_interval: 1
`
    writeFileSync(join(this.home, 'qanat/contexts.yaml'), settings)
  }

  get environment(): NodeJS.ProcessEnv {
    return {
      PATH: `${kube}/usr/local/bin:${process.env.PATH}`,
      KUBECONFIG: kubeconfig(),
      XDG_CONFIG_HOME: this.home,
      XDG_STATE_HOME: join(this.home, 'state'),
      QANAT_CONTEXT: 'lab',
    }
  }
}

/** Makes a desk before the tests around this call. */
export function withDesk(): () => Desk {
  let desk: Desk
  beforeAll(() => {
    desk = new Desk()
  })
  afterAll(() => rmSync(desk.home, { recursive: true, force: true, maxRetries: 5 }))
  return () => desk
}

/** A project whose runs live in the namespace. */
export class PodProject extends ContextProject {
  protected override readonly root = mount

  /** The volume is a folder of the cluster. */
  protected override locate(path: string): string {
    const volume = kubectl('get', 'persistentvolumeclaim', claim, '-o', 'jsonpath={.spec.volumeName}')
    return join(kube, 'volumes', volume.replace('shared-', ''), path.slice(mount.length))
  }

  /** Kills a command in the middle, as soon as something is so. @returns whether it was killed */
  async killed(args: readonly string[], isSo: () => boolean): Promise<void> {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: this.folder,
      env: { ...process.env, ...this.environment },
      stdio: 'ignore',
    })
    const end = new Promise(resolve => child.on('close', resolve))
    while (!isSo()) spawnSync('sleep', ['0.05'])
    child.kill('SIGKILL')
    await end
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
  project.write('.qanat/config.yaml', `grace: 9\n${templates}`)
  await project.commit('settings')
  // Makes the claim, and the id of the clone.
  const { stderr, code: exit } = await project.qanat('run', '--dry_run', 'it')
  if (exit !== 0) throw new Error(stderr)
  // Scripts of tests end with their project.
  project.writeThere('.git/HEAD', '')
  return project
}
