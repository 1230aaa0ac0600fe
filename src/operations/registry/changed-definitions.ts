import { join } from 'node:path'
import {
  type DefinitionKind,
  definedNames,
  definitionFile,
  definitionKinds,
  stampOf,
} from '../../project/definitions.js'
import type { Workspace } from '../workspace.js'

// Lists look here at each start: files are read, by another module, only if they have changed.

/** Where definitions are, and their index. */
export type Registry = Pick<Workspace, 'project' | 'store' | 'warn'>

/** A definition whose file differs from that which was read, or is gone. */
export interface Changed {
  readonly kind: DefinitionKind
  readonly name: string
  readonly isGone: boolean
}

/** What has changed, by the times and sizes of files. */
export function changedDefinitions({ project: { root }, store }: Registry): Changed[] {
  const known = store.reading(() => ({
    dataset: store.datasets.entries(),
    experiment: store.experiments.entries(),
    document: store.documents.entries(),
  }))
  return definitionKinds.flatMap(kind => {
    const entries = new Map(known[kind].map(entry => [entry.name, entry]))
    const names = definedNames(root, kind)
    const defined = new Set(names)
    const gone = known[kind].filter(({ name, stamp }) => stamp !== '' && !defined.has(name))
    const changed = names.filter(name => {
      const entry = entries.get(name)
      return entry?.stamp !== stampOf(filesOf(root, kind, name, entry?.file ?? ''))
    })
    return [
      ...changed.map(name => ({ kind, name, isGone: false })),
      ...gone.map(({ name }) => ({ kind, name, isGone: true })),
    ]
  })
}

/** The file that registers a thing, and the one that defines it, if that is another. @param file of the latter, relative to the project */
export function filesOf(root: string, kind: DefinitionKind, name: string, file: string): string[] {
  const registering = definitionFile(kind, name)
  return [registering, ...(file === registering || file === '' ? [] : [file])].map(each => join(root, each))
}
