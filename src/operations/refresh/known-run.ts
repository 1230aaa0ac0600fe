import type { KnownRun } from '../../domain/runs/judge-run.js'
import { type Attempt, groupsOf, lastAttempts } from '../../domain/runs/launch.js'
import type { Run } from '../../domain/runs/run.js'
import type { JobHandle, PolledRun } from '../../runners/types.js'
import type { Store } from '../../store/store.js'
import type { Workspace } from '../workspace.js'
import { intentOf, submissionsOf } from './submissions.js'

/** A run with everything that a refresh starts from. */
export interface RunSnapshot {
  readonly run: Run
  readonly known: KnownRun
  readonly asked: PolledRun
  /** How far each part of its files has been read. */
  readonly cursor: Readonly<Record<string, unknown>> | null
  /** The cursor as it is stored. */
  readonly cursorText: string | null
  readonly attempts: readonly Attempt[]
}

/** Reads a run from the store, and searches for submissions of a launch that died. */
export async function knownRun(workspace: Workspace, run: Run): Promise<RunSnapshot> {
  const { store } = workspace
  const { handles, partial, foreign, attempts } = await submissionsOf(workspace, run)
  const own = handles.filter(({ attempt }) => !foreign.has(attempt))
  const intent = intentOf(workspace, run, attempts[0]!)
  const { groupCount } = intent
  // Read after the search for submissions, which takes time: another command may have stored more in the meantime.
  const { cursorText, cursor, open, settled } = store.reading(() => storedState(store, run.id, groupCount))
  const attemptOf = lastAttempts(attempts)
  // Read when the run is judged: a cancellation is stored before the groups end, so it must not be older than the news.
  let later: readonly Attempt[] | null = null
  const isCancelled = (number: number) => {
    later ??= store.attempts.of(run.id)
    return (later.find(each => each.attempt === number)?.cancelled ?? null) !== null
  }
  const stored = (index: number) => store.refreshes.group(run.id, index)!
  return {
    run,
    known: { groupCount, open, settled, stored, attemptOf, isCancelled },
    asked: {
      ...{ ...intent, handles: own, partial, foreign, open, settled, attemptOf },
      ...{ asOf: run.asOf, cursor: cursor?.news ?? null, isCancelled },
    },
    cursor,
    cursorText,
    attempts,
  }
}

/** What the last look at a run has stored. */
function storedState({ refreshes }: Store, run: number, groupCount: number) {
  const cursorText = refreshes.cursor(run)
  const cursor = refreshes.readCursor(cursorText)
  const groups = refreshes.groups(run, groupCount)
  // What a run was judged by is forgotten once a group changes: only then is it safe to read the groups later.
  if (!cursor?.judged) groups.open.values()
  return { cursorText, cursor, ...groups }
}

/** The submissions with a live group, as far as is known. */
export function liveHandles({ known, asked }: RunSnapshot): JobHandle[] {
  const lives = (index: number) => !known.settled.has(index) && known.open.get(index)?.status.state !== 'lost'
  return asked.handles.filter(handle =>
    groupsOf(handle).some(index => known.attemptOf(index) === handle.attempt && lives(index)),
  )
}
