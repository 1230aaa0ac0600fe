import type { DefinitionKind } from '../../project/definitions.js'
import type { YamlSource } from '../../project/yaml/yaml-source.js'
import type { DefinitionTable } from '../../store/registry/definitions.js'
import type { Store } from '../../store/store.js'
import type { Workspace } from '../workspace.js'

/** What every registered thing has. */
export interface Registered {
  readonly name: string
  readonly was?: readonly string[]
}

/** A kind of things that are registered: experiments, datasets, documents. */
export interface Kind<Thing extends Registered> {
  readonly name: DefinitionKind
  /** The keys of a file that describes the whole of a thing, and not only what is to be changed. */
  readonly needed: readonly string[]
  readonly table: (store: Store) => DefinitionTable<Thing>
  /** @param known what holds for keys that are not there @throws UserError with the position of a mistake */
  readonly read: (source: YamlSource, known: Thing | null) => Thing
  /** The YAML that {@link read} reads as the same thing. */
  readonly toYaml: (thing: Thing) => string
  /** The form in which it is known: paths begin at the root of the project. @param root absolute */
  readonly normal: (root: string, thing: Thing) => Thing
  /**
   * Warns of what is missing here and may be elsewhere.
   * @param thing in its normal form
   * @param former its name if it is registered already
   * @throws UserError if something is missing or wrong without which it is of no use
   */
  readonly check: (workspace: Workspace, thing: Thing, former: string | null) => void
  /** @throws UserError if it cannot be deleted, since something needs it */
  readonly refuseUsed: (workspace: Workspace, name: string) => void
  /** Lets the other things that name it name it anew. @param rename changes one of them */
  readonly renameInUsers: (workspace: Workspace, former: string, name: string, rename: Rename) => void
}

/** Changes a thing that names another one. */
type Rename = <Thing extends Registered>(kind: Kind<Thing>, changed: Thing) => void
