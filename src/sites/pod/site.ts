import { join } from 'node:path'
import { runLabel } from '../../domain/pods/manifest.js'
import type { Job, Pod } from '../../domain/pods/objects.js'
import { jobEnd, podWait } from '../../domain/pods/reasons.js'
import { kubectlError } from '../../domain/pods/refusals.js'
import { shellPodName } from '../../domain/pods/terminal.js'
import type { Place } from '../../domain/runs/run-plan.js'
import { UserError } from '../../errors.js'
import type { Entry } from '../../system/folders/entries.js'
import { type ProgramResult, runProgram, runProgramInto } from '../../system/programs.js'
import { type FarPlace, type FarSite, farSite } from '../far/site.js'
import type { Namespace, ProgramQuery, Query, Site } from '../site.js'
import { removePod } from './begin.js'
import { Courier, type CourierPlace } from './courier.js'
import { converseInPod } from './terminal.js'

/** A namespace as a place of this project. */
export type PodPlace = CourierPlace & Omit<FarPlace, 'transport'>

/**
 * A namespace of a cluster: kubectl runs on this machine, and everything else, with all files, in a pod of ours on the volume that
 * the pods of runs write to. Nothing of ours is installed there.
 */
export function podSite(place: PodPlace): Site {
  const courier = new Courier(place)
  const far = farSite({ ...place, transport: courier })
  const { title, kubectl, volume, user, name } = place
  // Pods choose their node when nothing of ours is on one.
  const letGo = () => (volume.onOneNode ? courier.remove() : Promise.resolve())
  return {
    ...clusterSite(far, name, { title, kubectl, volume, user }, letGo),
    async visit(queries, places, ending) {
      const [answers, others] = await askKubectl(queries, ending)
      const isIdle =
        others.length === 0 && (places.length === 0 || answers.some(([, each]) => haveNotBegun(each, places)))
      if (isIdle) return new Map(answers)
      // Files are read after the pods were looked at: one that has ended by then has recorded that.
      const more = await far.visit(others, places, ending)
      await letGo()
      return new Map([...answers, ...more])
    },
    leave: () => courier.remove(),
  }
}

/**
 * A namespace whose files are where another site has them.
 * @param beforePods called before pods are made
 */
export function clusterSite(
  far: FarSite,
  name: string,
  namespace: Omit<Namespace, 'secrets'>,
  beforePods = () => Promise.resolve(),
): Site {
  const secrets = new Map<string, string>()
  return {
    ...far,
    namespace: { ...namespace, secrets },
    put: (place, entries) => far.put(place, keepingSecrets(place, entries, secrets)),
    async run(command, options, kept) {
      if (command[0] !== 'kubectl') return far.run(command, options, kept)
      if (!kept) return runProgram(command, options)
      const { place: folder, before, output } = kept
      if (before.changes.length > 0) await far.mutate(folder, before.changes)
      await far.put(folder, before.entries)
      await beforePods()
      return runProgramInto([join(folder.here, output[0]), join(folder.here, output[1])], command, options)
    },
    async interactive(file, use) {
      if (use.pod === null) throw onlyPods(name)
      if (use.pod.manifest !== null) await beforePods()
      return converseInPod(namespace.kubectl, file, { ...use, pod: use.pod })
    },
    leaveTerminal: folder => removePod(namespace.kubectl, shellPodName(folder)),
    start: () => Promise.reject(onlyPods(name)),
  }
}

/** Passes entries on, but for secrets. */
function* keepingSecrets({ there }: Place, entries: Iterable<Entry>, secrets: Map<string, string>): Generator<Entry> {
  for (const entry of entries) {
    if (entry.access === 'secret') secrets.set(`${there}/${entry.path}`, [...entry.text].join(''))
    else yield entry
  }
}

/**
 * Asks what kubectl can tell, here.
 * @returns the answers, and the queries that are for a place where files are
 * @throws SchedulerError with kubectl's words if it does not answer
 */
export async function askKubectl(
  queries: readonly Query[],
  ending?: AbortSignal,
): Promise<[answers: [string, ProgramResult][], others: Query[]]> {
  const isKubectl = (query: Query): query is ProgramQuery => 'command' in query && query.command[0] === 'kubectl'
  const answers = queries.filter(isKubectl).map(async ({ key, command, options }): Promise<[string, ProgramResult]> => {
    const result = await runProgram(command, { ...options, ...(ending && { ending }) })
    if (result.exitCode !== 0) throw kubectlError(result)
    return [key, result]
  })
  return [await Promise.all(answers), queries.filter(query => !isKubectl(query))]
}

/** The jobs and pods in an answer of `kubectl get`. */
export function objectsIn({ stdout }: ProgramResult): readonly (Job | Pod)[] {
  return (JSON.parse(stdout) as { items?: readonly (Job | Pod)[] }).items ?? []
}

/** Whether the pods of so many runs wait, as `kubectl get` tells, and no other was there before: no file is new. */
function haveNotBegun(answer: ProgramResult, runs: readonly Place[]): boolean {
  const items = objectsIn(answer)
  const waiting = items.filter(item => item.kind === 'Pod')
  const tokens = new Set(waiting.map(({ metadata }) => metadata.labels?.[runLabel]))
  return (
    tokens.size === runs.length &&
    items.every(item => (item.kind === 'Pod' ? podWait(item) !== null : !item.status?.failed && jobEnd(item) === null))
  )
}

function onlyPods(name: string): UserError {
  return new UserError(
    `${name} is a namespace of a cluster, where only the runner kubernetes starts anything`,
    'leave --runner out',
  )
}
