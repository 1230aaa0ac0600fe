import { type Setting, settings, usualSetting } from '../../domain/data/fingerprint.js'
import type { Dataset } from '../../domain/dataset.js'
import { datasetKind } from '../../operations/registry/kinds.js'
import { absolutePath, type Workspace } from '../../operations/workspace.js'
import { cleanProjectPath } from '../../project/paths.js'
import { exists } from '../../system/files.js'
import { datasetJson } from '../../views/json.js'
import { datasetArgument } from '../arguments.js'
import { confirm } from '../prompts.js'
import type { CommandKind } from '../registry/commands.js'
import { askForLine, chooseOne } from './ask.js'
import { checkFreeName, commaList, refuseEmpty } from './checks.js'

/** Asks for a dataset, question by question. @param former its name if it is registered already */
async function askForDataset(workspace: Workspace, known: Partial<Dataset>, former: string | null): Promise<Dataset> {
  const { datasets } = workspace.store
  const name = await askForLine({
    message: 'Name',
    known: known.name,
    check: text => checkFreeName('dataset', text, former, datasets.find(text) !== null),
  })
  const description = await askForLine({ message: 'Description', known: known.description })
  const place = known.from
    ? { path: null, from: known.from }
    : { path: await askForPath(workspace, known.path ?? undefined) }
  const tags = await askForLine({ message: 'Tags, separated by commas', known: known.tags?.join(', ') })
  const fingerprint = await chooseOne(
    'What each run records of the data',
    settings.map(value => ({ name: `${value}: ${recorded[value]}`, value })),
    known.fingerprint ?? usualSetting,
  )
  const names = { name, ...(known.was && { was: known.was }) }
  return { ...names, description, ...place, tags: commaList(tags), fingerprint }
}

/** Datasets, as commands show them and ask about them. */
export const datasets: CommandKind<Dataset> = {
  kind: datasetKind,
  argument: datasetArgument,
  ask: askForDataset,
  json: (_, dataset) => datasetJson(dataset),
  next: () => 'experiment new',
  topic: 'dataset-file',
  example: 'iris',
}

const recorded: Readonly<Record<Setting, string>> = {
  auto: 'a hash of each file of small data, and otherwise as stat',
  stat: 'sizes and times of its files',
  sample: 'blocks of each file besides',
  content: 'a hash of each file',
  off: 'nothing',
}

/** A path may be missing here: the data may be on the nodes. */
async function askForPath(workspace: Workspace, known: string | undefined): Promise<string> {
  const { root } = workspace.project
  const path = await askForLine({ message: 'Path', known, check: refuseEmpty })
  if (exists(absolutePath(workspace, cleanProjectPath(root, path, root)))) return path
  const isMeant = await confirm(`${path} is not on this machine. Is it right all the same?`, false)
  return isMeant ? path : askForPath(workspace, path)
}
