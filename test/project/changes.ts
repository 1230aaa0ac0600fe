import { isMapping } from '../../src/project/yaml/schema.js'

const anything = [
  ...[null, '', 'a b', "it's", 'a\\', '4G', 0, 1, -3, 1.5, 100_001, true],
  ...[[], ['a'], [''], [null], [1, 2, 0], [[1]], {}, { a: 1 }, { a: {} }, { value: 'a' }],
]

/** What comes of a value by replacing or removing one thing in it, or by adding one. */
export function changes(value: unknown): { change: string; value: unknown }[] {
  return placesIn(value).flatMap(path => {
    const changed = (what: string, by: (old: unknown) => unknown) => ({
      change: `${path.join('.')} ${what}`,
      value: changedAt(value, path, by),
    })
    return [
      ...anything.map(by => changed(`= ${JSON.stringify(by)}`, () => by)),
      ...(path.length > 0 ? [changed('removed', () => undefined)] : []),
      ...['unknown', '--x', '7'].map(key =>
        changed(`with ${key}`, old => (isMapping(old) ? { ...old, [key]: 1 } : old)),
      ),
    ]
  })
}

type Path = readonly string[]

function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))]
}

function changedAt(value: unknown, path: Path, by: (old: unknown) => unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return by(value)
  if (Array.isArray(value)) {
    const copy = value.map((inner, at) => (String(at) === key ? changedAt(inner, rest, by) : inner))
    return copy.filter(inner => inner !== undefined)
  }
  const entries = Object.entries(value as object)
  const copy = entries.map(([name, inner]) => [name, name === key ? changedAt(inner, rest, by) : inner])
  return Object.fromEntries(copy.filter(([, inner]) => inner !== undefined))
}
