import { join } from 'node:path'
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
      // Files are read after the pods were looked at: one that has ended by then has recorded that.
      const more = others.length + places.length > 0 ? await far.visit(others, places, ending) : new Map()
      return new Map([...answers, ...more])
    },
    async run(command, options, kept) {
      if (command[0] !== 'kubectl') return far.run(command, options, kept)
      if (!kept) return runProgram(command, options)
      const { place: folder, before, output } = kept
      await far.mutate(folder, before.changes)
      await far.put(folder, before.entries)
      return runProgramInto([join(folder.here, output[0]), join(folder.here, output[1])], command, options)
    },
    interactive: () => Promise.reject(noTerminal(place.name)),
    start: () => Promise.reject(noTerminal(place.name)),
    leave: () => courier.remove(),
  }
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
