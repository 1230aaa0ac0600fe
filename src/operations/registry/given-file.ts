import { orElse, UserError } from '../../errors.js'
import { isMapping } from '../../project/yaml/schema.js'
import { readYaml } from '../../project/yaml/yaml-source.js'
import type { Kind, Registered } from './kind.js'

/** The keys that a kind needs. */
type Needing = Pick<Kind<Registered>, 'name' | 'needed'>

/** Whether a file describes the whole of a thing, and not only what is to be changed. */
function isWhole({ needed }: Needing, file: string): boolean {
  const value = readYaml(file, 'text').value()
  return isMapping(value) && needed.every(key => Object.hasOwn(value, key))
}

/**
 * Reads a description from a YAML file.
 * @param known what a file that is only a part of a description changes; null if it has to be whole
 * @throws UserError with the position of a mistake
 */
export function readGiven<Thing extends Registered>(kind: Kind<Thing>, file: string, known: Thing | null): Thing {
  refuseOther(kind, file)
  return kind.read(readYaml(file, 'text'), known && isWhole(kind, file) ? null : known)
}

/** Refuses the script or the data themselves, whose description is wanted. */
function refuseOther({ name, needed }: Needing, file: string): void {
  if (!/\.(?!ya?ml$|json$)\w+$/i.test(file) || isMappingIn(file)) return
  throw new UserError(
    `${file} describes no ${name}: give a YAML file with ${needed.join(', ').replace(/, (?=\w+$)/, ' and ')}`,
    `qanat ${name} new        asks for them`,
  )
}

function isMappingIn(file: string): boolean {
  return orElse(() => isMapping(readYaml(file, 'text').value()), false)
}
