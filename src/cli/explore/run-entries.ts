import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isOver, totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { splitWords } from '../../domain/text/words.js'
import { retryRun } from '../../operations/launch/retry-run.js'
import { findExperiment } from '../../operations/registry/find-experiment.js'
import { cancelRun } from '../../operations/runs/cancel-run.js'
import { editComment, readComment } from '../../operations/runs/comment-run.js'
import { deleteRun } from '../../operations/runs/delete-run.js'
import { groupDetails } from '../../operations/runs/group-details.js'
import { logFiles } from '../../operations/runs/log-files.js'
import { runAction } from '../../operations/runs/run-action.js'
import { whyRun } from '../../operations/runs/why-run.js'
import { absolutePath, type Workspace } from '../../operations/workspace.js'
import { folderTree } from '../../runfolder/folder-tree.js'
import { page } from '../../system/pager.js'
import { displayable } from '../../views/format/displayable.js'
import { markdownText } from '../../views/format/markdown.js'
import { styleOf } from '../../views/format/style.js'
import { outcomeText } from '../../views/run.js'
import { parametersText } from '../../views/runs/groups.js'
import { whyText } from '../../views/why.js'
import { askForText, confirm } from '../prompts.js'

/** Something that can be done with a run; its letter is always the same. */
export interface RunEntry {
  readonly key: string
  readonly name: string
  readonly hint: string
  run(): Promise<void>
}

/** Letters of actions; the others have a meaning of their own. */
const actionKeys = [...'hijklmnostuvyz']

/** What can be done with a run, as it is now. */
export function runEntries(workspace: Workspace, run: Run): RunEntry[] {
  const folder = absolutePath(workspace, run.storagePath)
  const hasFolder = existsSync(folder)
  const { failed, lost, cancelled } = run.counts
  const tell = (text: string) => void process.stderr.write(`${displayable(text)}\n`)
  const entries: (RunEntry | false)[] = [
    hasFolder &&
      entry('a', 'Show output(s)', 'What the groups have printed, in your pager', () => showLogs(workspace, run, {})),
    hasFolder &&
      entry('b', 'Show error(s)', 'What the groups have printed to stderr', () =>
        showLogs(workspace, run, { stderr: true }),
      ),
    entry('c', 'Show parameters', 'The parameters of every group', () => page(parameterLines(workspace, run))),
    hasFolder && entry('d', 'Show comment', 'comment.md of the run', () => showComment(workspace, run)),
    hasFolder &&
      entry('e', 'Explore run directory', 'The files of the run', () => page([`${folder}\n${folderTree(folder)}\n`])),
    hasFolder &&
      entry('f', logName(run), 'What the scheduler has to say', () =>
        showLogs(workspace, run, { scheduler_log: true }),
      ),
    entry('g', 'Delete run', 'The run and its folder; asks first', () => deleteAsked(workspace, run)),
    ...actionEntries(workspace, run),
    hasParameterFiles(run, folder) &&
      entry('p', 'Show parameters file(s)', 'The files that came with --parameters_file', () =>
        page(parameterFiles(run, folder)),
      ),
    failed + lost + cancelled > 0 &&
      entry('r', 'Retry', 'Run the groups that did not finish again', async () => {
        const { groups } = await retryRun(
          workspace,
          run,
          { only: null, submitTemplate: null, resume: false },
          new AbortController().signal,
        )
        tell(`${groups} group${groups === 1 ? '' : 's'} launched again`)
      }),
    !isOver(run.counts) &&
      entry('x', 'Cancel', 'End what lives of the run', async () => {
        tell(outcomeText(styleOf(process.stderr), await cancelRun(workspace, run), []))
      }),
    run.status !== 'finished' &&
      entry('w', 'Why', 'Why it failed or waits', async () => {
        tell(whyText(styleOf(process.stderr), await whyRun(workspace, run, null)))
      }),
  ]
  return entries.filter(each => each !== false)
}

function entry(key: string, name: string, hint: string, run: () => Promise<void>): RunEntry {
  return { key, name, hint, run }
}

function logName(run: Run): string {
  const names: Record<string, string> = { slurm: 'Show Slurm script and log', htcondor: 'Show HTCondor log(s)' }
  return names[run.runner] ?? 'Show log of the supervisor'
}

function actionEntries(workspace: Workspace, run: Run): RunEntry[] {
  const { actions } = findExperiment(workspace, run.experiment)
  return actions.slice(0, actionKeys.length).map(({ name, description }, number) =>
    entry(actionKeys[number]!, `Action: ${name}`, description || 'An action of the experiment', async () => {
      const words = splitWords(await askForText(`Arguments of ${name}`, ''))
      const total = totalOf(run.counts)
      const asked = total > 1 ? await askForText(`Group, 0 to ${total - 1} (empty: the whole run)`, '') : ''
      const group = asked.trim() === '' ? null : asked.trim()
      await runAction(workspace, run, { action: name, group, words })
    }),
  )
}

async function showLogs(
  workspace: Workspace,
  run: Run,
  choice: { stderr?: boolean; scheduler_log?: boolean },
): Promise<void> {
  const files = await logFiles(workspace, run, { stderr: false, scheduler_log: false, ...choice })
  await page(texts(files))
}

function* texts(files: readonly { readonly title: string; readonly path: string }[]): Generator<string> {
  for (const { title, path } of files) {
    if (files.length > 1) yield `==> ${title} <==\n`
    yield existsSync(path) ? readFileSync(path, 'utf8') : '(nothing yet)\n'
  }
}

function* parameterLines(workspace: Workspace, run: Run): Generator<string> {
  for (const { index, parameters } of groupDetails(workspace, run))
    yield `group ${index}  ${parametersText(parameters)}\n`
}

async function showComment(workspace: Workspace, run: Run): Promise<void> {
  const comment = readComment(workspace, run)
  if (comment !== null) return page([markdownText(styleOf(process.stdout), comment)])
  if (await confirm('There is no comment yet. Write one?', false)) await editComment(workspace, run)
}

async function deleteAsked(workspace: Workspace, run: Run): Promise<void> {
  if (!(await confirm(`Delete run ${run.id} (${run.storagePath})?`, false))) return
  const left = await deleteRun(workspace, run)
  if (left)
    workspace.warn(`${left} is not a folder that the run made in the project's results and was left where it is`)
}

function parametersFolder(run: Run, folder: string): string {
  return join(groupFolder(folder, totalOf(run.counts), 0), 'parameters_files')
}

function hasParameterFiles(run: Run, folder: string): boolean {
  return existsSync(parametersFolder(run, folder))
}

function* parameterFiles(run: Run, folder: string): Generator<string> {
  const files = parametersFolder(run, folder)
  for (const name of readdirSync(files)) yield `==> ${name} <==\n${readFileSync(join(files, name), 'utf8')}\n`
}
