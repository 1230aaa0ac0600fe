import { variedFacts } from '../../domain/environments/differences.js'
import { type Environment, type FactKind, softwareKinds, unknownParts } from '../../domain/environments/environment.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import { lastAttempts } from '../../domain/runs/launch.js'
import type { Run } from '../../domain/runs/run.js'
import type { Workspace } from '../workspace.js'
import { comparable } from './run-environments.js'

/** Results are compared by the software that made them: the hosts of a cluster are hardly ever all the same. */
const software: readonly FactKind[] = [...softwareKinds, 'container']

/** If more facts differ, they are not named. */
const namedFacts = 2

/** The environments that the groups of an attempt had, by their hashes. */
interface Place {
  readonly run: number
  readonly attempt: number
  readonly hashes: readonly string[]
}

/**
 * Short names for the environments of runs, by the number of the attempt: what differs between them, or the first run that
 * had the same software, or that it is not known. Empty if it does not differ; attempts without a record have no name.
 * @param runs the oldest first
 */
export function environmentNames(workspace: Workspace, runs: readonly Run[]): Map<number, ReadonlyMap<number, string>> {
  const { store } = workspace
  const kept = new Map<string, Environment>()
  const environmentAt = (hash: string) => {
    if (!kept.has(hash)) kept.set(hash, comparable(workspace, store.environments.get(hash)))
    return kept.get(hash)!
  }
  const places = store.reading(() => placesOf(workspace, runs))
  const kinds = new Map(places.map(({ hashes }) => [hashes.join(), hashes.map(environmentAt)]))
  const facts = variedFacts([...kinds.values()], software).filter(
    // The same interpreter has another path in another clone.
    ({ kind, name }) => kind !== 'interpreter' || name !== 'path',
  )
  const names = new Map<number, Map<number, string>>()
  const unknown = [...kinds.values()].map(list => list.some(each => unknownParts(each).length > 0))
  if (facts.length === 0 && new Set(unknown).size < 2) return names
  const order = [...kinds.keys()]
  const firstWith = new Map<string, string>()
  for (const { run, attempt, hashes } of places) {
    const at = order.indexOf(hashes.join())
    const key = JSON.stringify([unknown[at], ...facts.map(({ values }) => values[at])])
    if (!firstWith.has(key)) firstWith.set(key, `as run ${run}${attempt > 1 ? `, attempt ${attempt}` : ''}`)
    const few = () => facts.map(({ kind, name, values }) => factName(kind, name, values[at]!)).join(', ')
    const isNamed = facts.length > 0 && facts.length <= namedFacts
    const whole = isNamed ? few() : firstWith.get(key)!
    const text = unknown[at] && !(isNamed && facts.every(({ values }) => values[at]!.length > 0)) ? 'not known' : whole
    names.set(run, (names.get(run) ?? new Map<number, string>()).set(attempt, text))
  }
  return names
}

/** The recorded environments of the last attempt of any group. No result comes from the other attempts. */
function placesOf({ store }: Workspace, runs: readonly Run[]): Place[] {
  const retried = new Set(store.attempts.retried())
  return runs.flatMap(({ id, counts }) => {
    const found = store.environments.of(id)
    const attemptOf = retried.has(id) ? lastAttempts(store.attempts.of(id)) : () => 1
    const last = new Set(retried.has(id) ? Array.from({ length: totalOf(counts) }, (_, at) => attemptOf(at)) : [1])
    const attempts = [...new Set(found.map(({ attempt }) => attempt))].filter(attempt => last.has(attempt))
    return attempts.map(attempt => {
      const hashes = found.filter(place => place.attempt === attempt).map(({ hash }) => hash)
      return { run: id, attempt, hashes: [...new Set(hashes)] }
    })
  })
}

/** `numpy 1.26.4`, `no numpy`, `Python 3.11.7`. */
function factName(kind: FactKind, name: string, values: readonly (string | null)[]): string {
  const texts = values.map(value => {
    if (value === null) return `no ${name}`
    return kind === 'interpreter' ? value : `${name} ${value}`.trim()
  })
  return texts.length > 0 ? texts.join(' | ') : `${name} not known`
}
