import { join } from 'node:path'
import { type Document, dependencyText } from '../../domain/documents/document.js'
import { documentKind, folderIn } from '../../operations/registry/document-kind.js'
import { findDocument } from '../../operations/registry/find-experiment.js'
import { absolutePath, type Workspace } from '../../operations/workspace.js'
import { isFile } from '../../system/files.js'
import { documentJson } from '../../views/json.js'
import { documentArgument } from '../arguments.js'
import type { CommandKind } from '../registry/commands.js'
import { askForLine, askForList } from './ask.js'
import { checkFreeName, commaList, refuseEmpty } from './checks.js'
import { askForDependency } from './dependency.js'
import { askForCommand } from './experiment.js'

/** Asks for a document, question by question. @param former its name if it is registered already */
async function askForDocument(
  workspace: Workspace,
  known: Partial<Document>,
  former: string | null,
): Promise<Document> {
  const { documents, experiments } = workspace.store
  const name = await askForLine({
    message: 'Name',
    known: known.name,
    check: text => checkFreeName('document', text, former, documents.find(text) !== null),
  })
  const description = await askForLine({ message: 'Description', known: known.description })
  const path = await askForLine({
    message: 'Folder',
    known: known.path,
    check: text => {
      refuseEmpty(text)
      folderIn(workspace, text, name)
    },
  })
  const folder = absolutePath(workspace, path)
  const usual = (...scripts: string[]) => scripts.find(script => isFile(join(folder, script))) ?? ''
  const compileScript = await askForLine({
    message: 'Compile script',
    known: known.compileScript,
    offered: usual('compile.sh', 'Makefile'),
    check: refuseEmpty,
  })
  const compileScriptCommand = await askForCommand(compileScript, known.compileScriptCommand)
  const viewScript = await askForLine({
    message: 'Script or file to view it, or a blank for none',
    known: known.viewScript,
    offered: usual('view.sh'),
  })
  const viewScriptCommand = viewScript === '' ? '' : await askForCommand(viewScript, known.viewScriptCommand)
  const tags = await askForLine({ message: 'Tags, separated by commas', known: known.tags?.join(', ') })
  const hasExperiments = experiments.names().length > 0
  const dependencies = !hasExperiments
    ? []
    : await askForList(
        {
          one: 'a dependency on an experiment',
          many: 'Depends on',
          nameOf: dependencyText,
          ask: (dependency, others) => askForDependency(workspace, dependency ?? {}, others),
        },
        known.dependencies ?? [],
      )
  const scripts = { compileScript, compileScriptCommand, viewScript, viewScriptCommand }
  const names = { name, ...(known.was && { was: known.was }) }
  return { ...names, description, path, ...scripts, tags: commaList(tags), dependencies }
}

/** Documents, as commands show them and ask about them. */
export const documents: CommandKind<Document> = {
  kind: documentKind,
  argument: documentArgument,
  ask: askForDocument,
  json: (workspace, { name }) => documentJson(findDocument(workspace, name)),
  next: ({ name, dependencies }) => `document ${dependencies.length > 0 ? 'compile' : 'add_dependency'} ${name}`,
  topic: 'document-file',
  example: 'report',
}
