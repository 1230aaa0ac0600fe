import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { submissionsOf } from '../../operations/refresh/submissions.js'
import { editComment, readComment } from '../../operations/runs/comment-run.js'
import { fetchLogs, logFiles } from '../../operations/runs/log-files.js'
import { groupDetails } from '../../operations/runs/run-details.js'
import { absolutePath, readFolder, runnerOf, type Workspace } from '../../operations/workspace.js'
import { parameterFiles } from '../../runfolder/contents.js'
import { folderTree } from '../../runfolder/folder-tree.js'
import { appended } from '../../system/appended.js'
import { isFile } from '../../system/files.js'
import { page } from '../../system/output/pager.js'
import { readRegular } from '../../system/regular-file.js'
import { markdownText } from '../../views/format/markdown.js'
import { byteText } from '../../views/format/sizes.js'
import { styleOf } from '../../views/format/style.js'
import { parametersText } from '../../views/runs/groups.js'

// The parts of a run that can be shown in the user's pager. Each function returns whether the user has seen it to its end.

/** Shows the script that a scheduler was given, with the template; then the log of the scheduler or of the pool. */
export async function showSchedulerLogs(workspace: Workspace, run: Run): Promise<boolean> {
  const { handles } = await submissionsOf(workspace, run)
  const scripts = runnerOf(workspace, run).scripts?.(handles) ?? []
  const logs = await logFiles(workspace, run, { stderr: false, scheduler_log: true })
  const template = scripts.length > 0 ? [templateText(run)] : []
  return page([...template, ...texts([...scripts, ...logs])])
}

function templateText({ runnerParameters: { submitTemplate, resolved } }: Run): string {
  const lines = Object.entries(resolved).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
  return `==> template ${submitTemplate} <==\n${lines.join('')}`
}

/** Shows what the groups wrote to one of their streams. */
export async function showLogs(workspace: Workspace, run: Run, stderr: boolean): Promise<boolean> {
  const absent = readFolder(workspace, run).isMirror ? '(not fetched)' : '(nothing yet)'
  const files = await logFiles(workspace, run, { stderr, scheduler_log: false })
  await fetchLogs(workspace, run, files)
  return page(texts(files, absent))
}

/** @param absent what is shown for a file that is not there */
function* texts(
  files: readonly { readonly title: string; readonly path: string }[],
  absent = '(nothing yet)',
): Generator<string> {
  for (const { title, path } of files) {
    if (files.length > 1) yield `==> ${title} <==\n`
    if (isFile(path)) yield* textOf(path)
    else yield `${absent}\n`
  }
}

/** A file in pieces, read only when the pager asks for them: a log may be larger than the memory. */
function* textOf(path: string): Generator<string> {
  const decoder = new TextDecoder()
  for (const piece of appended(path, 0)) yield decoder.decode(piece, { stream: true })
}

/** Shows the parameters of every group. */
export async function showParameters(workspace: Workspace, run: Run): Promise<boolean> {
  return page(groupDetails(workspace, run).map(each => `group ${each.index}  ${parametersText(each.parameters)}\n`))
}

/** Shows the comment of a run; lets the user write one if there is none. */
export async function showComment(workspace: Workspace, run: Run): Promise<boolean> {
  const comment = readComment(workspace, run)
  if (comment !== null) return page([markdownText(styleOf(process.stdout), comment)])
  await editComment(workspace, run)
  return true
}

/** Shows lines. */
export async function showLines(lines: readonly string[]): Promise<boolean> {
  return page(lines.map(line => `${line}\n`))
}

/** Shows a whole log of a group. @param file absolute */
export async function showLog(workspace: Workspace, run: Run, file: string): Promise<boolean> {
  const files = [{ title: '', path: file }]
  await fetchLogs(workspace, run, files)
  return page(texts(files))
}

/** Shows the files of a run as a tree, with their sizes. */
export async function showFolder(workspace: Workspace, run: Run): Promise<boolean> {
  const folder = readFolder(workspace, run)
  return page([`${folder.path}\n${folderTree(folder, byteText)}\n`])
}

/** Shows the files given with `--parameters_file`, which are the same for all groups. */
export async function showParameterFiles(workspace: Workspace, run: Run): Promise<boolean> {
  return page(parameterFilesOf(workspace, run).map(({ title, path }) => `==> ${title} <==\n${readRegular(path)}\n`))
}

/** Titles and absolute paths of the files given with `--parameters_file`. */
export function parameterFilesOf(workspace: Workspace, run: Run): ReturnType<typeof parameterFiles> {
  return parameterFiles(groupFolder(absolutePath(workspace, run.storagePath), totalOf(run.counts), 0))
}
