import type { JobEnvironment } from '../../domain/job-environment.js'
import { UserError } from '../../errors.js'
import { parseJobEnvironment, type ResolvedTemplate } from '../../project/templates/templates.js'
import type { Runner } from '../../runners/types.js'

/** A template, parsed by its runner. @throws UserError naming the template and the key */
export function jobOptions(
  runner: Pick<Runner, 'kind'>,
  resolved: ResolvedTemplate,
): { readonly environment: JobEnvironment; readonly options: unknown } {
  const { environment, rest } = parseJobEnvironment(resolved)
  try {
    return { environment, options: runner.kind.template.parse(rest, environment) }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    // Runners do not know the names of their templates.
    throw new UserError(
      error.message.replace('the submit template', `the submit template ${resolved.name}`),
      error.hint,
    )
  }
}
