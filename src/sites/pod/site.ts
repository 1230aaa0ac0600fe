import { join } from 'node:path'
import { runLabel } from '../../domain/pods/manifest.js'
import type { Job, Pod } from '../../domain/pods/objects.js'
import { jobEnd, podWait } from '../../domain/pods/reasons.js'
import type { Place } from '../../domain/runs/run-plan.js'
import { OperationError } from '../../errors.js'
import { type ProgramResult, runProgram, runProgramInto } from '../../system/programs.js'
import { type FarPlace, farSite } from '../far/site.js'
import type { ProgramQuery, Query, Site } from '../site.js'
import { Courier, type CourierPlace } from './courier.js'

/** A namespace as a place of this project. */
export type PodPlace = CourierPlace & Omit<FarPlace, 'transport'>

/**
 * A namespace of a cluster: kubectl runs on this machine, and everything else, with all files, in a pod of ours on the volume that
 * the pods of runs write to. Nothing of ours is installed there.
 */
export function podSite(place: PodPlace): Site {
  const courier = new Courier(place)
  const far = farSite({ ...place, transport: courier })
  const { title, kubectl, volume, user } = place
  return {
    ...far,
    namespace: { title, kubectl, volume, user },
    async visit(queries, places, ending) {
      const ours = queries.filter(isKubectl)
      const others = queries.filter(query => !isKubectl(query))
      const answers = await Promise.all(
        ours.map(
          async ({ key, command, options }): Promise<[string, ProgramResult]> => [
            key,
            await runProgram(command, { ...options, ...(ending && { ending }) }),
          ],
        ),
      )
      const isIdle =
        others.length === 0 && (places.length === 0 || answers.some(([, each]) => haveNotBegun(each, places)))
      if (isIdle) return new Map(answers)
      // Files are read after the pods were looked at: one that has ended by then has recorded that.
      const more = await far.visit(others, places, ending)
      if (volume.onOneNode) await courier.remove()
      return new Map([...answers, ...more])
    },
    async run(command, options, kept) {
      if (command[0] !== 'kubectl') return far.run(command, options, kept)
      if (!kept) return runProgram(command, options)
      const { place: folder, before, output } = kept
      await far.mutate(folder, before.changes)
      await far.put(folder, before.entries)
      // Pods that are to come choose their node, which may not be that of the courier.
      if (volume.onOneNode) await courier.remove()
      return runProgramInto([join(folder.here, output[0]), join(folder.here, output[1])], command, options)
    },
    interactive: () => Promise.reject(noTerminal(place.name)),
    start: () => Promise.reject(noTerminal(place.name)),
    leave: () => courier.remove(),
  }
}

/** Whether the pods of so many runs wait, as `kubectl get` tells, and no other was there before: no file is new. */
function haveNotBegun({ exitCode, stdout }: ProgramResult, runs: readonly Place[]): boolean {
  if (exitCode !== 0) return false
  const { items = [] } = JSON.parse(stdout) as { items?: readonly (Job | Pod)[] }
  const waiting = items.filter(item => item.kind === 'Pod')
  const tokens = new Set(waiting.map(({ metadata }) => metadata.labels?.[runLabel]))
  return (
    tokens.size === runs.length &&
    items.every(item => (item.kind === 'Pod' ? podWait(item) !== null : !item.status?.failed && jobEnd(item) === null))
  )
}

function isKubectl(query: Query): query is ProgramQuery {
  return 'command' in query && query.command[0] === 'kubectl'
}

function noTerminal(name: string): OperationError {
  return new OperationError(
    `${name} is a namespace of a cluster, where no program can be started on a terminal yet`,
    'kubectl exec -it POD -- sh        opens a shell in a pod that runs',
  )
}
