import { join, relative, resolve } from 'node:path'
import { knownToGit } from '../../code/project-repository.js'
import { checkNewName } from '../../domain/text/names.js'
import { QanatError, UserError } from '../../errors.js'
import { definitionFile } from '../../project/definitions.js'
import { renameCompilation } from '../../project/documents/compile-note.js'
import { realPath, whatIsAt } from '../../project/paths.js'
import {
  createDefinition,
  namingText,
  removeDefinitionFile,
  renameDefinition,
  writeDefinition,
} from '../../project/yaml/definition-file.js'
import { editMapping } from '../../project/yaml/edit-mapping.js'
import { schemaReference } from '../../project/yaml/schemas.js'
import { parseYaml, readText } from '../../project/yaml/yaml-source.js'
import { refuseUnwritable } from '../../store/database.js'
import { withProjectLock } from '../../store/locks/project-lock.js'
import type { Entry } from '../../store/registry/definitions.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { changedDefinitions } from './changed-definitions.js'
import { claimants, unknownIn } from './find-experiment.js'
import type { Kind, Registered } from './kind.js'
import { findDefinition, otherName, takeIn } from './read-definitions.js'

/**
 * Registers a thing. A file of the repository that describes the whole of it is its definition from now on; otherwise, it is
 * written to `.qanat/definitions`.
 * @param file relative to the folder of the user, or absolute; null for a thing that no file describes
 * @returns the thing as it is known, and the file that defines it, relative to the project
 * @throws QanatError if it cannot be registered; then nothing was written
 */
export async function register<Thing extends Registered>(
  workspace: Workspace,
  kind: Kind<Thing>,
  thing: Thing,
  file: string | null,
): Promise<{ readonly thing: Thing; readonly file: string }> {
  refuseUnwritable(workspace.project.databaseFile)
  const { root } = workspace.project
  const wanted = kind.normal(root, thing)
  const isMoved = refuseTaken(workspace, kind, wanted.name)
  refuseFormer(workspace, kind, wanted, null)
  kind.check(workspace, wanted, null)
  const own = file === null ? null : await placeInRepository(workspace, file)
  if (own !== null) refuseDefining(workspace, kind, wanted.name, own)
  const text =
    own === null ? definitionText(kind, file === null ? kind.toYaml(wanted) : readText(file)) : namingText(own)
  const registering = definitionFile(kind.name, wanted.name)
  if (isMoved) writeDefinition(join(root, registering), text)
  else createDefinition(root, registering, text)
  takeIn(workspace, changedDefinitions(workspace))
  if (!(await knownToGit(root, [registering])).has(registering))
    workspace.warn(`git ignores ${registering}, so that clones will not know it: git add --force ${registering}`)
  return { thing: kind.table(workspace.store).find(wanted.name)!, file: own ?? registering }
}

/** The path of a file from the root of the project; null if clones would not have it. */
async function placeInRepository({ project, cwd }: Workspace, file: string): Promise<string | null> {
  const path = realPath(resolve(cwd, file))
  const place = relative(realPath(project.root), path)
  if (whatIsAt(path) !== 'file' || place.startsWith('.qanat/')) return null
  return (await knownToGit(project.root, [place])).has(place) ? place : null
}

/** The text of a definition below `.qanat/definitions`. */
function definitionText({ name }: { readonly name: string }, text: string): string {
  return schemaReference('../../schemas', name) + text.replace(/^# yaml-language-server:.*\r?\n/, '')
}

/**
 * @returns whether its file has been moved, and another one may take its place
 * @throws UserError if the name is taken, or cannot be given to a new thing
 */
function refuseTaken<Thing extends Registered>(workspace: Workspace, kind: Kind<Thing>, name: string): boolean {
  checkNewName(kind.name, name)
  const entry = kind.table(workspace.store).entry(name)
  if (entry === null || entry.stamp === '') return false
  if (entry.file !== definitionFile(kind.name, name) && whatIsAt(absolutePath(workspace, entry.file)) === null)
    return true
  throw new UserError(
    `${kind.name} '${name}' already exists, in ${entry.file}`,
    `qanat ${kind.name} update ${name}        changes it`,
  )
}

/**
 * The runs of an experiment follow its name in every clone, also in those that get the new one later. So a former name is not
 * given again, and two experiments cannot have had the same.
 * @param own the name of the thing until now
 * @throws UserError if the runs of another experiment could be taken for its own
 */
function refuseFormer(
  { store }: Workspace,
  kind: Pick<Kind<Registered>, 'name'>,
  { name, was = [] }: Registered,
  own: string | null,
): void {
  if (kind.name !== 'experiment') return
  const [other] = claimants(store.experiments, name).filter(each => each !== own && each !== name)
  if (other !== undefined) {
    throw new UserError(
      `'${name}' was the name of the experiment ${other}, and runs of it may still have that name in other clones`,
      `choose another name; if there are no such runs, take ${name} out of was in the file of ${other} first`,
    )
  }
  const isOther = (each: string) => each !== own && each !== name
  const isRegistered = (former: string) => isOther(former) && (store.experiments.entry(former)?.stamp ?? '') !== ''
  const shared = was.find(former => isRegistered(former) || claimants(store.experiments, former).some(isOther))
  if (shared === undefined) return
  throw new UserError(
    `was: ${shared} is another experiment, or the former name of one`,
    'leave was out: only update --name writes it',
  )
}

/** @throws UserError if a file defines another thing already */
function refuseDefining<Thing extends Registered>(
  { store }: Workspace,
  kind: Kind<Thing>,
  name: string,
  file: string,
): void {
  const other = kind
    .table(store)
    .entries()
    .find(entry => entry.file === file && entry.stamp !== '' && entry.name !== name)
  if (other === undefined) return
  throw new UserError(
    `${file} defines the ${kind.name} ${other.name} already`,
    `qanat ${kind.name} update ${other.name} --name ${name}        gives it that name, and keeps what belongs to it`,
  )
}

/** Does `work` while no other command changes what is registered. */
export function withRegistry<Result>({ project }: Workspace, work: () => Promise<Result>): Promise<Result> {
  refuseUnwritable(project.databaseFile)
  return withProjectLock(project, 'definitions', work)
}

/**
 * Changes the file that defines a thing, but for its comments and its order. A thing that gets another name keeps its runs and
 * whatever else belongs to it, and what names it is changed, too.
 * @param name what it is registered with
 * @throws QanatError if the file cannot be read or says another name than these, or the thing would be of no use
 */
export function changeDefinition<Thing extends Registered>(
  workspace: Workspace,
  kind: Kind<Thing>,
  name: string,
  thing: Thing,
): Thing {
  refuseUnwritable(workspace.project.databaseFile)
  const wanted = kind.normal(workspace.project.root, withFormerName(thing, name))
  if (wanted.name !== name && !isSameFile(workspace, kind, name, wanted.name)) refuseTaken(workspace, kind, wanted.name)
  refuseFormer(workspace, kind, wanted, name)
  kind.check(workspace, wanted, name)
  edit(workspace, kind, name, wanted)
  if (wanted.name === name) return wanted
  kind.renameInUsers(workspace, name, wanted.name, (other, changed) => {
    try {
      edit(workspace, other, changed.name, changed)
    } catch (error) {
      if (!(error instanceof QanatError)) throw error
      workspace.warn(`the ${other.name} ${changed.name} still names ${name}: ${error.message}`)
    }
  })
  return wanted
}

/** Whether both names are registered with the same file, as when git has undone a new name that was not committed. */
function isSameFile<Thing extends Registered>(
  { store }: Workspace,
  kind: Kind<Thing>,
  name: string,
  other: string,
): boolean {
  const [file, otherFile] = [name, other].map(each => kind.table(store).entry(each)?.file)
  return file !== undefined && file === otherFile
}

function withFormerName<Thing extends Registered>(thing: Thing, name: string): Thing {
  if (thing.name === name) return thing
  const was = [...new Set([...(thing.was ?? []), name])].filter(each => each !== thing.name)
  return { ...thing, was }
}

/** Writes what a thing is to the file that defines it, and to the index. */
function edit<Thing extends Registered>(workspace: Workspace, kind: Kind<Thing>, name: string, wanted: Thing): void {
  const { root } = workspace.project
  const { file, source } = findDefinition(root, kind.name, name)
  const said = kind.normal(root, kind.read(source(), null))
  if (![name, wanted.name].includes(said.name)) throw otherName(kind.name, name, source(), said.name)
  const path = realPath(join(root, file))
  const text = editedText(kind, root, { file, text: readText(path, file) }, said, wanted)
  const [before, after] = [name, wanted.name].map(each => definitionFile(kind.name, each)) as [string, string]
  if (before !== after) refuseUnwritable(join(root, before))
  // The text comes first: a command that is killed in between leaves a file that says the new name, and can be typed again.
  writeDefinition(path, text)
  if (before !== after) {
    if (isSameFile(workspace, kind, name, wanted.name)) removeDefinitionFile(root, before)
    else renameDefinition(root, before, after)
  }
  takeIn(workspace, changedDefinitions(workspace))
  if (before === after || kind.name !== 'document') return
  const { path: folder } = workspace.store.documents.find(wanted.name)!
  renameCompilation(absolutePath(workspace, folder), name, wanted.name)
}

/** @throws UserError if the file is written in a way that does not let it say what is wanted */
function editedText<Thing extends Registered>(
  kind: Kind<Thing>,
  root: string,
  { file, text }: { readonly file: string; readonly text: string },
  said: Thing,
  wanted: Thing,
): string {
  const [before, after] = [said, wanted].map(thing => parseYaml(kind.toYaml(thing), file, 'text').document)
  const edited = editMapping(text, file, before!, after!)
  if (edited === text) return text
  const read = kind.normal(root, kind.read(parseYaml(edited, file, 'text'), null))
  if (kind.toYaml(read) === kind.toYaml(wanted)) return edited
  throw new UserError(`${file} is written in a way that cannot be changed here`, 'edit it: the next command knows')
}

/**
 * What the file of a thing says now.
 * @param name what it is registered with
 * @param said the name that the file may give it besides
 * @throws QanatError if it cannot be read, or says another name
 */
export function readRegistered<Thing extends Registered>(
  workspace: Workspace,
  kind: Kind<Thing>,
  name: string,
  said: string,
): Thing {
  const entry = findEntry(workspace, kind, name)
  if (entry.stamp === '' && entry.problem) throw new UserError(entry.problem.message, entry.problem.hint)
  const { root } = workspace.project
  const { source } = findDefinition(root, kind.name, name)
  const thing = kind.normal(root, kind.read(source(), null))
  if (![name, said].includes(thing.name)) throw otherName(kind.name, name, source(), thing.name)
  return { ...thing, name }
}

/** What the file of a thing said when it could be read last. @throws UserError with the nearest name */
export function findKnown<Thing extends Registered>(workspace: Workspace, kind: Kind<Thing>, name: string): Thing {
  const { problem } = findEntry(workspace, kind, name)
  const known = kind.table(workspace.store).find(name)
  if (known) return known
  throw new UserError(problem!.message, problem!.hint)
}

/** @throws UserError with the nearest name */
function findEntry<Thing extends Registered>({ store }: Workspace, kind: Kind<Thing>, name: string): Entry {
  const table = kind.table(store)
  return table.entry(name) ?? unknownIn(table, kind.name, name)
}

/**
 * Takes a thing out of the registry; a file of the user that defines it is kept.
 * @returns the definition that has gone with it, if Qanat has written it to its own folder; else null
 * @throws UserError if something needs it
 */
export function removeDefinition<Thing extends Registered>(
  workspace: Workspace,
  kind: Kind<Thing>,
  name: string,
): string | null {
  refuseUnwritable(workspace.project.databaseFile)
  checkRemovable(workspace, kind, name)
  const file = definitionFile(kind.name, name)
  const { file: defining, stamp } = findEntry(workspace, kind, name)
  removeDefinitionFile(workspace.project.root, file)
  takeIn(workspace, changedDefinitions(workspace))
  kind.table(workspace.store).delete(name)
  return stamp !== '' && defining === file ? file : null
}

/** @throws UserError if there is no such thing, also none that cannot be read, or something needs it */
export function checkRemovable<Thing extends Registered>(workspace: Workspace, kind: Kind<Thing>, name: string): void {
  findEntry(workspace, kind, name)
  kind.refuseUsed(workspace, name)
}
