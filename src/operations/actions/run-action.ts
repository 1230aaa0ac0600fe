import { relative } from 'node:path'
import { changesSince } from '../../code/compare.js'
import { type ScriptState, scriptState } from '../../code/script-state.js'
import type { ActionTree, MadeFile } from '../../domain/action-record.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { fewInSentence } from '../../domain/text/names.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { InterruptedError, OperationError, UserError } from '../../errors.js'
import { callScript, keepManifest } from '../../project/scripts/user-script.js'
import type { EnvironmentChange } from '../../system/programs.js'
import { beforeEnding } from '../../system/signals.js'
import { usualChoice } from '../folder/fetch-files.js'
import { fetchNeeded } from '../folder/fetch-needed.js'
import { findAction } from '../registry/find-action.js'
import { actionScript, missingText } from '../registry/script-file.js'
import { readAgain } from '../results/index-metrics.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { type ActionCall, ActionRecording } from './action-recording.js'
import { actionTree } from './action-tree.js'
import { folderWords, manifestText, type Place, placesOf, type Target } from './targets.js'

/** A request to run an action. */
export interface ActionRequest {
  readonly action: string
  readonly words: readonly string[]
  /** The document that needs it; null if it was typed. */
  readonly document: string | null
  /** Aborted by Ctrl-C, which reaches the script by itself. */
  readonly interruption: AbortSignal
}

/** What an action has done. */
export interface ActionOutcome {
  readonly script: ScriptState
  readonly tree: ActionTree | null
  readonly made: readonly MadeFile[]
}

/**
 * Runs an action once on runs of an experiment, on the user's terminal, and records it; warns if its script has changed since
 * the commit of a run.
 * @param targets at least one; several only for an action that takes several
 * @throws UserError naming what is missing, before anything runs; OperationError if the action fails; InterruptedError if
 * Ctrl-C ends the action, whose files are recorded even so, as they are if a signal ends this process
 */
export async function runAction(
  workspace: Workspace,
  targets: readonly Target[],
  request: ActionRequest,
  output: 'stdout' | 'stderr' = 'stdout',
): Promise<ActionOutcome> {
  const { experiment } = targets[0]!.run
  const action = findAction(workspace, experiment, request.action)
  const file = actionScript(workspace, experiment, action)
  if (file === null) {
    throw new UserError(
      `the script of the action ${action.name} does not exist: ${missingText(action) || '(none)'}`,
      `qanat experiment update ${experiment}        changes it`,
    )
  }
  for (const { run, group } of targets) await fetchInputs(workspace, run, group)
  const places = placesOf(workspace, targets)
  warnOfMissing(workspace, places)
  const [script, tree] = await Promise.all([
    scriptState(absolutePath(workspace, file)),
    actionTree(workspace, experiment, action),
  ])
  await warnOfChanges(workspace, file, places)
  const folders = places.map(({ storagePath }) => storagePath)
  const manifest =
    action.runs === 'manifest' ? keepManifest(workspace.project, manifestText(workspace, action, places)) : ''
  const words = [...request.words, ...folderWords(action, folders, manifest)]
  const { document, interruption } = request
  return beforeEnding(ending =>
    call(workspace, { action, file, places, document, words, script, tree }, { interruption, ending, output }),
  )
}

async function call(
  workspace: Workspace,
  called: ActionCall,
  {
    interruption,
    ending,
    output,
  }: { readonly interruption: AbortSignal; readonly ending: AbortSignal; readonly output: 'stdout' | 'stderr' },
): Promise<ActionOutcome> {
  const { root } = workspace.project
  const { action, places, words, script, tree } = called
  const runs = places.map(({ run }) => run)
  const recording = await ActionRecording.begin(workspace, called)
  const options = { environment: environmentOf(root, places), cwd: root, output, ending }
  const isEnded = () => interruption.aborted || ending.aborted
  const end = isEnded() ? null : await callScript(action, words, options)
  const code = end?.code ?? null
  // A script may end well by Ctrl-C, as TensorBoard does.
  const isInterrupted = code !== 0 && (isEnded() || end?.isInterrupted)
  const made = await recording.end(isInterrupted ? null : code).finally(() => {
    // It may have written metrics, also if it was interrupted.
    readAgain(workspace, runs)
  })
  if (isInterrupted) throw interrupted(called)
  if (code !== 0) throw new OperationError(`the action ${action.name} ended with code ${code}`)
  return { script, tree, made }
}

function interrupted({ action, places, document }: ActionCall): InterruptedError {
  const unfinished = document === null ? '' : `; the document ${document} is not compiled`
  return new InterruptedError(
    `the action ${action.name} was interrupted${unfinished}`,
    `qanat action --list ${places[0]!.run.id}        shows what it has made until then`,
  )
}

/** The variables that tell about a run are there for a single one only: those of a group that calls Qanat are not passed on. */
function environmentOf(root: string, [one, ...others]: readonly Place[]): EnvironmentChange {
  const unset = ['QANAT_RUN_ID', 'QANAT_STORAGE_PATH', 'QANAT_COMMIT', 'QANAT_GROUP_INDEX']
  if (!one || others.length > 0) return { unset, set: { QANAT_PROJECT: root } }
  const set = {
    QANAT_RUN_ID: String(one.run.id),
    QANAT_STORAGE_PATH: one.storagePath,
    QANAT_COMMIT: one.run.commit,
    QANAT_PROJECT: root,
    ...(one.group !== null && { QANAT_GROUP_INDEX: String(one.group) }),
  }
  return { unset, set }
}

/** Fetches what `run_fetch` does of a run elsewhere: which files the script reads is not known. */
async function fetchInputs(workspace: Workspace, run: Run, group: number | null): Promise<void> {
  const stayed = (await fetchNeeded(workspace, run, usualChoice, group))?.stayed.length ?? 0
  if (stayed > 0)
    workspace.warn(
      `${stayed} file${stayed === 1 ? ' of run' : 's of run'} ${run.id} ${stayed === 1 ? 'is' : 'are'} not fetched\nqanat run_fetch ${run.id} --all        fetches all`,
    )
}

/** An action works on what is there, which is not all of a run that lives or has failed. */
function warnOfMissing({ warn }: Workspace, places: readonly Place[]): void {
  for (const { run, group } of places) {
    const [finished, total] = [run.counts.finished, totalOf(run.counts)]
    if (group === null && finished < total)
      warn(`only ${finished} of the ${total} groups of run ${run.id} have finished`)
  }
}

/** Says in one line since the commits of which runs the script has changed, and how to see the first change. */
async function warnOfChanges(workspace: Workspace, file: string, places: readonly Place[]): Promise<void> {
  const { project, cwd, warn } = workspace
  const ids = new Map<string, Set<number>>()
  for (const { run } of places) ids.set(run.commit, (ids.get(run.commit) ?? new Set()).add(run.id))
  const changed: { commit: string; isNew: boolean }[] = []
  for (const commit of ids.keys()) {
    const diff = await changesSince(project.root, commit, file)
    if (diff !== '') changed.push({ commit, isNew: /^new file mode/m.test(diff) })
  }
  const [first] = changed
  if (first === undefined) return
  const since = changed.flatMap(({ commit }) => [...ids.get(commit)!]).map(String)
  const commits =
    ids.size === 1
      ? 'the commit of the run'
      : `the commits of run${since.length > 1 ? 's' : ''} ${fewInSentence(since)}`
  const path = relative(cwd, absolutePath(workspace, file))
  const how = displayCommand(['git', 'diff', first.commit.slice(0, 12), '--', path])
  const what = changed.every(({ isNew }) => isNew) ? 'is newer than' : 'has changed since'
  warn(`the script ${what} ${commits}; this shows how: ${how}`)
}
