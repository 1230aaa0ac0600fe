import type { ContextContents, InCluster, LiesThere } from '../operations/project/context-contents.js'
import { counted } from './format/counted.js'
import { byteText } from './format/sizes.js'
import type { Style } from './format/style.js'
import type { Column } from './model.js'
import { type JsonObject, jsonRow } from './render/json.js'
import { terminalTable } from './render/terminal.js'

/** A context, and what is known of it without asking anybody. */
interface ContextState {
  readonly name: string
  readonly host: string
  readonly root: string
  readonly runner: string
  /** Whether runs are launched in it that name none. */
  readonly isUsed: boolean
  /** Whether there is a connection that commands can use; null if none is needed. */
  readonly isConnected: boolean | null
  /** The file in which it is. */
  readonly file: string
}

/** All contexts of a project. */
export interface ListedContexts {
  readonly contexts: readonly ContextState[]
  /** Those that cannot be used, with the reasons. */
  readonly broken: readonly { readonly name: string; readonly message: string }[]
}

const columns: readonly Column<ContextState>[] = [
  { key: 'name', title: 'Context', value: ({ name }) => name },
  { key: 'host', title: 'Host', value: ({ host }) => host },
  { key: 'root', title: 'Root', value: ({ root }) => root },
  { key: 'runner', title: 'Runner', value: ({ runner }) => runner },
  {
    key: 'connected',
    title: 'Connected',
    value: ({ isConnected }) => isConnected,
    text: ({ isConnected }) => (isConnected === null ? 'by kubectl' : isConnected ? 'yes' : 'no'),
  },
  { key: 'used', title: 'Used', value: ({ isUsed }) => isUsed, text: ({ isUsed }) => (isUsed ? 'yes' : 'if named') },
]

/** The contexts, one a line. */
export function contextsText(style: Style, { contexts, broken }: ListedContexts): string {
  if (contexts.length + broken.length === 0)
    return 'There are no contexts. To add one: qanat context add NAME --host HOST --root FOLDER'
  const table = contexts.length > 0 ? [terminalTable({ columns, rows: contexts }, style, 'whole')] : []
  return [...table, ...broken.map(({ name, message }) => `${name} cannot be used: ${message}`)].join('\n')
}

/** The same for programs. */
export function contextsJson({ contexts, broken }: ListedContexts) {
  const all = contexts.map(({ name, host, root, runner, isUsed, isConnected, file }) => ({
    ...{ name, host, root, runner, connected: isConnected, used: isUsed, file },
  }))
  return { contexts: all, broken }
}

/** What a test of a context has found: a line each, with what to do if something is wrong. */
export interface Finding {
  readonly name: string
  readonly text: string
  /** What to do; null if all is well. */
  readonly advice: string | null
}

export function findingLines(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length))
  return findings
    .map(
      ({ name, text, advice }) =>
        `${name.padEnd(width)}  ${text}${advice === null ? '' : `\n${' '.repeat(width)}  → ${advice}`}`,
    )
    .join('\n')
}

const placeColumns: readonly Column<LiesThere>[] = [
  { key: 'what', title: 'There', value: ({ what }) => what },
  {
    key: 'bytes',
    title: 'Size',
    value: ({ bytes }) => bytes,
    text: ({ bytes }) => (bytes === null ? '' : byteText(bytes)),
  },
  { key: 'goes', title: 'Goes by', value: ({ goes }) => goes },
  { key: 'path', title: 'Path', leaves: 1, value: ({ path }) => path, text: ({ path }) => path ?? '' },
]

/** A context as YAML, and what lies there. @param file in which it is */
export function shownContext(style: Style, file: string, contents: ContextContents): string {
  const { text, runs, notFetched, there, uncounted, inCluster } = contents
  const fetched = notFetched === 0 ? '' : `, of ${notFetched} not all files are here`
  return [
    `# in ${file}`,
    text,
    '',
    `${counted(runs, 'run')}${fetched}`,
    '',
    terminalTable({ columns: placeColumns, rows: there }, style, 'whole'),
    ...(uncounted === null ? [] : [`Sizes are not known: ${uncounted}`]),
    ...(inCluster === null ? [] : clusterLines(inCluster)),
  ].join('\n')
}

/** The claim and the pods of a namespace. */
function clusterLines({ claim, pods }: InCluster): string[] {
  return [
    ...(claim === null ? [] : ['', `Claim ${claim}`]),
    '',
    `${counted(pods.length, 'pod')} of Qanat${pods.length === 0 ? '' : ':'}`,
    ...pods.map(({ name, phase }) => `  ${name}  ${phase}`),
  ]
}

/** What lies in a context, for programs. */
export function contentsJson({ runs, notFetched, there, inCluster }: ContextContents): JsonObject {
  return {
    ...{ runs, not_fetched: notFetched, there: there.map(place => jsonRow(placeColumns, place)) },
    ...(inCluster && { claim: inCluster.claim, pods: inCluster.pods }),
  }
}
