import { setTimeout as sleep } from 'node:timers/promises'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { runFolder } from '../../operations/folder/run-files.js'
import { refuseForeign } from '../../operations/refresh/foreign-attempts.js'
import { refreshRun } from '../../operations/refresh/refresh-runs.js'
import { submissionsOf } from '../../operations/refresh/submissions.js'
import { fetchLogs, type LogChoice, logFiles } from '../../operations/runs/log-files.js'
import { readFolder, type Workspace } from '../../operations/workspace.js'
import { presenceOf } from '../../runfolder/files/presence.js'
import { fileSize } from '../../system/regular-file.js'
import { warningOnce } from './follow-launch.js'
import { Headings, Tail } from './tail.js'

/** Milliseconds between two reads of the logs of a run that is followed. */
const interval = 250
/** The same for those that have to be fetched, at least: nine tenths of the time, the link is free. */
const fetchPause = 2_000
const namedFiles = 3

/**
 * Prints logs of a run to stdout, byte for byte; with `follow` also what is added to them until the run is over.
 * @throws UserError if its folder is gone, or something else is in its place
 */
export async function printLogs(workspace: Workspace, run: Run, choice: LogChoice, follow: boolean): Promise<void> {
  runFolder(workspace, run)
  const files = await logFiles(workspace, run, choice)
  await fetchLogs(workspace, run, files)
  const headings = files.length > 1 ? new Headings(process.stdout) : null
  const tails = files.map(file => new Tail(file, process.stdout, headings))
  const pump = () => {
    for (const tail of tails) tail.pump()
  }
  pump()
  if (!follow && tails.every(tail => tail.isEmpty)) {
    const { isMirror } = readFolder(workspace, run)
    const presences = files.map(({ path }) => presenceOf({ path, isMirror }))
    const there = files.filter((_, at) => presences[at] === 'there')
    const named = (there.length > 0 ? there : files).slice(0, namedFiles).map(({ path }) => path)
    const absent = presences.includes('not fetched')
      ? 'are not fetched'
      : isOver(run.counts)
        ? 'are not there'
        : 'do not exist yet'
    const state = there.length > 0 ? 'are empty' : absent
    workspace.warn(`these logs ${state}: ${named.join(', ')}${await elsewhere(workspace, run, choice)}`)
  }
  if (follow && !isOver(run.counts)) refuseForeign(run, await submissionsOf(workspace, run), 'logs')
  // What is fetched is shown, too.
  const silent: Workspace = { ...warningOnce(workspace), note: () => {}, progress: () => {} }
  let current = run
  let next = 0
  while (follow && !isOver(current.counts)) {
    await sleep(interval)
    current = await refreshRun(silent, current)
    const began = performance.now()
    if (isOver(current.counts) || began >= next) {
      await fetchLogs(silent, current, files)
      const ended = performance.now()
      next = ended + Math.max(fetchPause, 10 * (ended - began))
    }
    pump()
  }
}

/** Where to look if there is only stderr; empty if there is none either. */
async function elsewhere(workspace: Workspace, run: Run, choice: LogChoice): Promise<string> {
  if (choice.stderr || choice.scheduler_log) return ''
  const errors = await logFiles(workspace, run, { ...choice, stderr: true })
  if (errors.every(({ path }) => fileSize(path) <= 0)) return ''
  const group = choice.group === undefined ? '' : `.${choice.group}`
  return `. See: qanat run_logs ${run.id}${group} --stderr`
}
