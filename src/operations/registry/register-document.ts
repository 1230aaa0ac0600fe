import { join, relative } from 'node:path'
import {
  clashes,
  type Dependency,
  type Document,
  dependencyText,
  documentCycle,
  providedFiles,
} from '../../domain/document.js'
import { checkName } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import { compiledBefore, renameCompilation } from '../../project/documents/compile-note.js'
import { cleanProjectPath, whatIsAt } from '../../project/paths.js'
import { absolutePath, resultFolder, type Workspace } from '../workspace.js'
import { findAction } from './find-action.js'
import { findDataset, findDocument, findExperiment } from './find-experiment.js'
import { refuseTaken, rememberFile } from './register.js'

/**
 * Registers a document. A missing compile script or parameter file is only a warning: it may be written later.
 * @param file the file that describes it, see {@link rememberFile}
 */
export function addDocument(workspace: Workspace, document: Document, file: string | null = null): Document {
  const checked = checkDocument(workspace, document, null)
  const { store } = workspace
  store.transaction(() => {
    refuseTaken('document', checked.name, store.documents.find(checked.name))
    store.documents.insert(checked)
    store.documents.setCompiled(
      checked.name,
      compiledBefore(workspace.project.root, absolutePath(workspace, checked.path), checked.name),
    )
    rememberFile(workspace, 'document', checked.name, file)
  })
  return checked
}

/** Replaces the document of that name. @param file see {@link rememberFile} */
export function changeDocument(
  workspace: Workspace,
  name: string,
  document: Document,
  file: string | null = null,
): Document {
  const checked = checkDocument(workspace, document, name)
  const { store } = workspace
  store.transaction(() => {
    findDocument(workspace, name)
    if (checked.name !== name) refuseTaken('document', checked.name, store.documents.find(checked.name))
    store.documents.update(name, checked)
    rememberFile(workspace, 'document', checked.name, file)
  })
  if (checked.name !== name) renameCompilation(absolutePath(workspace, checked.path), name, checked.name)
  return checked
}

/** Deletes a document from the database; its files are kept. */
export function removeDocument(workspace: Workspace, name: string): void {
  findDocument(workspace, name)
  workspace.store.documents.delete(name)
}

/** Adds a dependency to a document. @throws UserError if the document has it already */
export function addDependency(workspace: Workspace, name: string, dependency: Dependency): Document {
  const document = findDocument(workspace, name)
  const dependencies = [...document.dependencies, dependency]
  const [clash] = clashes(dependencies)
  if (clash) {
    throw new UserError(
      `the document ${name} depends on ${dependencyText(clash)} already`,
      `qanat document update ${name}        changes it`,
    )
  }
  return changeDocument(workspace, name, { ...document, dependencies })
}

/**
 * Removes a dependency from a document.
 * @param runArgsFile as it was typed; empty for the one without a parameter file, null if it was not given
 * @throws UserError if the document has no dependency on that experiment, or several
 */
export function removeDependency(
  workspace: Workspace,
  name: string,
  experiment: string,
  runArgsFile: string | null,
): Dependency {
  const document = findDocument(workspace, name)
  const { root } = workspace.project
  const ofExperiment = document.dependencies.filter(dependency => dependency.experiment === experiment)
  const wanted = runArgsFile ? cleanProjectPath(root, runArgsFile, workspace.cwd) : null
  const found = ofExperiment.filter(dependency => runArgsFile === null || dependency.runArgsFile === wanted)
  const [dependency] = found
  if (!dependency) {
    const texts = document.dependencies.map(dependencyText)
    throw new UserError(
      `the document ${name} does not depend on ${experiment}${wanted === null ? '' : ` with ${wanted}`}`,
      texts.length > 0 ? `it depends on ${texts.join(', ')}` : 'it has no dependencies',
    )
  }
  if (found.length > 1) {
    throw new UserError(
      `the document ${name} depends on ${experiment} ${found.length} times`,
      `add ${found.map(({ runArgsFile: file }) => file ?? "''").join(' or ')}`,
    )
  }
  const dependencies = document.dependencies.filter(other => other !== dependency)
  workspace.store.documents.update(name, { ...document, dependencies })
  return dependency
}

/**
 * The form in which it is registered.
 * @param former its name if it is registered already
 * @throws UserError if it cannot be
 */
export function checkDocument(workspace: Workspace, document: Document, former: string | null): Document {
  checkName('document', document.name)
  const path = folderIn(workspace, document.path, `the document ${document.name}`)
  const folder = absolutePath(workspace, path)
  const cleaned = {
    ...document,
    path,
    compileScript: scriptIn(workspace, folder, document.compileScript),
    viewScript: scriptIn(workspace, folder, document.viewScript),
    dependencies: document.dependencies.map(dependency => cleanDependency(workspace, dependency)),
  }
  if (whatIsAt(join(folder, cleaned.compileScript)) === null) {
    workspace.warn(`the compile script does not exist yet: ${join(path, cleaned.compileScript)}`)
  }
  refuseCycle(workspace, cleaned, former)
  return cleaned
}

/** The stored form of the path of a folder. @param owner what it belongs to @throws UserError if it does not exist */
export function folderIn(workspace: Workspace, typed: string, owner: string): string {
  const { root } = workspace.project
  const path = cleanProjectPath(root, typed, root)
  if (whatIsAt(absolutePath(workspace, path)) === 'folder') return path
  throw new UserError(
    `the folder of ${owner} does not exist: ${path}`,
    'give its path from the root of the project, as in papers/report',
  )
}

/** The path of a script from the folder of the document, where it is called. It may be typed from the project's root. */
function scriptIn({ project }: Workspace, folder: string, script: string): string {
  const isFromRoot =
    script !== '' && whatIsAt(join(folder, script)) === null && whatIsAt(join(project.root, script)) !== null
  return isFromRoot ? relative(folder, join(project.root, script)) : script
}

function cleanDependency(workspace: Workspace, dependency: Dependency): Dependency {
  const { root } = workspace.project
  findExperiment(workspace, dependency.experiment)
  workspace.findRunner(workspace.site, dependency.runner)
  if (dependency.action !== null) findAction(workspace, dependency.experiment, dependency.action)
  if (providedFiles(dependency).length === 0) {
    throw new UserError(
      `the dependency on ${dependencyText(dependency)} names no files`,
      'say which files of the run the document uses: files: [figure.png]',
    )
  }
  for (const file of dependency.files) refuseRunPath(workspace, file)
  if (dependency.runArgsFile === null) return dependency
  const runArgsFile = cleanProjectPath(root, dependency.runArgsFile, root)
  if (whatIsAt(absolutePath(workspace, runArgsFile)) === null)
    workspace.warn(`the parameter file does not exist: ${runArgsFile}`)
  return { ...dependency, runArgsFile }
}

/** @throws UserError for a path of a file from the root of the project: in the folder of a run, nothing is ever there */
function refuseRunPath(workspace: Workspace, file: string): void {
  const parts = file.split('/')
  const results = relative(workspace.project.root, resultFolder(workspace))
  const isRunFolder = (folder: string) =>
    whatIsAt(join(absolutePath(workspace, folder), '.run')) === 'folder' ||
    (/\/run_\d+$/.test(folder) && folder.startsWith(`${results}/`))
  const depth = parts.findIndex((_, at) => at > 0 && isRunFolder(parts.slice(0, at).join('/')))
  if (depth === -1) return
  throw new UserError(
    `'${file}' cannot be in the folder of a run: it begins with one, and files of a dependency are relative to that of their run`,
    `leave that out: ${parts.slice(depth).join('/')}`,
  )
}

function refuseCycle(workspace: Workspace, document: Document, former: string | null): void {
  const others = workspace.store.documents.list().filter(({ name }) => name !== document.name && name !== former)
  const cycle = documentCycle({
    documents: [...others, document].map(({ name, path, dependencies }) => ({
      name,
      exports: join(absolutePath(workspace, path), 'exports'),
      experiments: dependencies.map(({ experiment }) => experiment),
    })),
    datasetsOf: experiment =>
      findExperiment(workspace, experiment).datasets.map(name =>
        absolutePath(workspace, findDataset(workspace, name).path),
      ),
  })
  if (cycle === null) return
  throw new UserError(
    `documents would depend on each other in a circle: ${cycle.join(' needs ')}`,
    'an experiment must not read files that were exported to a document which depends on it',
  )
}
