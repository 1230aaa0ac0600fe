import { join, relative, resolve } from 'node:path'
import {
  type Dependency,
  type Document,
  dependencyText,
  documentCycle,
  providedFiles,
} from '../../domain/documents/document.js'
import { UserError } from '../../errors.js'
import { documentToYaml, readDocument } from '../../project/document-description.js'
import { cleanProjectPath, whatIsAt } from '../../project/paths.js'
import { absolutePath, resultFolder, type Workspace } from '../workspace.js'
import { findAction } from './find-action.js'
import { findDataset, findExperiment } from './find-experiment.js'
import type { Kind } from './kind.js'

/** Documents. A missing compile script or parameter file is only a warning: it may be written later. */
export const documentKind: Kind<Document> = {
  name: 'document',
  needed: ['name', 'path', 'compile_script'],
  table: store => store.documents,
  read: readDocument,
  toYaml: documentToYaml,
  normal: (root, document) => {
    const path = cleanProjectPath(root, document.path, root)
    const scripts = [document.compileScript, document.viewScript].map(script => scriptIn(root, path, script))
    const [compileScript = '', viewScript = ''] = scripts
    const dependencies = document.dependencies.map(dependency => {
      const { runArgsFile: file } = dependency
      return { ...dependency, runArgsFile: file === null ? null : cleanProjectPath(root, file, root) }
    })
    return { ...document, path, compileScript, viewScript, dependencies }
  },
  check: (workspace, document, former) => {
    const path = folderIn(workspace, document.path, `the document ${document.name}`)
    if (whatIsAt(join(absolutePath(workspace, path), document.compileScript)) === null) {
      workspace.warn(`the compile script does not exist yet: ${join(path, document.compileScript)}`)
    }
    for (const dependency of document.dependencies) checkDependency(workspace, dependency)
    refuseCycle(workspace, document, former)
  },
  refuseUsed: () => {},
  renameInUsers: () => {},
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
function scriptIn(root: string, path: string, script: string): string {
  const folder = resolve(root, path)
  const isFromRoot = script !== '' && whatIsAt(join(folder, script)) === null && whatIsAt(join(root, script)) !== null
  return isFromRoot ? relative(folder, join(root, script)) : script
}

function checkDependency(workspace: Workspace, dependency: Dependency): void {
  findExperiment(workspace, dependency.experiment)
  workspace.findRunner(workspace.site, dependency.runner)
  if (dependency.action !== null) findAction(workspace, dependency.experiment, dependency.action)
  if (providedFiles(dependency).length === 0 && !isStage(workspace, dependency)) {
    throw new UserError(
      `the dependency on ${dependencyText(dependency)} names no files`,
      'say which files of the run the document uses: files: [figure.png]',
    )
  }
  for (const file of dependency.files) refuseRunPath(workspace, file)
  const { runArgsFile } = dependency
  if (runArgsFile !== null && whatIsAt(absolutePath(workspace, runArgsFile)) === null)
    workspace.warn(`the parameter file does not exist: ${runArgsFile}`)
}

/** Whether a dataset is made by its experiment: then others of the document may read what it makes, and the document itself nothing. */
function isStage({ store }: Workspace, { experiment }: Dependency): boolean {
  return store.datasets.list().some(({ from }) => from?.experiment === experiment)
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
      findExperiment(workspace, experiment).datasets.flatMap(name => {
        const { path } = findDataset(workspace, name)
        return path === null ? [] : [absolutePath(workspace, path)]
      }),
  })
  if (cycle === null) return
  throw new UserError(
    `documents would depend on each other in a circle: ${cycle.join(' needs ')}`,
    'an experiment must not read files that were exported to a document which depends on it',
  )
}
