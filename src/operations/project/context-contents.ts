import { dirname, join } from 'node:path'
import { type Claim, claimText } from '../../domain/pods/claim.js'
import { ownSelector } from '../../domain/pods/manifest.js'
import type { Pod } from '../../domain/pods/objects.js'
import { kubectlError } from '../../domain/pods/refusals.js'
import { SchedulerError } from '../../errors.js'
import { contextText } from '../../project/contexts/edit.js'
import type { Namespace } from '../../sites/site.js'
import { mirrorOf } from '../folder/mirror.js'
import { dayOf, firstOf, leaving } from '../folder/purge.js'
import { resultFolder, type Workspace } from '../workspace.js'

/** How long the other machine may count, in milliseconds: a folder with very many files takes longer. */
const patience = 20_000

/** Something of ours that lies in a context. */
export interface LiesThere {
  readonly what: string
  /** Absolute, there; null if nobody has logged in yet. */
  readonly path: string | null
  /** Null if it was not counted. */
  readonly bytes: number | null
  /** When it goes, and by what. */
  readonly goes: string
}

/** What is in the namespace of a context, of all projects. */
export interface InCluster {
  /** The claim in words, as in `scratch: Bound, 40Gi, ReadWriteMany`; null without one. */
  readonly claim: string | null
  /** Pods of ours. */
  readonly pods: readonly { readonly name: string; readonly phase: string }[]
}

/** A context, and what lies there of this project. */
export interface ContextContents {
  /** As YAML. */
  readonly text: string
  readonly runs: number
  /** Of how many runs not all files are here. */
  readonly notFetched: number
  readonly there: readonly LiesThere[]
  /** Why sizes are not known; null if they are. */
  readonly uncounted: string | null
  /** Null for a machine, and for a cluster that does not answer. */
  readonly inCluster: InCluster | null
}

/** What is known of a context; its sizes are asked for there. @param workspace whose runs are launched in it */
export async function contextContents(workspace: Workspace): Promise<ContextContents> {
  const { project, site, store, findContext } = workspace
  const context = findContext(site.name)!
  const runs = store.runs.list().filter(run => run.site === site.name)
  const soon = leaving(workspace, context, runs, Date.now())
  const removal = soon.length === 0 ? '' : `; the site removes the first files on ${dayOf(firstOf(soon))}`
  const results = resultFolder(workspace)
  const own = dirname(project.cacheFolder)
  const stored = site.stored(project.root)
  const clean = `qanat cache clean --context ${site.name}`
  const places = [
    { what: 'runs', path: site.there(results), goes: `qanat run_delete, then qanat trash empty${removal}` },
    { what: 'code', path: site.there(project.cacheFolder), goes: clean },
    { what: 'repository', path: site.there(join(own, 'code.git')), goes: 'by hand' },
    {
      what: 'datasets',
      path: site.there(join(own, 'datasets')),
      goes: `qanat dataset push NAME --context ${site.name} --remove`,
    },
    ...(stored === null ? [] : [{ what: 'storage', path: stored, goes: 'qanat trash empty, for deleted runs' }]),
  ]
  const isInCluster = context.cluster !== null && context.results !== 'log'
  const counted = isInCluster
    ? { sizes: [], reason: 'a pod would have to count them' }
    : await sizesThere(
        workspace,
        places.map(({ path }) => path),
      )
  const isKnown = site.there(project.root) !== project.root
  const there = places.map(({ path, ...place }, at) => ({
    ...place,
    path: isKnown ? path : null,
    bytes: counted.sizes[at] ?? null,
  }))
  return {
    text: contextText(project, site.name),
    runs: runs.length,
    notFetched: runs.filter(run => !mirrorOf(workspace, run).isFetched).length,
    there,
    uncounted: counted.reason,
    inCluster: site.namespace && (await askCluster(workspace, site.namespace)),
  }
}

/** Asks for the claim and the pods of a namespace. @returns null, after a warning, if it does not tell */
async function askCluster(
  { site, warn }: Workspace,
  { kubectl, volume: { claim } }: Namespace,
): Promise<InCluster | null> {
  const ask = async <Kind>(...words: string[]): Promise<Kind | null> => {
    const result = await site.run([...kubectl, 'get', ...words, '-o', 'json'], { timeout: patience })
    if (result.exitCode !== 0) throw kubectlError(result)
    return JSON.parse(result.stdout || 'null') as Kind | null
  }
  try {
    const [pods, found] = await Promise.all([
      ask<{ items: readonly Pod[] }>('pods', '-l', ownSelector),
      claim === null ? null : ask<Claim>('persistentvolumeclaim', claim, '--ignore-not-found'),
    ])
    return {
      claim: claim && (found === null ? `${claim}: not there` : claimText(found)),
      pods: pods!.items.map(({ metadata, status }) => ({ name: metadata.name, phase: status?.phase ?? 'Pending' })),
    }
  } catch (error) {
    if (!(error instanceof SchedulerError)) throw error
    warn(`what is in the cluster is not known: ${error.message} (${error.hint})`)
    return null
  }
}

/** Sizes in bytes of folders there, 0 for one that is not there. */
async function sizesThere(
  { site }: Workspace,
  paths: readonly string[],
): Promise<{ readonly sizes: readonly (number | null)[]; readonly reason: string | null }> {
  const script = 'for each; do size=$(du -sk -- "$each" 2>/dev/null); echo "${size:-0}" | cut -f 1; done'
  try {
    const { stdout, ending } = await site.run(['sh', '-c', script, 'sh', ...paths], { timeout: patience })
    if (ending !== 'exit') return { sizes: [], reason: `counting takes longer than ${patience / 1000} s` }
    return { sizes: stdout.split('\n').map(line => Number(line) * 1024), reason: null }
  } catch (error) {
    return { sizes: [], reason: (error as Error).message }
  }
}
