import { type Environment, type FactKind, factKinds, factsOf, isSurelyWhole } from './environment.js'

/** A fact that has not the same value everywhere. */
export interface VariedFact {
  readonly kind: FactKind
  readonly name: string
  /** Its values in each of the lists of environments that were compared; null where it is missing. */
  readonly values: readonly (readonly (string | null)[])[]
}

/**
 * What differs between lists of environments, such as those of two runs: each fact whose values in one list are not those in
 * another. A list without an answer does not count: what is missing where not all is known may have been there.
 * @param kinds those that are looked at
 */
export function variedFacts(
  lists: readonly (readonly Environment[])[],
  kinds: readonly FactKind[] = factKinds,
): VariedFact[] {
  return kinds.flatMap(kind => {
    const tables = lists.map(list =>
      list.map(each => ({ isWhole: isSurelyWhole(each, kind), named: factsOf(each, kind) })),
    )
    const names = new Set(tables.flat().flatMap(({ named }) => [...named.keys()]))
    return [...names].sort().flatMap(name => {
      const values = tables.map(table => {
        const known = table.filter(({ named, isWhole }) => isWhole || named.has(name))
        return [...new Set(known.map(({ named }) => named.get(name) ?? null))].sort()
      })
      const answers = new Set(values.filter(({ length }) => length > 0).map(each => JSON.stringify(each)))
      return answers.size > 1 ? [{ kind, name, values }] : []
    })
  })
}
