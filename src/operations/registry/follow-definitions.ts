import { type DefinitionKind, definitionFile, definitionKinds } from '../../project/definitions.js'
import type { Problem } from '../../store/registry/definitions.js'
import type { Store } from '../../store/store.js'
import { changedDefinitions, type Registry } from './changed-definitions.js'

/**
 * Brings the index of the definitions up to date. Where it cannot be stored, it is kept in memory, for this command. A definition
 * that is broken stops no other, and keeps what it said before.
 */
export async function followDefinitions(registry: Registry): Promise<void> {
  const changed = changedDefinitions(registry)
  if (changed.length === 0) return
  const { takeIn } = await import('./read-definitions.js')
  takeIn(registry, changed)
}

/** All files that register and define things, relative to the project. */
export function definitionFiles(store: Store): string[] {
  const tables = { dataset: store.datasets, experiment: store.experiments, document: store.documents }
  const files = definitionKinds.flatMap(kind =>
    tables[kind].entries().flatMap(({ name, file, stamp }) => (stamp === '' ? [] : [definitionFile(kind, name), file])),
  )
  return [...new Set(files)]
}

/** A definition that cannot be used now: lists show what it said before. */
export interface Broken extends Problem {
  readonly kind: DefinitionKind
  readonly name: string
  /** Relative to the project. */
  readonly file: string
  /** Whether it is known what it said before. */
  readonly isKnown: boolean
}

/** All definitions that cannot be used now, or those of a kind, or one. */
export function brokenDefinitions(store: Store, kind?: DefinitionKind, name?: string): Broken[] {
  const tables = { dataset: store.datasets, experiment: store.experiments, document: store.documents }
  const wanted = kind === undefined ? definitionKinds : [kind]
  return wanted.flatMap(each =>
    tables[each].entries().flatMap(({ problem, name: found, file }) => {
      if (problem === null || (name ?? found) !== found) return []
      return [{ kind: each, name: found, file, ...problem, isKnown: tables[each].find(found) !== null }]
    }),
  )
}
