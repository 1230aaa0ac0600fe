import type { Run } from '../../domain/runs/run.js'
import { UserError } from '../../errors.js'
import type { ResolvedTemplate } from '../../project/templates/templates.js'
import { settingsFile } from '../../runfolder/layout.js'
import { readVariables } from '../../runfolder/secrets/variables.js'
import { absolutePath, type Workspace } from '../workspace.js'

/**
 * The template with which the groups of a run have ended: that of its last launch, with the values of its variables.
 * @param command that launches it again, for the hint
 * @throws UserError if the values cannot be read: nothing runs with other ones unless somebody says so
 */
export function recordedTemplate(workspace: Workspace, run: Run, command: string): ResolvedTemplate {
  const { attempt, submitTemplate, resolved } = workspace.store.runs.submission(run.id).attempts.at(-1) ?? {
    attempt: 1,
    ...run.runnerParameters,
  }
  const name = submitTemplate ?? 'default'
  const names = (resolved.env ?? []) as readonly string[]
  if (names.length === 0) return { name, template: resolved }
  const env = readVariables(absolutePath(workspace, run.storagePath), attempt, names)
  if (typeof env !== 'string') return { name, template: { ...resolved, env } }
  throw new UserError(
    `the values of ${names.join(', ')} in the template ${name} of run ${run.id} are not known: ${run.storagePath}/${settingsFile(attempt)} ${env}`,
    `qanat ${command} ${run.id} --submit_template ${name}        uses the template as it is now`,
  )
}
