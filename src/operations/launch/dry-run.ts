import { join } from 'node:path'
import { pathsInCopy, type RunCode } from '../../code/run-code.js'
import { type Asked, askedOf } from '../../domain/job-environment.js'
import { parametersOf } from '../../domain/parameters/arguments.js'
import type { Standing } from '../../domain/results/comparison/standing.js'
import { commandOf } from '../../domain/runs/run-plan.js'
import { SchedulerError } from '../../errors.js'
import type { Limits, Prepared } from '../../runners/types.js'
import { noteStage } from '../results/stages.js'
import { resultFolder, type Workspace } from '../workspace.js'
import { codeAskedFor, recordedLater } from './code/code-now.js'
import { planFill } from './fill/fill.js'
import { readFill } from './fill/request.js'
import { type CopyContents, contentsOfCopy } from './frozen/contents.js'
import { copyAt } from './frozen/copied-code.js'
import { copyFor } from './frozen/freeze.js'
import { withNamedImage } from './image.js'
import { planAt } from './paths.js'
import { probe } from './probe.js'
import { nextId } from './record/run-record.js'
import type { TypedRequest } from './request.js'
import { type ResolvedRun, resolveRequest } from './resolve.js'
import { confirmDoubts } from './slips.js'

/** What a launch would do, group by group. */
export interface DryRun {
  /** How far the cells have come that are to be filled; null without `--fill`. */
  readonly standing: Standing | null
  readonly groupCount: number
  readonly groups: Iterable<{
    readonly parameters: Readonly<Record<string, string | readonly string[]>>
    readonly command: readonly string[]
  }>
  /** What the template asks for each group. */
  readonly asked: Asked
  readonly prepared: Prepared
  /** What the frozen copy would have besides its commit; null if the groups run in the tree. */
  readonly copy: CopyContents | null
}

/**
 * Resolves a request as a launch would, and makes nothing. The run id and the frozen copy are those of the next launch.
 * @returns only the standing of its cells if none is to be filled
 */
export async function dryRun(
  workspace: Workspace,
  typed: TypedRequest,
): Promise<DryRun | { readonly standing: Standing; readonly groupCount: 0 }> {
  if (!typed.options.fill) {
    const resolved = await resolveRequest(workspace, typed)
    await confirmDoubts(workspace, typed, resolved.grid, null)
    return dryRunOf(workspace, typed, resolved, await codeAskedFor(workspace, typed), null)
  }
  const fill = readFill(workspace, typed)
  if (fill.from === null && fill.grid) await confirmDoubts(workspace, typed, fill.grid, null)
  let code: RunCode | null = null
  const { standing, resolved } = await planFill(workspace, fill, async ({ uncountedFiles }) => {
    code = await codeAskedFor(workspace, typed, uncountedFiles)
    return code && recordedLater(code, typed)
  })
  return resolved ? dryRunOf(workspace, typed, resolved, code, standing) : { standing, groupCount: 0 }
}

async function dryRunOf(
  workspace: Workspace,
  typed: TypedRequest,
  asked: ResolvedRun,
  code: RunCode | null,
  standing: Standing | null,
): Promise<DryRun> {
  const resolved = code
    ? await withNamedImage(asked, async () => ({ ...code, ...(await recordedLater(code, typed)) }))
    : asked
  const runId = nextId(workspace)
  const { project } = workspace
  const storagePath = resolved.storagePath ?? join(resultFolder(workspace), resolved.experiment.name, `run_${runId}`)
  for (const stage of resolved.stages) noteStage(workspace, stage)
  const paths = resolved.datasetPaths
  const copy = resolved.frozen && code ? join(copyFor(workspace, code, null), code.state.prefix) : null
  const plan = planAt(workspace, resolved, {
    runId,
    storagePath,
    workingDirectory: copy ?? project.root,
    datasetPaths: copy && code ? await pathsInCopy(project.root, code, copy, paths) : paths,
    commit: code?.commit ?? '',
    copied: copy && code ? copyAt(code.state, copy) : null,
  })
  return {
    standing,
    groupCount: plan.groupCount,
    groups: { [Symbol.iterator]: () => groupsOf(plan) },
    asked: askedOf(plan.environment.resources),
    copy: resolved.frozen && code ? await contentsOfCopy(workspace, code) : null,
    prepared: resolved.runner.prepare(plan, resolved.options, await limitsOf(workspace, resolved)),
  }
}

/** The scheduler's limits, or the usual ones if it is not on this machine. */
async function limitsOf(workspace: Workspace, resolved: ResolvedRun): Promise<Limits> {
  const { runner } = resolved
  if (!runner.kind.traits.has('hasScheduler')) return runner.kind.usualLimits
  try {
    return await probe(workspace, resolved)
  } catch (error) {
    if (error instanceof SchedulerError) return runner.kind.usualLimits
    throw error
  }
}

function* groupsOf(plan: Prepared['plan']) {
  for (let index = 0; index < plan.groupCount; index++) {
    yield { parameters: parametersOf(plan.argumentsOf(index)), command: commandOf(plan, index) }
  }
}
