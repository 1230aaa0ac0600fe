import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { inject } from 'vitest'
import { type Outcome, program } from '../e2e/project.js'
import { inBox, sharedFolder } from './box.js'
import { LifecycleProject } from './lifecycle-project.js'

/** Why the schedulers cannot be had here, or null. */
export const noBox = inject('noBox')

const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
}

/** A project of the user `researcher`, on the login node of the cluster. */
export class ClusterProject extends LifecycleProject {
  constructor(
    folder: string,
    private readonly environment: NodeJS.ProcessEnv = {},
    private readonly login = '',
  ) {
    super(folder)
  }

  override qanat(...args: string[]): Promise<Outcome> {
    return this.command('node', program, ...args)
  }

  override command(...words: string[]): Promise<Outcome> {
    return inBox(this.folder, words, { ...identity, ...this.environment }, this.login)
  }

  /** The same project with other variables around the commands. */
  with(environment: NodeJS.ProcessEnv): ClusterProject {
    return new ClusterProject(this.folder, { ...this.environment, ...environment })
  }

  /** The same project on another login node. */
  on(login: string): ClusterProject {
    return new ClusterProject(this.folder, this.environment, login)
  }

  override write(path: string, text: string): void {
    super.write(path, text)
    execFileSync('chown', ['-R', '1000:1000', this.folder])
  }
}

/** Folders of projects with the experiment `it`, by its script: each is made once, and copied. */
const bases = new Map<string, Promise<string>>()

async function makeBase(script: string): Promise<string> {
  const project = new ClusterProject(sharedFolder())
  project.write('it.sh', script)
  project.write('it.yaml', 'name: it\nexecutable: it.sh\nexecutable_command: sh\n')
  const { code, stderr } = await project.qanat('init', '--yes')
  if (code !== 0) throw new Error(stderr)
  await project.qanat('experiment', 'new', '-f', 'it.yaml')
  await project.commit('it')
  return project.folder
}

/** A project with the experiment `it`, which runs a script, and has these templates for its runners, as YAML. */
export async function clusterProject(script: string, templates = '', name = 'project'): Promise<ClusterProject> {
  const project = new ClusterProject(sharedFolder(name))
  const base = bases.get(script) ?? makeBase(script)
  bases.set(script, base)
  cpSync(await base, project.folder, { recursive: true })
  project.write('.qanat/config.yaml', `poll_interval: 1\ngrace: 9\n${templates}`)
  await project.commit('settings')
  return project
}

/** The same, whose script runs its first argument as shell code, for one runner. @param templates beside `default`, as YAML */
export function shellProject(runner: string, templates = ''): Promise<ClusterProject> {
  return clusterProject('eval "$1"\n', `${runner}:\n  default: {}\n${templates}`)
}
