import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from '../../domain/runs/run.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** What went wrong around the groups of a run without making them fail: a teardown, a background task. */
export function runWarnings(workspace: Workspace, run: Run): string[] {
  const file = join(absolutePath(workspace, run.storagePath), '.run/warnings.txt')
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
}
