import type { Limits } from '../../runners/types.js'
import type { Workspace } from '../workspace.js'
import type { ResolvedLaunch } from './resolve.js'

/** Checks that groups can be launched from here, and passes on the runner's warnings. @throws QanatError if they cannot */
export async function probe(workspace: Workspace, resolved: ResolvedLaunch): Promise<Limits> {
  const { runner, plan, options, template } = resolved
  const limits = await runner.probe(plan.environment, options)
  for (const remark of limits.remarks ?? []) {
    // Runners do not know the names of their templates.
    workspace.warn(remark.replace('the submit template', `the submit template ${template.name}`))
  }
  return limits
}
