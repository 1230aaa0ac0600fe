/** The key in a file for a name in code: `max_parallel` for `maxParallel`. */
export type WrittenKey<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${WrittenKey<Rest>}`
  : ''

/** The name in code for a key in a file: `maxParallel` for `max_parallel`. */
type NameInCode<Key extends string> = Key extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<NameInCode<Rest>>}`
  : Key

/** A mapping from a file with its keys named as in code. */
export type NamedInCode<Mapping> = { [Key in keyof Mapping as NameInCode<Key & string>]: Mapping[Key] }

/** The key in a file for a name in code, as in `max_parallel` for `maxParallel`. */
export function writtenKey(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

/** The same mapping with its keys named as in code: `{maxParallel: 2}` for `{max_parallel: 2}`. */
export function namedInCode<Mapping extends object>(mapping: Mapping): NamedInCode<Mapping> {
  const named = Object.entries(mapping).map(([key, value]) => [
    key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ])
  return Object.fromEntries(named)
}
