import { stringify } from 'yaml'
import { key, nameText, texts } from './schema.js'

// What definitions of every kind have.

export const tags = key('Tags to find it by.', texts())

/** The key of former names. */
export const was = key(
  'Its former names, which qanat update --name keeps: what was called so is this one, in every clone.',
  texts(nameText()),
)

/** Former names, if there are any. */
export function formerNames(given: readonly string[]): { readonly was?: readonly string[] } {
  return given.length > 0 ? { was: unique(given) } : {}
}

export function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}

export function toYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })
}
