import type { ValuesOf } from '../options/option.js'
import { runOptions } from '../options/run-options.js'
import { displayCommand } from '../text/shell-text.js'
import { type Product, productData } from './product.js'
import type { Provider } from './provider.js'

/** A paper, report or site that depends on results of experiments. Texts that were not given are empty. */
export interface Document {
  readonly name: string
  /** Former names, by which runs and documents of other clones may still call it. */
  readonly was?: readonly string[]
  readonly description: string
  /** Folder of the document, relative to the project. */
  readonly path: string
  /** Relative to the folder of the document, in which it is called. */
  readonly compileScript: string
  readonly compileScriptCommand: string
  readonly viewScript: string
  readonly viewScriptCommand: string
  readonly tags: readonly string[]
  readonly dependencies: readonly Dependency[]
}

/** A dependency of a document: files of a run of one experiment with certain arguments. */
export interface Dependency {
  readonly experiment: string
  /** Parameter file, relative to the project; null for a run without arguments. */
  readonly runArgsFile: string | null
  readonly runner: string
  readonly runnerParameters: LaunchOptions
  readonly container: string | null
  /** A commit, tag or branch; null for what is checked out. */
  readonly commitSha: string | null
  readonly action: string | null
  readonly actionArguments: readonly string[]
  /** Files of the run that the document uses, relative to its folder. */
  readonly files: readonly string[]
  /** What is made of the run for the document. */
  readonly products: readonly Product[]
  /** The causes for which a cell may be missing; not there if all are needed. */
  readonly missing?: readonly string[]
}

type Runs = Pick<Dependency, 'experiment' | 'runArgsFile'>

const { submit_template, n_threads, gpu } = runOptions

/** The options of a run that say how to launch a missing one. */
export const launchOptions = { submit_template, n_threads, gpu }

/** Their values. */
export type LaunchOptions = Readonly<ValuesOf<typeof launchOptions>>

/** A document as it is stored. */
export interface StoredDocument extends Document {
  readonly id: number
  /** When it was last compiled, in milliseconds since the epoch; null if that failed or never happened. */
  readonly compiled: number | null
}

/** The state of a dependency. */
export interface DependencyStatus {
  readonly dependency: Dependency
  /** Stale: exported from an outdated run, or the run had other code. Missing: no run has the files. */
  readonly state: 'up to date' | 'stale' | 'missing'
  /** The run that provides the files, or will do so once it has finished, or groups of several; null if some have to be launched. */
  readonly provider: Provider | null
  /** The files of the code, relative to the project, that are no longer as in the newest run; empty for other reasons. */
  readonly changed: readonly string[]
  /** The reason, or what is doubtful about files that are up to date; empty otherwise. */
  readonly why: string
  /** The deleted run that would do. */
  readonly trashed?: number
}

/** A document with the keys of its description file. */
export function documentData(document: Document) {
  return {
    name: document.name,
    ...(document.was && { was: document.was }),
    description: document.description,
    path: document.path,
    compile_script: document.compileScript,
    compile_script_command: document.compileScriptCommand,
    view_script: document.viewScript,
    view_script_command: document.viewScriptCommand,
    tags: document.tags,
    experiment_dependencies: document.dependencies.map(dependencyData),
  }
}

/** A dependency with the keys of the description file. */
export function dependencyData(dependency: Dependency) {
  const { submit_template = null, n_threads = null, gpu = false } = dependency.runnerParameters
  return {
    experiment_name: dependency.experiment,
    run_args_file: dependency.runArgsFile,
    runner: dependency.runner,
    runner_params: { submit_template, n_threads, gpu },
    container: dependency.container,
    commit_sha: dependency.commitSha,
    action_name: dependency.action,
    action_args: dependency.actionArguments,
    files: [...dependency.files, ...dependency.products.map(productData)],
    ...(dependency.missing && { missing: dependency.missing }),
  }
}

/** Folder of exported files of a dependency inside the document's folder: `exports/EXPERIMENT/NAME OF THE ARGUMENTS`. */
export function exportFolder({ experiment, runArgsFile }: Runs): string {
  const name = runArgsFile === null ? null : stemOf(runArgsFile)
  return ['exports', experiment, name].filter(part => part !== null).join('/')
}

/** Dependencies whose export folder is already used by an earlier one. */
export function clashes<Each extends Runs>(dependencies: readonly Each[]): Each[] {
  const folders = dependencies.map(exportFolder)
  return dependencies.filter((_, index) => folders.indexOf(folders[index]!) < index)
}

/** The names of all that a dependency provides, relative to its folder of exports. */
export function providedFiles({ files, products }: Pick<Dependency, 'files' | 'products'>): string[] {
  return [...files, ...products.map(({ file }) => file)]
}

/** `summary_iris with grid.yaml`. */
export function dependencyText({ experiment, runArgsFile }: Runs): string {
  return runArgsFile === null ? experiment : `${experiment} with ${runArgsFile}`
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/(?<=.)\.[^.]*$/, '')
}

/** The paths of documents and datasets that connect them, absolute. */
export interface Places {
  readonly documents: readonly {
    readonly name: string
    readonly exports: string
    readonly experiments: readonly string[]
  }[]
  readonly datasetsOf: (experiment: string) => readonly string[]
}

/**
 * Finds a circle of documents, each of which needs an experiment that reads the exports of the next one.
 * @returns names, with the first one again at the end (`report`, `appendix`, `report`); null if there is no circle
 */
export function documentCycle({ documents, datasetsOf }: Places): string[] | null {
  const needs = new Map(
    documents.map(({ name, experiments }) => {
      const paths = experiments.flatMap(datasetsOf)
      return [
        name,
        documents.filter(other => paths.some(path => isInside(path, other.exports))).map(other => other.name),
      ]
    }),
  )
  const follow = (name: string, trail: readonly string[]): string[] | null => {
    if (trail.includes(name)) return [...trail.slice(trail.indexOf(name)), name]
    for (const next of needs.get(name) ?? []) {
      const cycle = follow(next, [...trail, name])
      if (cycle) return cycle
    }
    return null
  }
  for (const { name } of documents) {
    const cycle = follow(name, [])
    if (cycle) return cycle
  }
  return null
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

/** The action of a dependency with its arguments, as one line; null without one. */
export function actionText({ action, actionArguments }: Dependency): string | null {
  return action === null ? null : displayCommand([action, ...actionArguments])
}
