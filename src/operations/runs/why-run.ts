import { join } from 'node:path'
import type { Asked } from '../../domain/job-environment.js'
import { stopReason } from '../../domain/packs/judge-pack.js'
import { addedOptions } from '../../domain/parameters/added-options.js'
import { parameterName } from '../../domain/parameters/arguments.js'
import { isOver, totalOf } from '../../domain/runs/aggregate.js'
import { type ResourceUse, resourceUses } from '../../domain/runs/efficiency.js'
import { exitZero, type GroupReport, type GroupStatus, haltOf, hasEnded, type Run } from '../../domain/runs/run.js'
import { programOf } from '../../domain/runs/run-plan.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { QanatError } from '../../errors.js'
import { groupIn, presenceOf, type ReadFolder } from '../../runfolder/files/presence.js'
import { lastErrors, lastLines } from '../../runfolder/tails.js'
import type { Explanation, JobHandle, Witness } from '../../runners/types.js'
import type { FileThere } from '../../sites/site.js'
import { fetchNeeded } from '../folder/fetch-needed.js'
import { giveUpCommand } from '../refresh/foreign-attempts.js'
import { leftRunning, processesLeft } from '../refresh/processes-left.js'
import { submissionsOf } from '../refresh/submissions.js'
import { readFolder, runnerOf, type Workspace } from '../workspace.js'
import { endedWithZero } from './failures.js'
import { readGroup } from './find-run.js'
import { templateOf } from './run-details.js'

/** Why a group is in its state. */
export interface Why {
  readonly run: Run
  readonly index: number
  readonly status: GroupStatus
  /** What its template asks for. */
  readonly asked: Asked
  readonly witnesses: readonly Witness[]
  /** The last lines of its stderr; of its stdout if stderr is empty. */
  readonly lastWords: {
    readonly stream: 'stderr' | 'stdout'
    readonly lines: readonly string[]
    /** Whether both are here, as far as they are anywhere. */
    readonly fetched: boolean
  }
  /** Commands to type next. */
  readonly next: readonly string[]
}

const shownLines = 3
/** The largest file that is fetched for so many lines, in bytes. */
const largestOutput = 16 * 1024 * 1024
/** The exit code with which a shell says that it did not find a program. */
const notFound = 127
/** The same for a program that it may not execute. */
const notExecutable = 126
/** Signals that usually come from outside: a script that crashes ends with other ones. */
const sentSignals: readonly string[] = ['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT']

/**
 * Explains why a group failed, is lost, is held or waits.
 * @param group index as it was typed; null for the first group with a problem
 * @throws UserError for a group that does not exist
 */
export async function whyRun(workspace: Workspace, run: Run, group: string | null): Promise<Why> {
  const report = group === null ? firstProblem(workspace, run) : reportOf(workspace, run, group)
  const { index, status } = report
  const { handles, attempts, foreign } = await submissionsOf(workspace, run)
  const attempt = attempts.find(each => each.attempt === (report.attempt ?? 1)) ?? attempts[0]!
  const original = hasEnded(status.state) ? undefined : foreign.get(attempt.attempt)
  const folder = groupIn(readFolder(workspace, run), totalOf(run.counts), index)
  const nothing = { witnesses: original === undefined ? [] : [witnessOf(original)], release: null }
  const { witnesses, release } =
    handles.length > 0 && original === undefined ? await explained(workspace, run, handles, index) : nothing
  const said = lastWords(folder)
  const left = processesLeft(workspace, run).filter(({ group }) => group === index)
  const waits = status.state === 'held' && status.reason?.startsWith(stopReason)
  const isHeld = status.state === 'held' && release !== null && !waits
  return {
    run,
    index,
    status,
    asked: templateOf(workspace, run, attempt).asked,
    witnesses: [...witnesses, ...(left.length > 0 ? [{ name: 'still runs', text: leftRunning(run, left) }] : [])],
    lastWords: said,
    next: [
      ...(isHeld ? [release] : []),
      ...(original === undefined
        ? [
            ...(status.state === 'failed' ? optionHints(workspace, run, said) : []),
            ...nextCommands(workspace, run, index, status, endedWithZero(workspace, run, report)),
          ]
        : [`qanat why ${run.id}.${index}        in ${original}`, giveUpCommand(run.id)]),
    ],
  }
}

/** The same. The output of the group is fetched for it if it is not here, unless it is large. */
export async function whyWithOutput(workspace: Workspace, run: Run, group: string | null): Promise<Why> {
  const why = await whyRun(workspace, run, group)
  if (why.lastWords.fetched) return why
  const isOutput = ({ path, size }: FileThere) => size <= largestOutput && /(^|\/)std(err|out)\.txt$/.test(path)
  await fetchNeeded(workspace, run, () => isOutput, why.index)
  return whyRun(workspace, run, String(why.index))
}

/** What the runner says of a group; of a context that does not answer, only that. */
async function explained(
  workspace: Workspace,
  run: Run,
  handles: readonly JobHandle[],
  index: number,
): Promise<Explanation> {
  const runner = runnerOf(workspace, run)
  try {
    return await runner.explain(handles, index)
  } catch (error) {
    if (runner.site.isHere || !(error instanceof QanatError)) throw error
    return { witnesses: [{ name: run.site, text: error.message }], release: null }
  }
}

function witnessOf(original: string): Witness {
  const text = `the group belongs to the project in ${original}: this project counts as a copy of it`
  return { name: 'project', text: `${text}: how the group goes on is known only there` }
}

function lastWords(folder: ReadFolder): Why['lastWords'] {
  const fetched = ['stderr.txt', 'stdout.txt'].every(file => presenceOf(folder, file) !== 'not fetched')
  const lines = lastErrors(join(folder.path, 'stderr.txt'), shownLines)
  if (lines.length > 0) return { stream: 'stderr', lines, fetched }
  return { stream: 'stdout', lines: lastLines(join(folder.path, 'stdout.txt'), shownLines), fetched }
}

function reportOf(workspace: Workspace, run: Run, text: string): GroupReport {
  const index = readGroup(run, text)
  const known = workspace.store.runs.groups(run.id).find(report => report.index === index)
  return known ?? { index, status: { state: 'pending' } }
}

/** Picks the first group with a problem, else the first that waits, else the first one. */
function firstProblem(workspace: Workspace, run: Run): GroupReport {
  const { runs } = workspace.store
  for (const state of ['failed', 'lost', 'held', 'cancelled', 'running'] as const) {
    const [report] = runs.groupsIn(run.id, state, 1)
    if (report && (state !== 'running' || run.counts.pending === 0)) return report
  }
  if (isOver(run.counts)) return runs.groups(run.id)[0]!
  const started = new Set(runs.groups(run.id).map(report => report.index))
  const index = Array.from({ length: totalOf(run.counts) }, (_, each) => each).find(each => !started.has(each)) ?? 0
  return { index, status: { state: 'pending' } }
}

/** How to make nodes find the program of a run: they may have another PATH. */
function programHints(workspace: Workspace, run: Run): string[] {
  const { executableCommand, executable } = programOf(workspace.store.runs.launch(run.id).experiment)
  const program = executableCommand[0] ?? executable
  if (program.includes('/')) return []
  const { pathSetting } = runnerOf(workspace, run).kind
  return [
    `qanat experiment update ${run.experiment}        if ${program} was not found: gives its absolute path`,
    ...(pathSetting ? [`or add to the template, so that jobs have your PATH: ${pathSetting}`] : []),
  ]
}

/** How to make a script run that lacks the permission. */
function permissionHints(workspace: Workspace, run: Run): string[] {
  const { executableCommand, executable } = programOf(workspace.store.runs.launch(run.id).experiment)
  if (executableCommand.length > 0) return []
  return [
    `${displayCommand(['chmod', '+x', executable])}        if it may not be executed yet; then commit it`,
    `qanat experiment update ${run.experiment}        gives its executable_command instead, such as python3`,
  ]
}

/** How a script that refuses the options that Qanat adds is told its folder and its datasets instead. */
function optionHints(workspace: Workspace, run: Run, { lines }: Why['lastWords']): string[] {
  const { experiment } = workspace.store.runs.launch(run.id)
  const { storageOption, datasetOption } = addedOptions(experiment)
  const { executable } = programOf(experiment)
  const refused = ([option]: readonly [string | null, ...string[]]) =>
    option !== null && lines.some(line => isRefusal(line, option))
  return [
    [storageOption, 'storage_option', '--output_dir', 'QANAT_STORAGE_PATH tells it its folder'] as const,
    [datasetOption, 'dataset_option', '--data', 'it has to know the paths itself'] as const,
  ]
    .filter(refused)
    .map(
      ([option, key, example, otherwise]) =>
        `${executable} refuses ${parameterName(option!)}: name the option that it has in the YAML file of ${run.experiment}, as in ${key}: ${example}, or by qanat experiment update ${run.experiment}; with none, ${otherwise}. Then start a new run`,
    )
}

/** Whether a line says that an option is not known, in the words of usual parsers. */
function isRefusal(line: string, option: string): boolean {
  const name = parameterName(option)
    .replace(/^-+/, '')
    .replaceAll(/[^\w-]/g, '\\$&')
  const refused =
    '(unrecognized|unknown|unexpected|unsupported|invalid|no such) [\\w ]*(options?|arguments?|flags?)\\b|could not override'
  return new RegExp(`(${refused}).*(?<![\\w.])${name}(?![\\w-])`, 'i').test(line)
}

/** Whether a scheduler has a log of its own about the jobs of a run. */
function isScheduled(workspace: Workspace, run: Run): boolean {
  return runnerOf(workspace, run).kind.traits.has('hasScheduler')
}

/** What lets a run go on whose groups wait for its user. */
function haltHints(run: Run): string[] {
  const halt = haltOf(run)
  if (halt === 'no_worker')
    return [`qanat run_wait ${run.id} --yes        starts workers again for the groups that have not begun`]
  return halt === 'paused' ? [`qanat run_slots ${run.id} N        lets N groups run at a time`] : []
}

/** @param isZero whether its script ended on its own with code 0, so that its results may be complete */
function nextCommands(workspace: Workspace, run: Run, index: number, status: GroupStatus, isZero: boolean): string[] {
  const retry = `qanat run_retry ${run.id}`
  const output = `qanat run_logs ${run.id}.${index}`
  if (isZero) return [output, `${retry} --only ${exitZero}        if its results are not complete`]
  if (status.state === 'failed') {
    switch (status.cause) {
      case 'oom':
        return [`${retry} --only oom --submit_template TEMPLATE_WITH_MORE_MEMORY`]
      case 'timeout':
      case 'deadline':
        return [
          `${retry} --only ${status.cause} --submit_template TEMPLATE_WITH_MORE_TIME`,
          `${retry} --only ${status.cause} --resume`,
        ]
      case 'launch':
        return [output, ...(isScheduled(workspace, run) ? [`${output} --scheduler_log`] : [])]
      case 'node_fail':
      case 'preempted':
        return [`${retry} --only ${status.cause}`]
      default:
        // A retry runs the recorded code: a fix needs a new commit and a new run.
        return [
          `${output} --stderr`,
          ...(status.exitCode === notFound ? programHints(workspace, run) : []),
          ...(status.exitCode === notExecutable ? permissionHints(workspace, run) : []),
          ...(sentSignals.includes(status.signal ?? '')
            ? [
                `${retry} --only signal        if ${status.signal} came from outside, as when the machine has no memory left`,
              ]
            : []),
          `qanat run ${run.experiment} …        after you have fixed and committed it`,
        ]
    }
  }
  if (status.state === 'lost' || status.state === 'cancelled') return [`${retry} --only ${status.state}`]
  if (status.state === 'held' && status.reason?.startsWith(stopReason))
    return [
      `qanat run_cancel ${run.id}        gives up what waits`,
      `${retry} --submit_template TEMPLATE_WITH_MORE        runs it then`,
    ]
  if (status.state === 'pending' || status.state === 'held')
    return [...haltHints(run), `qanat run_wait ${run.id}`, `qanat run_cancel ${run.id}`]
  return [output]
}

/** What the finished groups of a run have used of what its template asks for. */
export function runEfficiency(workspace: Workspace, run: Run): ResourceUse[] {
  const { runs } = workspace.store
  const { attempts } = runs.submission(run.id)
  const asked = new Map<number, Asked>(
    attempts.map(attempt => [attempt.attempt, templateOf(workspace, run, attempt).asked]),
  )
  const groups = runs.groups(run.id).filter(({ status }) => status.state === 'finished')
  return resourceUses(
    groups.map(({ index, status, attempt = 1 }) => ({ index, status, asked: asked.get(attempt) ?? asked.get(1)! })),
    // A pool looks at the memory of its groups from time to time, also in a job.
    runnerOf(workspace, run).kind.traits.has('dealsSlots') || attempts.some(({ resolved }) => resolved.pack != null)
      ? ['memory']
      : [],
  )
}
