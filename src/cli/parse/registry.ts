import type { PathOptions } from '../../domain/experiment.js'
import { addedOptions } from '../../domain/parameters/added-options.js'
import { isParameterFile } from '../../project/parameter-file.js'
import type { Store } from '../../store/store.js'

/** What a line of `qanat run` is compared with. It is looked up only where the line gives reason to. */
export interface Registry {
  /** The names of all experiments. */
  readonly names: readonly string[]
  /** The options that an experiment has itself, of those that are refused after its name. */
  passes(name: string): readonly string[]
  /** The options that Qanat adds to the arguments of an experiment; null if there is no such experiment. */
  added(name: string): PathOptions | null
  isParameterFile(path: string): boolean
}

/** The experiments of a project. @param store opens its database */
export function registryOf(store: () => Store): Registry {
  const find = (name: string) => store().experiments.find(name)
  return {
    get names() {
      return store().experiments.names()
    },
    passes: name => find(name)?.passes ?? [],
    added: name => {
      const experiment = find(name)
      return experiment && addedOptions(experiment)
    },
    isParameterFile,
  }
}
