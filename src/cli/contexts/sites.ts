import type { PodVolume } from '../../domain/pods/manifest.js'
import { HERE } from '../../domain/runs/run.js'
import { quoteWord } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import type { Workspace } from '../../operations/workspace.js'
import { claimClone, cloneOf } from '../../project/clone.js'
import type { Config } from '../../project/config.js'
import { type ClusterContext, type Context, findContext, type MachineContext } from '../../project/contexts/contexts.js'
import { expandedFolder, folderOfClone } from '../../project/contexts/roots.js'
import type { Project } from '../../project/find-project.js'
import { runnerKinds } from '../../runners/index.js'
import { here } from '../../sites/here.js'
import { hasClaim, type Volume } from '../../sites/pod/claim.js'
import { logSite } from '../../sites/pod/log-site.js'
import { podSite } from '../../sites/pod/site.js'
import type { Site } from '../../sites/site.js'
import type { SshHost } from '../../sites/ssh/connection.js'
import { sshSite } from '../../sites/ssh/site.js'
import type { Store } from '../../store/store.js'

/** The name of the context in which runs are launched that name none. */
export function usedContext({ context }: Pick<Config, 'context'>): string {
  return process.env.QANAT_CONTEXT || context || HERE
}

/** How a context is reached. */
export function hostOf({ name, host, shellWords }: MachineContext): SshHost {
  return { host, shell: shellWords, login: `qanat context login ${quoteWord(name)}` }
}

/**
 * The sites of a project by name; each is made once. One whose context is gone, or where nobody has logged in yet, refuses
 * everything: its runs are shown as they are known.
 */
export function sitesOf(project: Project, store: Store): Pick<Workspace, 'findSite' | 'leaveSites'> {
  const made = new Map<string, Site>([[HERE, here]])
  return {
    findSite(name) {
      const site = made.get(name) ?? siteOrRefusal(name, () => siteOf(project, store, findContext(project, name)))
      made.set(name, site)
      return site
    },
    async leaveSites() {
      await Promise.all(Array.from(made.values(), site => site.leave?.()))
    },
  }
}

function siteOrRefusal(name: string, make: () => Site): Site {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return refusal(name, error)
  }
}

/** A site that cannot be used, with the reason. */
function refusal(name: string, reason: UserError): Site {
  const refuse = () => Promise.reject(reason)
  const verbs = {
    probe: refuse,
    put: refuse,
    mutate: refuse,
    visit: refuse,
    fetch: refuse,
    push: refuse,
    run: refuse,
    interactive: refuse,
    start: refuse,
  }
  return {
    name,
    isHere: false,
    namespace: null,
    pollInterval: null,
    patience: 0,
    there: path => path,
    stored: () => null,
    ...verbs,
  }
}

function siteOf(project: Project, store: Store, context: Context): Site {
  const folders = context.cluster ? { root: context.root, storage: null } : foldersThere(context)
  const clone = cloneOf(project) ?? store.transaction(() => claimClone(project.root))
  const own = folderOfClone(project, clone)
  const { root, storage } = folders
  const place = {
    name: context.name,
    pollInterval: context.pollInterval,
    rules: context.fetch,
    programs: runnerKinds.flatMap(kind => kind.programs),
    project: { here: project.root, there: `${root}/${own}` },
    storage: storage === null ? null : `${storage}/${own}`,
  }
  if (!context.cluster) return sshSite({ ...place, ...hostOf(context) })
  const { volume, ...namespace } = namespaceOf(context)
  return hasClaim(volume)
    ? podSite({ ...place, ...namespace, volume, image: context.courier, owner: clone.id.slice(0, 8) })
    : logSite({ ...place, ...namespace, volume })
}

/** The folders of a context as they were last expanded there. @throws UserError if nobody has logged in since they were written */
function foldersThere(context: MachineContext) {
  const { login } = hostOf(context)
  const root = expandedFolder(context.host, context.root)
  if (root === null) throw new UserError(`nobody has logged in to ${context.name} yet`, login)
  const storage = context.storage === null ? null : expandedFolder(context.host, context.storage)
  if (context.storage !== null && storage === null)
    throw new UserError(`nobody has logged in to ${context.name} since it has a storage`, login)
  return { root, storage }
}

/** How the namespace of a context is reached, and its volume. */
export function namespaceOf({ name, cluster, volume, results, root, user }: ClusterContext) {
  const { context, namespace } = cluster
  const kubectl = [
    'kubectl',
    ...(context === null ? [] : ['--context', context]),
    ...(namespace === null ? [] : ['--namespace', namespace]),
  ]
  const own: Volume | PodVolume = { claim: null, path: root, ...volume, onOneNode: results === 'node' }
  return { title: name, kubectl, namespace, volume: own, user }
}
