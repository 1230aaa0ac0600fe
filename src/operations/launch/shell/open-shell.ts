import { randomUUID } from 'node:crypto'
import { basename, join } from 'node:path'
import { inspectTree } from '../../../code/tree-state.js'
import type { JobEnvironment } from '../../../domain/job-environment.js'
import { type Asked, runOptions } from '../../../domain/options/run-options.js'
import type { Run } from '../../../domain/runs/run.js'
import { commandOf, type RunPlan } from '../../../domain/runs/run-plan.js'
import { displayCommand } from '../../../domain/text/shell-text.js'
import { resolveTemplate } from '../../../project/templates/templates.js'
import type { Runner, Seat } from '../../../runners/types.js'
import { withProjectLock } from '../../../store/locks/project-lock.js'
import { configAt, type Workspace } from '../../workspace.js'
import { recordedLater } from '../code/code-now.js'
import { freeze } from '../frozen/freeze.js'
import { withImage } from '../image.js'
import { jobOptions } from '../job-options.js'
import { recordedCode } from '../launch-run.js'
import { pathsOf, planAt } from '../paths.js'
import { type Again, codeOf, resolveAgain } from '../rerun.js'
import { checkShellLines } from '../shell-lines.js'
import { refuseWithoutShells } from './inside.js'
import { leaveShell, noteShell, removeDeadShells, type ShellEnds, whileItLives } from './live-shells.js'

/** What a shell runs in the environment of a group; nothing that a person has set up for shells changes that. */
const sitting = `PS1='(qanat) \\w \\$ ' && export PS1 && if command -v bash >/dev/null; then exec bash --norc; else exec sh; fi`

/** Which shell is wanted in the environment of a group. */
interface Wanted extends Again {
  /** Id of the job of a group that runs: the shell runs beside it. Null for a place of its own. */
  readonly inside: string | null
}

/** How a shell has ended. */
interface Ended {
  readonly code: number
  /** Its folder, if something is left in it. */
  readonly left: string | null
}

/**
 * Opens a shell in the frozen code and the environment of a group, with the command of the group in `$QANAT_COMMAND`. Outputs go to
 * a folder of its own.
 * @throws UserError if the runner has no shells
 */
export async function openShell(
  workspace: Workspace,
  run: Run,
  index: number,
  { inside, ...asked }: Wanted,
  interruption: AbortSignal,
): Promise<Ended> {
  const code = await codeOf(workspace, run)
  const resolved = await resolveAgain(workspace, run, code, asked, { command: 'shell', token: randomUUID() })
  const { runner } = resolved
  await checkRunner(runner, resolved.plan.environment, resolved.options)
  const launch = await withImage(workspace, resolved, async () => ({ ...code, ...recordedCode(code) }), interruption)
  await removeDeadShells(workspace, runner.site)
  const storagePath = newFolder(workspace)
  return whileItLives(workspace, storagePath, interruption, async ends => {
    const paths = await withProjectLock(workspace.project, 'code', async () => {
      const frozen = await freeze(workspace, launch, code, null, ends.interruption, '_shell')
      await noteShell(workspace, storagePath, runner.site, basename(frozen.folder))
      return pathsOf(workspace, launch, code, frozen, ends.interruption)
    })
    const placed = planAt(workspace, launch, { ...paths, runId: run.id, storagePath })
    const plan = { ...placed, groupCount: 1 }
    const seat = { index, inside, command: displayCommand(commandOf(plan, index)) }
    return sit(workspace, runner, plan, launch.options, seat, ends)
  })
}

/**
 * Opens a shell in the environment of a template, in the context where runs are launched, in the project's folder there.
 * @throws UserError if the runner has no shells
 */
export async function openTemplate(
  workspace: Workspace,
  asked: Again & Pick<Asked, 'runner'>,
  interruption: AbortSignal,
): Promise<Ended> {
  const { site } = workspace
  const context = workspace.findContext(site.name)
  const kind = asked.runner ?? context?.runner ?? runOptions.runner.default
  const runner = workspace.findRunner(site, kind)
  const name = asked.submit_template ?? context?.submitTemplate ?? undefined
  const template = resolveTemplate(configAt(workspace, site), kind, name)
  const { environment, options: asIs } = jobOptions(runner, template)
  await checkShellLines(site, template.name, environment)
  await checkRunner(runner, environment, asIs)
  const { options } = await withImage(
    workspace,
    { runner, template, options: asIs },
    () => treeNow(workspace),
    interruption,
  )
  await removeDeadShells(workspace, site)
  const here = newFolder(workspace)
  const root = site.there(workspace.project.root)
  const plan: RunPlan = {
    ...{ experiment: 'shell', jobName: 'shell', token: randomUUID(), runId: 0, commit: '', attempt: 1, groupCount: 1 },
    ...{ projectRoot: root, workingDirectory: root, place: { here, there: site.there(here) }, environment },
    ...{
      executableCommand: [],
      executable: '',
      storageOption: null,
      datasetOption: null,
      datasetPaths: [],
      outputs: [],
    },
    ...{ slots: null, maxFailures: null, indices: null, jobsAhead: [], container: null, boundPaths: [], copied: null },
    storage: null,
    ...{ umask: process.umask(), argumentsOf: () => [] },
  }
  return whileItLives(workspace, here, interruption, async ends => {
    await noteShell(workspace, here, site, '')
    return sit(workspace, runner, plan, options, { index: 0, inside: null, command: '' }, ends)
  })
}

/** The code as it is in the tree. */
async function treeNow({ project }: Workspace) {
  const state = await inspectTree(project.root)
  const code = { state, commit: state.head, patch: null }
  return { state, ...(await recordedLater(code, { options: {} })) }
}

/** @throws UserError if a runner has no shells, or QanatError if it cannot be used now */
async function checkRunner(runner: Runner, environment: JobEnvironment, options: unknown): Promise<void> {
  refuseWithoutShells(runner, null)
  await runner.probe(environment, options)
}

/** The folder of a new shell, absolute. */
function newFolder({ project }: Workspace): string {
  return join(project.cacheFolder, `shell_${randomUUID().slice(0, 8)}`)
}

async function sit(
  workspace: Workspace,
  runner: Runner,
  plan: RunPlan,
  options: unknown,
  seat: Omit<Seat, 'host'>,
  ends: ShellEnds,
): Promise<Ended> {
  const { site } = runner
  const { here, there } = plan.place
  const { host } = (await site.probe()).machine
  const { files, start, pod = null } = runner.onTerminal!(seatOf(plan), { ...seat, host }, options)
  await site.put(plan.place, files)
  const waits = (reason: string | null) => workspace.progress(reason && `The pod of the shell waits: ${reason}`)
  const code = await site.interactive(start, { ...ends, pod, waits }).finally(() => leaveShell(workspace, site, here))
  const left = await site.run(['ls', '--', there], { timeout: 60_000 })
  return { code, left: left.exitCode === 0 ? (site.isHere ? here : `${site.name}:${there}`) : null }
}

/** A plan whose only group is the shell. */
function seatOf(plan: RunPlan): RunPlan {
  const environment = { ...plan.environment, nice: null, launcher: [], arguments: [], background: [] }
  return {
    ...plan,
    ...{ executableCommand: ['sh', '-c'], executable: sitting, datasetPaths: [], storageOption: null, outputs: [] },
    ...{ maxFailures: null, environment },
  }
}
