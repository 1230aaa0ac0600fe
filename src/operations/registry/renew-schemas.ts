import { QanatError } from '../../errors.js'
import { outdatedSchemas } from '../../project/yaml/schemas.js'
import { writeFiles } from '../../system/files.js'

/**
 * Writes the schemas for editors that a project lacks or has from another version of the program. Git ignores them: each clone
 * has its own. Where they cannot be written, editors do without.
 * @param root absolute
 */
export function renewSchemas(root: string): void {
  try {
    writeFiles(root, outdatedSchemas(root))
  } catch (error) {
    if (!(error instanceof QanatError)) throw error
  }
}
