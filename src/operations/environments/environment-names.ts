import { variedFacts } from '../../domain/environments/differences.js'
import { type Environment, type FactKind, softwareKinds } from '../../domain/environments/environment.js'
import type { Run } from '../../domain/runs/run.js'
import type { Workspace } from '../workspace.js'

/** Results are compared by the software that made them: the hosts of a cluster are hardly ever all the same. */
const software: readonly FactKind[] = [...softwareKinds, 'container']

/** If more facts differ, they are not named. */
const namedFacts = 2

/**
 * Short names for the environments of runs: what differs between them, or the first run that had the same software. Empty
 * if it does not differ; runs without a record have no name.
 * @param runs the oldest first
 */
export function environmentNames({ store }: Workspace, runs: readonly Run[]): Map<number, string> {
  const kept = new Map<string, Environment>()
  const environmentAt = (hash: string) => {
    if (!kept.has(hash)) kept.set(hash, store.environments.get(hash))
    return kept.get(hash)!
  }
  const hashes = new Map(runs.map(({ id }) => [id, [...new Set(store.environments.of(id).map(({ hash }) => hash))]]))
  const known = [...hashes].filter(([, { length }]) => length > 0)
  const kinds = new Map(known.map(([, each]) => [each.join(), each.map(environmentAt)]))
  const facts = variedFacts([...kinds.values()], software).filter(
    // The same interpreter has another path in another clone.
    ({ kind, name }) => kind !== 'interpreter' || name !== 'path',
  )
  if (facts.length === 0) return new Map()
  const order = [...kinds.keys()]
  const firstWith = new Map<string, number>()
  return new Map(
    known.map(([run, each]) => {
      const at = order.indexOf(each.join())
      if (facts.length <= namedFacts) {
        return [run, facts.map(({ kind, name, values }) => factName(kind, name, values[at]!)).join(', ')]
      }
      const key = JSON.stringify(facts.map(({ values }) => values[at]))
      if (!firstWith.has(key)) firstWith.set(key, run)
      return [run, `as run ${firstWith.get(key)}`]
    }),
  )
}

/** `numpy 1.26.4`, `no numpy`, `Python 3.11.7`. */
function factName(kind: FactKind, name: string, values: readonly (string | null)[]): string {
  const texts = values.map(value => {
    if (value === null) return `no ${name}`
    return kind === 'interpreter' ? value : `${name} ${value}`.trim()
  })
  return texts.length > 0 ? texts.join(' | ') : `${name} unknown`
}
