import { isOver } from '../domain/aggregate.js'
import type { Run } from '../domain/run.js'
import { refreshRun } from './refresh-runs.js'
import { submissionsOf } from './submissions.js'
import type { Workspace } from './workspace.js'

/** Milliseconds between two looks at a run that is waited for. */
const interval = 1000

/** Follows a run until nothing of it can change any more, and returns it as it ended. */
export async function waitRun(workspace: Workspace, run: Run, onChange: (run: Run) => void): Promise<Run> {
  const runner = workspace.findRunner(run.runner)
  let current = await refreshRun(workspace, run)
  onChange(current)
  while (!isOver(current.counts)) {
    const submissions = await submissionsOf(workspace, current)
    const handle = submissions.kind === 'submitted' ? submissions.handles.at(-1)! : null
    await runner.settle(handle, interval)
    current = await refreshRun(workspace, current)
    onChange(current)
  }
  return current
}
