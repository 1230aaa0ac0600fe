import * as v from 'valibot'
import { UserError } from '../../errors.js'
import { anyMapping, checkYaml, isMapping, mapping } from './schema.js'
import type { YamlPath, YamlSource } from './yaml-source.js'

/** A value of a YAML file (text, or a list or mapping of values) and its position. */
export interface Place {
  readonly source: YamlSource
  readonly path: YamlPath
  readonly value: unknown
}

/** The values of the allowed keys of a mapping; an empty value counts as an empty mapping. */
export function sections<K extends string>(
  place: Place,
  declared: Readonly<Record<K, unknown>>,
  hint: string,
): Partial<Record<K, Place>> {
  if (isNothing(place)) return {}
  const { source, path, value } = place
  const schema = mapping(Object.fromEntries(Object.keys(declared).map(key => [key, v.optional(v.unknown())])))
  checkYaml(source, schema, value, { path, hint })
  return Object.fromEntries(entries(place, hint)) as Partial<Record<K, Place>>
}

/** The keys of a mapping with what stands at them; an empty value has none. @param hint for any other value */
export function entries(place: Place, hint: string): [string, Place][] {
  if (isNothing(place)) return []
  const { source, path, value } = place
  const given = checkYaml(source, anyMapping(), value, { path, hint })
  return Object.entries(given).map(([key, inner]) => [key, { source, path: [...path, key], value: inner }])
}

/** The items of a list; null for anything else. */
export function items({ source, path, value }: Place): Place[] | null {
  if (!Array.isArray(value)) return null
  return value.map((inner, index) => ({ source, path: [...path, index], value: inner }))
}

/** Whether the value is empty or `''`. */
export function isNothing({ value }: Place): boolean {
  return value === '' || value === null
}

export function excerpt(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(excerpt).join(', ')}]`
  if (!isMapping(value)) return String(value)
  return `{${Object.entries(value)
    .map(([key, inner]) => `${key}: ${excerpt(inner)}`)
    .join(', ')}}`
}

export function fail(place: Place, message: string, hint: string, of: 'key' | 'value' = 'value'): UserError {
  return place.source.fail(place.path, message, hint, of)
}

/** Adds the position in the file to an error from the domain, which is only the reason. */
export function explained<T>(place: Place, hint: string, compute: () => T): T {
  try {
    return compute()
  } catch (error) {
    if (error instanceof UserError) throw fail(place, error.message, hint)
    throw error
  }
}
