import type { JobEnvironment } from '../../domain/job-environment.js'
import { straceOptions } from '../../domain/opened-files.js'
import { UserError } from '../../errors.js'
import { traceFile } from '../../runfolder/layout.js'
import type { ResolvedRequest } from '../launch/launch-request.js'
import type { Workspace } from '../workspace.js'

/**
 * The environment of a launch in which strace writes down which files the group opens.
 * @throws UserError if that is not possible
 */
export function withTrace(
  { site }: Workspace,
  { runner, container, groupCount, environment, experiment }: ResolvedRequest,
): JobEnvironment {
  const { name } = experiment
  if (runner.kind.evidence !== 'processes') {
    throw new UserError(`--trace needs the local runner, not ${runner.kind.name}`, `qanat run --trace ${name} …`)
  }
  if (container) throw new UserError('--trace cannot look into a container', 'leave --container out')
  if (groupCount > 1) {
    throw new UserError(
      `--trace is for a single group, and these are ${groupCount}`,
      `give the arguments of one of them: qanat run --trace ${name} …`,
    )
  }
  if (!site.hasProgram('strace')) {
    throw new UserError(
      "--trace needs strace, and no 'strace' is in the PATH",
      'on Debian and Ubuntu: apt install strace',
    )
  }
  const words = ['strace', ...straceOptions, '-o', `$QANAT_STORAGE_PATH/${traceFile}`, '--']
  return { ...environment, launcher: [...environment.launcher, ...words] }
}
