import { UserError } from '../../errors.js'
import { descriptionOf } from '../../operations/registry/descriptions.js'
import { type Drift, driftsOf, filesOf, namesOf, takeFile, takeRegistered } from '../../operations/registry/drift.js'
import type { Workspace } from '../../operations/workspace.js'
import type { DefinitionKind } from '../../project/definitions.js'
import { displayable } from '../../views/format/displayable.js'
import { driftJson, driftText } from '../../views/registry/drift.js'
import { insistOnTerminal } from '../prompts.js'
import { chooseOne } from './ask.js'

/** Which side is right. */
export const sides = ['file', 'registered'] as const

type Side = (typeof sides)[number]

/**
 * Makes things and their files say the same.
 * @param name undefined for all of the kind
 * @param side which of them is right; undefined to ask
 * @returns what was different, for programs
 * @throws UserError if a side is to be taken of a thing without a file
 */
export async function syncWithFiles(
  workspace: Workspace,
  kind: DefinitionKind,
  name: string | undefined,
  side: Side | undefined,
  print: (text: string) => void,
): Promise<object[]> {
  if (name !== undefined) {
    descriptionOf(workspace, kind, name)
    if (side !== undefined && filesOf(workspace, kind, name).length === 0) {
      throw new UserError(
        `no file is known that describes the whole ${kind} ${name}`,
        waysToFile(kind, name).join('\n'),
      )
    }
  }
  const names = name === undefined ? namesOf(workspace, kind) : [name]
  const drifts = names.flatMap(each => driftsOf(workspace, kind, each)).filter(({ isCopy }) => !isCopy)
  if (drifts.length === 0) print(sameText(workspace, kind, names))
  const synced: object[] = []
  for (const drift of drifts) {
    const taken = side ?? (await askForSide(drift))
    if (taken === 'file') takeFile(workspace, drift)
    if (taken === 'registered') takeRegistered(workspace, drift)
    print(outcomeText(drift, taken))
    synced.push({ ...driftJson(drift), taken })
  }
  return synced
}

async function askForSide(drift: Drift): Promise<Side | null> {
  const text = driftText(drift)
  process.stderr.write(`${displayable(text)}\n`)
  insistOnTerminal('say which side is right: --take file or --take registered')
  return chooseOne<Side | null>('Which side is right?', [
    { name: `The file: register what ${drift.file} says`, value: 'file' },
    { name: `What is registered: write it to ${drift.file}`, value: 'registered' },
    { name: 'Leave both as they are', value: null },
  ])
}

function outcomeText({ kind, name, file, keys }: Drift, taken: Side | null): string {
  const changed = keys.map(({ key }) => key).join(', ')
  if (taken === 'file') return `The ${kind} ${name} now has what ${file} says: ${changed}.`
  return taken === 'registered' ? `${file} now has what is registered of the ${kind} ${name}: ${changed}.` : ''
}

function sameText(workspace: Workspace, kind: DefinitionKind, names: readonly string[]): string {
  const [name, ...others] = names
  if (name === undefined || others.length > 0) return `Every ${kind} agrees with its file.`
  const [file] = filesOf(workspace, kind, name)
  if (file !== undefined) return `The ${kind} ${name} agrees with ${file}.`
  return `No file is known that describes the whole ${kind} ${name}.\n  ${waysToFile(kind, name).join('\n  ')}`
}

/** What to type so that a file is known. None of it overwrites a file of the user. */
function waysToFile(kind: DefinitionKind, name: string): string[] {
  return [
    `qanat ${kind} update ${name} -f FILE        if there is one that describes the whole of it`,
    'qanat export        makes one in .qanat/definitions',
  ]
}
