import type { JobEnvironment } from '../../../domain/job-environment.js'
import { quoteWord } from '../../../domain/text/shell-text.js'
import findModules from '../../../runners/modules.sh?raw'

/** Shell lines of a preparation, with the modules of a template, as template.sh has them. The first command that fails ends them. */
export function preparationLines({ modules, afterModules }: JobEnvironment, commands: readonly string[]): string {
  return [
    ...(modules.length > 0 ? [findModules, 'qanat_find_modules'] : []),
    'set -e',
    ...(modules.length > 0 ? [`module load ${modules.map(quoteWord).join(' ')}`] : []),
    afterModules,
    ...commands.map(command => `sh -c ${quoteWord(command)}`),
  ].join('\n')
}
