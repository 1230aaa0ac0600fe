import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { findExperiment } from '../../operations/registry/find-experiment.js'
import { absolutePath, type Workspace } from '../../operations/workspace.js'
import { exists } from '../../system/files.js'
import { cancel, deleteAsked, explainRun, retry, runActionAsked } from './act.js'
import {
  parameterFilesOf,
  showComment,
  showErrors,
  showFolder,
  showOutputs,
  showParameterFiles,
  showParameters,
  showSchedulerLogs,
} from './show.js'

/** Something that can be done with a run. */
export interface RunEntry {
  /** Its letter, the same for every run. */
  readonly key: string
  readonly name: string
  readonly hint: string
  /** Whether it makes sense for the run in its current state. */
  readonly applies: boolean
  readonly run: (workspace: Workspace, run: Run) => Promise<void>
}

/** Letters for actions; the other letters are taken. */
const actionKeys = [...'hijklmnostuvyz']

/** What can be done with a run in its current state. */
export function runEntries(workspace: Workspace, run: Run): RunEntry[] {
  const { failed, lost, cancelled } = run.counts
  const hasFolder = exists(absolutePath(workspace, run.storagePath))
  const hasParameterFiles = parameterFilesOf(workspace, run).length > 0
  const isUnfinished = failed + lost + cancelled > 0
  const entries: readonly RunEntry[] = [
    entry('a', 'Show output(s)', 'The stdout of the groups, in your pager', hasFolder, showOutputs),
    entry('b', 'Show error(s)', 'The stderr of the groups, in your pager', hasFolder, showErrors),
    entry('c', 'Show parameters', 'The parameters of every group', true, showParameters),
    entry('d', 'Show comment', 'comment.md of the run', hasFolder, showComment),
    entry('e', 'Explore run directory', 'The files of the run', hasFolder, showFolder),
    entry('f', logName(run), 'What the scheduler or the supervisor wrote', hasFolder, showSchedulerLogs),
    entry('g', 'Delete run', 'Delete the run and its folder; asks first', true, deleteAsked),
    ...actionEntries(workspace, run),
    entry(
      'p',
      'Show parameters file(s)',
      'The files given with --parameters_file',
      hasParameterFiles,
      showParameterFiles,
    ),
    entry('r', 'Retry', 'Run the groups that did not finish again', isUnfinished, retry),
    entry('x', 'Cancel', 'Cancel the live groups of the run', !isOver(run.counts), cancel),
    entry('w', 'Why', 'Why it failed or waits', run.status !== 'finished', explainRun),
  ]
  return entries.filter(({ applies }) => applies)
}

function entry(key: string, name: string, hint: string, applies: boolean, run: RunEntry['run']): RunEntry {
  return { key, name, hint, applies, run }
}

function logName(run: Run): string {
  const names: Record<string, string> = { slurm: 'Show Slurm script and log', htcondor: 'Show HTCondor log(s)' }
  return names[run.runner] ?? 'Show log of the supervisor'
}

function actionEntries(workspace: Workspace, run: Run): RunEntry[] {
  const { actions } = findExperiment(workspace, run.experiment)
  return actions
    .slice(0, actionKeys.length)
    .map(({ name, description }, number) =>
      entry(actionKeys[number]!, `Action: ${name}`, description || 'An action of the experiment', true, (...of) =>
        runActionAsked(...of, name),
      ),
    )
}
