import { isParameterFile } from '../../project/parameter-file.js'
import type { Store } from '../../store/store.js'

/** What a line of `qanat run` is compared with. It is looked up only where the line gives reason to. */
export interface Registry {
  /** The names of all experiments. */
  readonly names: readonly string[]
  /** The options that an experiment has itself, of those that are refused after its name. */
  passes(name: string): readonly string[]
  isParameterFile(path: string): boolean
}

/** The experiments of a project. @param store opens its database */
export function registryOf(store: () => Store): Registry {
  return {
    get names() {
      return store().experiments.names()
    },
    passes: name => store().experiments.find(name)?.passes ?? [],
    isParameterFile,
  }
}
