import { key, nameText, texts } from './schema.js'

/** The key of former names, which a definition of any kind can have. */
export const was = key(
  'Its former names, which qanat update --name keeps: what was called so is this one, in every clone.',
  texts(nameText()),
)

/** Former names, if there are any. */
export function formerNames(given: readonly string[]): { readonly was?: readonly string[] } {
  return given.length > 0 ? { was: [...new Set(given)] } : {}
}
