import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { fewInSentence } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import type { Context } from '../../project/contexts/contexts.js'
import type { Workspace } from '../workspace.js'
import { mirrorOf } from './mirror.js'

const week = 7 * 86_400_000

/** A run that has files in a context which are not here, and are removed there some day. */
interface Leaving {
  readonly run: Run
  /** From when on the site removes files of the run, in milliseconds since the epoch. */
  readonly at: number
}

/** Warns of files that sites remove within a week and that are not here. @param now milliseconds since the epoch */
export function warnOfPurge(workspace: Workspace, runs: readonly Run[], now: number): void {
  for (const text of purgeWarnings(workspace, runs, now)) workspace.warn(text)
}

/** The same warnings, one for each context. */
export function purgeWarnings(workspace: Workspace, runs: readonly Run[], now: number): string[] {
  const elsewhere = runs.filter(({ site }) => site !== workspace.here.name)
  return [...new Set(elsewhere.map(({ site }) => site))].flatMap(name => {
    const context = contextOf(workspace, name)
    if (context === null) return []
    const own = elsewhere.filter(({ site }) => site === name)
    const due = leaving(workspace, context, own, now).filter(({ at }) => at - week <= now)
    if (due.length === 0) return []
    const ids = due.map(({ run }) => run.id).sort((one, other) => one - other)
    const which = `run${ids.length === 1 ? '' : 's'} ${fewInSentence(ids.map(String))}`
    return [
      `${name} removes files of ${which} from ${dayOf(firstOf(due))} on, and not all are here: qanat run_fetch ${ids[0]}`,
    ]
  })
}

/** The runs of a context whose files are not all here, and not copied to a place that lasts, before they are removed there. */
export function leaving(workspace: Workspace, context: Context, runs: readonly Run[], now: number): Leaving[] {
  if (context.cluster || context.purge === null) return []
  const { purge, storage } = context
  return runs.flatMap(run => {
    const at = (run.finished ?? Number.NaN) + purge
    const isStored = storage !== null && run.status === 'finished'
    return isOver(run.counts) && at > now && !isStored && !mirrorOf(workspace, run).isFetched ? [{ run, at }] : []
  })
}

/** When the first files are removed. */
export function firstOf(all: readonly Leaving[]): number {
  return Math.min(...all.map(({ at }) => at))
}

/** A day of this machine, as in 2026-12-05. */
export function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toLocaleDateString('sv-SE')
}

/** Null for one that is gone, or has a mistake. */
function contextOf({ findContext }: Workspace, name: string): Context | null {
  try {
    return findContext(name)
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}
