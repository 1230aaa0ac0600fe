import { randomBytes } from 'node:crypto'
import { dirname, join, resolve } from 'node:path'
import type { ScriptState } from '../../code/script-state.js'
import {
  type ActionInputs,
  type ActionRecord,
  type ActionState,
  type ActionTarget,
  type ActionTree,
  type MadeFile,
  stateOfAction,
} from '../../domain/action-record.js'
import type { Action } from '../../domain/experiment.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { splitWords } from '../../domain/text/words.js'
import { lifeOfCaller, thisCaller } from '../../project/scripts/caller.js'
import { digestsIn, WatchedPlaces } from '../../project/scripts/written-files.js'
import { actionPatch, writeAction } from '../../runfolder/notes/actions.js'
import type { Listing, Place as PlaceToLook } from '../../system/folders/listing.js'
import { absolutePath, storedPath, type Workspace } from '../workspace.js'
import type { Place } from './targets.js'

/** The contents of small files that are there before an action are read. */
const mostInputs = { files: 200, milliseconds: 500, largest: 1_000_000 }

/** What is about to be called. */
export interface ActionCall {
  readonly action: Action
  /** The stored path of its script. */
  readonly file: string
  /** At least one. */
  readonly places: readonly Place[]
  readonly document: string | null
  readonly words: readonly string[]
  readonly script: ScriptState
  readonly tree: ActionTree | null
}

/** Records an action from before its start: what it was given, and in the end what it has made. */
export class ActionRecording {
  private constructor(
    private readonly workspace: Workspace,
    private readonly runs: readonly Run[],
    private readonly watched: WatchedPlaces,
    private record: ActionRecord,
  ) {}

  /** Looks at what is there, and writes the record of an action that has begun. */
  static async begin(workspace: Workspace, call: ActionCall): Promise<ActionRecording> {
    const { action, file, places, script, tree, words } = call
    const runs = [...new Map(places.map(({ run }) => [run.id, run])).values()]
    const watched = new WatchedPlaces(placesToLook(workspace, call))
    const folders = places.map(({ storagePath }) => storagePath)
    const inputs = await inputsOf(workspace, folders, watched.before)
    const started = Date.now()
    const id = `${new Date(started).toISOString().replace(/[-:]|\..*/g, '')}-${randomBytes(4).toString('hex')}`
    const { path, patch } = { path: file, patch: script.patch && actionPatch(id) }
    const record: ActionRecord = {
      ...{ format: 1, id, action: action.name, experiment: runs[0]!.experiment, document: call.document },
      runs: runs.map(run => targetOf(workspace, run, places)),
      command: [...splitWords(action.executableCommand), action.executable, ...words],
      script: { path, commit: script.commit, patch, content: script.content },
      ...{ tree, ...thisCaller() },
      ...{ started, finished: null, exitCode: null, inputs },
      ...{ made: [], complete: false, shared: false },
    }
    const recording = new ActionRecording(workspace, runs, watched, record)
    recording.store(script.patch)
    return recording
  }

  /**
   * Writes how it has ended, and what has changed.
   * @param exitCode null if it was interrupted
   * @returns the files that it has made or changed
   */
  async end(exitCode: number | null): Promise<MadeFile[]> {
    const { store } = this.workspace
    const { id, started } = this.record
    const finished = Date.now()
    const { changes, complete } = await this.watched.changes()
    const made = changes.map(each => ({ ...each, path: storedPath(this.workspace, each.path) }))
    const ids = this.runs.map(run => run.id)
    const open = store.actions.openSince(ids, started)
    const isLive = [...this.runs, ...ids.map(run => store.runs.find(run))].some(run => run && !isOver(run.counts))
    const shared = isLive || open.some(other => other.id !== id && actionState(other) !== 'interrupted')
    this.record = { ...this.record, finished, exitCode, made, complete, shared }
    this.store(null)
    return made.filter(({ change }) => change !== 'removed')
  }

  /**
   * In the database, without which no action begins, and in the folders of its runs, where it survives. What cannot be
   * written there is told, and costs nothing else.
   */
  private store(patch: Uint8Array | null): void {
    const { store } = this.workspace
    let failure: unknown = null
    try {
      store.transaction(() => store.actions.put(this.record))
    } catch (error) {
      if (this.record.finished === null) throw error
      failure = error
    }
    for (const [at, { id, storagePath }] of this.runs.entries()) {
      try {
        writeAction(absolutePath(this.workspace, storagePath), this.record.runs[at]!.token, this.record, patch)
      } catch (error) {
        const { message } = error as Error
        const place = failure === null ? ', which is in the database' : ''
        this.workspace.warn(`the folder of run ${id} cannot keep the record of the action${place}: ${message}`)
      }
    }
    if (failure !== null) throw failure
  }
}

/** The state of a recorded action. */
export function actionState(record: ActionRecord): ActionState {
  return stateOfAction(record, () => lifeOfCaller(record.process))
}

function targetOf({ store }: Workspace, { id }: Run, places: readonly Place[]): ActionTarget {
  const groups = places.flatMap(({ run, group }) => (run.id === id ? [group] : []))
  const token = store.runs.token(id)
  return { id, token, groups: groups.includes(null) ? null : groups.filter(group => group !== null) }
}

/**
 * Where an action is expected to write: the folders that it is given, those of the documents, the paths among its words, and,
 * without the folders in them, those of the project, the experiment and the script.
 */
function placesToLook(workspace: Workspace, { places, file, words }: ActionCall): PlaceToLook[] {
  const { store, project } = workspace
  const { root } = project
  const documents = store.documents.list().map(({ path }) => absolutePath(workspace, path))
  const paths = words.flatMap(word => [word, word.slice(word.indexOf('=') + 1)])
  const named = paths.filter(path => path !== '' && !path.startsWith('-')).map(path => resolve(root, path))
  const isInside = (path: string) => path === root || root.startsWith(`${path === '/' ? '' : path}/`)
  const deep = [...places.map(({ storagePath }) => storagePath), ...documents, ...named].filter(path => !isInside(path))
  const experiment = store.experiments.find(places[0]!.run.experiment)?.path ?? ''
  const flat = [root, absolutePath(workspace, experiment), join(absolutePath(workspace, file), '..')]
  const all = [...deep.map(path => ({ path, deep: true })), ...flat.map(path => ({ path, deep: false }))]
  return [...new Map(all.toReversed().map(place => [place.path, place])).values()].reverse()
}

async function inputsOf(
  workspace: Workspace,
  folders: readonly string[],
  { files, complete }: Listing,
): Promise<ActionInputs> {
  const given = new Set(folders)
  const isIn = (path: string): boolean => path !== '/' && (given.has(dirname(path)) || isIn(dirname(path)))
  const found = [...files].flatMap(([path, { size }]) => (isIn(path) ? [{ path, size }] : []))
  const first = found.slice(0, mostInputs.files)
  const digests = await digestsIn(first, mostInputs)
  return {
    files: found.length,
    bytes: found.reduce((sum, { size }) => sum + size, 0),
    listed: first.map(({ path, size }) => ({
      path: storedPath(workspace, path),
      size,
      digest: digests.get(path) ?? null,
    })),
    complete,
  }
}
