import { join, relative } from 'node:path'
import { changesSince } from '../../code/compare.js'
import { type ScriptState, scriptState } from '../../code/script-state.js'
import type { ActionTree, MadeFile } from '../../domain/action-record.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import { fewInSentence } from '../../domain/text/names.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { userCommand } from '../../domain/user-command.js'
import { InterruptedError, OperationError, UserError } from '../../errors.js'
import { atomicWrite } from '../../system/files.js'
import { runHere } from '../../system/programs.js'
import { beforeEnding } from '../../system/signals.js'
import { inTemporaryFolder } from '../../system/temporary-folder.js'
import { actionScript, missingText } from '../registry/script-file.js'
import { readAgain } from '../results/index-metrics.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { type ActionCall, ActionRecording } from './action-recording.js'
import { actionTree } from './action-tree.js'
import { findAction } from './find-action.js'
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
  /** Its script, when it was called. */
  readonly script: ScriptState
  readonly tree: ActionTree | null
  /** The files that it has made or changed. */
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
  const places = placesOf(workspace, targets)
  warnOfMissing(workspace, places)
  const [script, tree] = await Promise.all([
    scriptState(absolutePath(workspace, file)),
    actionTree(workspace, experiment, action),
  ])
  await warnOfChanges(workspace, file, places, script)
  return beforeEnding(ending =>
    inTemporaryFolder(async folder => {
      const manifest = join(folder, 'manifest.json')
      const folders = places.map(({ storagePath }) => storagePath)
      const words = [...request.words, ...folderWords(action, folders, manifest)]
      if (action.runs === 'manifest') atomicWrite(manifest, manifestText(workspace, action, places))
      const { document, interruption } = request
      return call(workspace, { action, file, places, document, words, script, tree }, { interruption, ending, output })
    }),
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
  const recording = await ActionRecording.begin(workspace, called)
  const options = { environment: environmentOf(root, places), cwd: root, output, ending }
  const isEnded = () => interruption.aborted || ending.aborted
  const end = isEnded() ? null : await runHere(userCommand(action, words), options)
  const code = end?.code ?? null
  // A script may end well by Ctrl-C, as TensorBoard does.
  const isInterrupted = code !== 0 && (isEnded() || end?.isInterrupted)
  const made = await recording.end(isInterrupted ? null : code).finally(() => {
    // It may have written metrics, also if it was interrupted.
    readAgain(
      workspace,
      places.map(({ run }) => run),
    )
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
function environmentOf(root: string, [one, ...others]: readonly Place[]): NodeJS.ProcessEnv {
  const { QANAT_RUN_ID, QANAT_STORAGE_PATH, QANAT_COMMIT, QANAT_GROUP_INDEX, ...environment } = process.env
  if (!one || others.length > 0) return { ...environment, QANAT_PROJECT: root }
  return {
    ...environment,
    QANAT_RUN_ID: String(one.run.id),
    QANAT_STORAGE_PATH: one.storagePath,
    QANAT_COMMIT: one.run.commit,
    QANAT_PROJECT: root,
    ...(one.group !== null && { QANAT_GROUP_INDEX: String(one.group) }),
  }
}

/** An action works on what is there, which is not all of a run that lives or has failed. */
function warnOfMissing({ warn }: Workspace, places: readonly Place[]): void {
  for (const { run, group } of places) {
    const [finished, total] = [run.counts.finished, totalOf(run.counts)]
    if (group === null && finished < total)
      warn(`only ${finished} of the ${total} groups of run ${run.id} have finished`)
  }
}

/** Shows each different change of the script, with the runs since whose commits it was made; a later call names only the command that shows it. */
async function warnOfChanges(
  workspace: Workspace,
  file: string,
  places: readonly Place[],
  { content }: ScriptState,
): Promise<void> {
  const { project, store, cwd, warn } = workspace
  const commits = new Map<string, number[]>()
  for (const { run } of places) commits.set(run.commit, [...(commits.get(run.commit) ?? []), run.id])
  const changes = new Map<string, { commit: string; ids: readonly number[] }>()
  for (const [commit, ids] of commits) {
    const diff = await changesSince(project.root, commit, file)
    const same = changes.get(diff)
    if (diff !== '') changes.set(diff, { commit, ...same, ids: [...(same?.ids ?? []), ...ids] })
  }
  const seen = changes.size === 0 ? [] : store.actions.commitsBehind(file, content)
  const path = relative(cwd, absolutePath(workspace, file))
  for (const [diff, { commit, ids }] of changes) {
    const since =
      commits.size === 1
        ? 'the commit of the run'
        : `the commits of run ${fewInSentence([...new Set(ids)].map(String))}`
    const again = `; this shows how: ${displayCommand(['git', 'diff', commit.slice(0, 12), '--', path])}`
    warn(`the script has changed since ${since}${seen.includes(commit) ? again : `:\n${diff.trimEnd()}`}`)
  }
}
