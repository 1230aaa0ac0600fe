import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Run } from '../../../domain/runs/run.js'
import { commandOf, type RunPlan } from '../../../domain/runs/run-plan.js'
import { displayCommand } from '../../../domain/text/shell-text.js'
import { UserError } from '../../../errors.js'
import { withProjectLock } from '../../../store/locks/project-lock.js'
import type { Workspace } from '../../workspace.js'
import { freeze } from '../frozen/freeze.js'
import { pathsOf, planAt } from '../paths.js'
import { type Again, codeOf, resolveAgain } from '../rerun.js'
import type { ResolvedLaunch } from '../resolve.js'

/** What a shell runs in the environment of a group; nothing that a person has set up for shells changes that. */
const sitting = `PS1='(qanat) \\w \\$ ' && export PS1 && if command -v bash >/dev/null; then exec bash --norc; else exec sh; fi`

/** Which shell is wanted. */
export interface Wanted extends Again {
  /** Id of the job of a group that runs: the shell runs beside it. Null for a place of its own. */
  readonly inside: string | null
}

/**
 * Opens a shell in the frozen code and the environment of a group, with the command of the group in `$QANAT_COMMAND`. Outputs go to
 * a folder of its own.
 * @returns the exit code of the shell, and the folder if something is left in it
 * @throws UserError if the runner has no shells
 */
export async function openShell(
  workspace: Workspace,
  run: Run,
  index: number,
  { inside, ...asked }: Wanted,
  interruption: AbortSignal,
): Promise<{ readonly code: number; readonly left: string | null }> {
  const code = await codeOf(workspace, run)
  const launch = await resolveAgain(workspace, run, code, asked, { command: 'shell', token: randomUUID() })
  const { runner, options } = launch
  const { site } = runner
  if (!runner.onTerminal)
    throw new UserError(`no shells are opened by ${runner.kind.name}`, 'use condor_ssh_to_job, or another runner')
  await runner.probe(launch.plan.environment, options)
  const paths = await withProjectLock(workspace.project, 'code', async () => {
    const frozen = await freeze(workspace, site, code, null, launch.plan.environment, interruption, '_shell')
    return pathsOf(workspace, launch, code, frozen, interruption)
  })
  const folder = `shell_${randomUUID().slice(0, 8)}`
  const storagePath = join(workspace.project.cacheFolder, folder)
  const plan = { ...planAt(workspace, launch, { ...paths, runId: run.id, storagePath }), groupCount: 1 }
  const { here, there } = plan.place
  const { host } = (await site.probe()).machine
  const seat = { index, host, command: displayCommand(commandOf(plan, index)), inside }
  const { files, start } = runner.onTerminal(seatOf(plan, launch), seat, options)
  await site.put(plan.place, files)
  const ended = await site.interactive(start)
  await site.mutate(plan.place, [{ remove: '.run' }])
  const cache = { here: workspace.project.cacheFolder, there: site.there(workspace.project.cacheFolder) }
  await site.mutate(cache, [{ removeEmpty: folder }])
  const left = await site.run(['ls', '--', there], { timeout: 60_000 })
  return { code: ended, left: left.exitCode === 0 ? (site.isHere ? here : `${site.name}:${there}`) : null }
}

/** A plan whose only group is the shell. */
function seatOf(plan: RunPlan, { plan: { environment } }: ResolvedLaunch): RunPlan {
  return {
    ...plan,
    ...{ executableCommand: ['sh', '-c'], executable: sitting, datasetPaths: [], storageOption: null, outputs: [] },
    ...{ maxFailures: null, environment: { ...environment, nice: null, launcher: [], arguments: [], background: [] } },
  }
}
