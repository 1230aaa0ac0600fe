import { QanatError, UnwritableDatabaseError, UserError } from '../../errors.js'
import { type DefinitionKind, definedNames, definitionFile, stampToKeep } from '../../project/definitions.js'
import { compiledBefore } from '../../project/documents/compile-note.js'
import { whatIsAt } from '../../project/paths.js'
import { namedFile, readDefinitionFile } from '../../project/yaml/definition-file.js'
import { renewSchemas } from '../../project/yaml/schemas.js'
import type { YamlSource } from '../../project/yaml/yaml-source.js'
import type { DefinitionTable, Problem } from '../../store/registry/definitions.js'
import { renewRunYaml } from '../folder/run-files.js'
import { absolutePath } from '../workspace.js'
import { type Changed, filesOf, type Registry } from './changed-definitions.js'
import { documentKind } from './document-kind.js'
import { claimants } from './find-experiment.js'
import type { Kind, Registered } from './kind.js'
import { datasetKind, experimentKind } from './kinds.js'

/** Reads what has changed, and stores it; see followDefinitions. */
export function takeIn(registry: Registry, changed: readonly Changed[]): void {
  if (changed.length === 0) return
  const { store, project } = registry
  // Files are read before the transaction, which has to be short.
  const updates = [
    ...updatesOf(registry, datasetKind, changed),
    ...updatesOf(registry, experimentKind, changed),
    ...updatesOf(registry, documentKind, changed),
  ]
  let renamed: string[] = []
  const apply = () => {
    renamed = updates.flatMap(update => update())
  }
  try {
    store.transaction(apply)
  } catch (error) {
    if (!(error instanceof UnwritableDatabaseError)) throw error
    store.keepDefinitionsInMemory()
    apply()
    return
  }
  renewSchemas(project.root)
  for (const name of renamed) for (const { id } of store.runs.listOf(name)) renewRunYaml(registry, id)
}

/** What to do in the transaction. Each update gives the experiment whose runs have come to it from another name. */
function updatesOf<Thing extends Registered>(
  registry: Registry,
  kind: Kind<Thing>,
  changed: readonly Changed[],
): (() => string[])[] {
  const { project, store } = registry
  const table = kind.table(store)
  const defined = new Set(definedNames(project.root, kind.name))
  const ofKind = changed.filter(each => each.kind === kind.name)
  const reads = ofKind
    .filter(({ isGone }) => !isGone)
    .map(({ name }) => ({ name, ...readDefinition(project.root, kind, name) }))
  const present = reads.map(({ name, file, thing, problem: broken }) => {
    const unclear = thing && kind.name === 'experiment' ? unclearName(table, reads, thing, defined) : undefined
    const problem = unclear === undefined ? broken : unclearProblem(file, unclear)
    // It is read again until that is mended.
    const stamp = unclear === undefined ? stampToKeep(filesOf(project.root, kind.name, name, file)) : 'unclear'
    return () => {
      const was = unclear === undefined ? (thing?.was ?? []) : []
      const former = was.filter(each => !defined.has(each) && table.entry(each) !== null)
      for (const each of former) table.rename(each, name)
      const isNew = table.find(name) === null
      table.put({ name, file, stamp, problem }, thing)
      if (isNew && kind.name === 'document') setCompiled(registry, name)
      return former.length > 0 && kind.name === 'experiment' ? [name] : []
    }
  })
  const gone = ofKind
    .filter(({ isGone }) => isGone)
    .map(
      ({ name }) =>
        () =>
          forget(registry, kind, name, defined),
    )
  return [...present, ...gone]
}

/** What is registered nowhere any more stays only if runs are of it, which another branch may have under a former name. */
function forget<Thing extends Registered>(
  { store }: Registry,
  kind: Kind<Thing>,
  name: string,
  defined: ReadonlySet<string>,
): string[] {
  const table = kind.table(store)
  const entry = table.entry(name)
  if (entry === null) return []
  if (kind.name !== 'experiment' || !store.experiments.hasRuns(name)) {
    table.delete(name)
    return []
  }
  const later = claimants(table, name).filter(each => defined.has(each))
  const other =
    table.find(name)?.was?.findLast(each => defined.has(each)) ?? (later.length === 1 ? later[0] : undefined)
  if (other === undefined) table.put({ ...entry, stamp: '', problem: goneProblem(kind.name, name) }, null)
  else table.rename(name, other)
  return other === undefined ? [] : [other]
}

/** A former name of an experiment whose runs may be those of another one: that is registered, too, or says the same. */
function unclearName<Thing extends Registered>(
  table: DefinitionTable<Thing>,
  reads: readonly { readonly name: string; readonly thing: Thing | null }[],
  { name, was = [] }: Thing,
  defined: ReadonlySet<string>,
): string | undefined {
  const now = new Map(reads.map(each => [each.name, each.thing]))
  const isSaidElsewhere = (former: string) =>
    [...defined].some(each => each !== name && (now.get(each) ?? table.find(each))?.was?.includes(former))
  return was.find(former => defined.has(former) || isSaidElsewhere(former))
}

function unclearProblem(file: string, former: string): Problem {
  return {
    message: `${file}: was: ${former} is another experiment, or the former name of one, so that it is not clear whose runs are meant`,
    hint: `take ${former} out of was in the file of the experiment that never had that name`,
  }
}

/** Why what has no file any more cannot be launched. */
export function goneProblem(kind: DefinitionKind, name: string): Problem {
  const file = definitionFile(kind, name)
  return {
    message: `the ${kind} ${name} is not registered any more: ${file} is gone`,
    hint: `git log -- ${file}        says which commit has removed it\nqanat ${kind} new -f FILE        registers it again`,
  }
}

function setCompiled(registry: Registry, name: string): void {
  const document = registry.store.documents.find(name)
  if (!document) return
  const folder = absolutePath(registry, document.path)
  registry.store.documents.setCompiled(name, compiledBefore(registry.project.root, folder, name))
}

/** What the files of a definition say now. */
interface Read<Thing> {
  /** The one that says what it is, relative to the project. */
  readonly file: string
  /** Null if that is not known. */
  readonly thing: Thing | null
  readonly problem: Problem | null
}

/** Reads a definition; what is wrong with it is part of the answer. */
function readDefinition<Thing extends Registered>(root: string, kind: Kind<Thing>, name: string): Read<Thing> {
  let file = definitionFile(kind.name, name)
  try {
    const found = findDefinition(root, kind.name, name)
    file = found.file
    const thing = kind.normal(root, kind.read(found.source(), null))
    if (thing.name !== name) throw otherName(kind.name, name, found.source(), thing.name)
    return { file, thing, problem: null }
  } catch (error) {
    if (!(error instanceof QanatError)) throw error
    return { file, thing: null, problem: { message: error.message, hint: error.hint } }
  }
}

/**
 * The file that defines a thing, and its text.
 * @throws QanatError if the file that registers it cannot be read
 */
export function findDefinition(
  root: string,
  kind: DefinitionKind,
  name: string,
): { readonly file: string; readonly source: () => YamlSource } {
  const registering = definitionFile(kind, name)
  const source = readDefinitionFile(root, registering)
  const file = namedFile(source)
  if (file === null) return { file: registering, source: () => source }
  return {
    file,
    source: () => {
      if (whatIsAt(absolutePath({ project: { root } }, file)) !== null) return readDefinitionFile(root, file)
      throw new UserError(
        `${registering} names ${file}, which is gone`,
        `git checkout HEAD -- ${file}        brings it back, if it was committed\nqanat ${kind} new -f FILE        registers it where it is now`,
      )
    },
  }
}

/** The error about a file that gives a thing another name than it is registered with. */
export function otherName(kind: DefinitionKind, name: string, source: YamlSource, said: string): UserError {
  return source.fail(
    ['name'],
    `${said} is registered as ${name}`,
    `qanat ${kind} update ${name} --name ${said}        gives it that name, and keeps what belongs to it\nname: ${name}        in the file undoes the edit`,
  )
}
