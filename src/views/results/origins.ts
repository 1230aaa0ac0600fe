import { othersChanged } from '../../domain/action-record.js'
import { notKnown } from '../../domain/environments/environment.js'
import { groupBy } from '../../domain/group-by.js'
import type { RunSource } from '../../domain/made-from.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { fewInSentence } from '../../domain/text/names.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { OperationError } from '../../errors.js'
import type { Origin, Origins } from '../../operations/origins/origin.js'
import { counted } from '../format/counted.js'
import { displayableLine } from '../format/displayable.js'
import { byteText } from '../format/sizes.js'
import { isoTime, moment } from '../format/times.js'
import type { JsonObject } from '../render/json.js'

/** If very many made the same file, the first ones are enough. */
const shown = 5
const longestCommand = 200
const digits = 12

/** @throws OperationError that says where the content of the file was looked for, if it was found nowhere */
export function refuseUnknown(found: Origins, runs: number): void {
  if (found.origins.length > 0) return
  const hint = `qanat whence ${displayCommand([found.file])} RUN …        looks only in some runs`
  throw new OperationError(whyUnknown(found, runs), found.complete ? null : hint)
}

/** Why it is not known what made a file. @param runs in how many it was looked for */
export function whyUnknown({ file, size, files, complete }: Origins, runs: number): string {
  if (size === 0) return `${file} is empty, and so its content does not tell what made it`
  const searched = `${counted(files, 'file')} of ${counted(runs, 'run')}`
  return complete
    ? `no run, action or document of this project has made ${file}, as far as is recorded (searched ${searched})`
    : `${file} was not found before the search was stopped, after ${searched}`
}

/** What made a file, the surest first. What was made of several runs at once is one entry. */
export function originsText({ file, size, digest, origins, notes, complete }: Origins): string {
  const entries = [...entriesOf(origins)]
  const others = entries.slice(shown)
  return [
    `${displayableLine(file)} (${byteText(size)}, ${digest.slice(0, 'sha256:'.length + 12)}) was made by`,
    ...entries.slice(0, shown).flatMap(entryLines),
    ...(others.length > 0 ? [`  and ${others.length} more with the same content${runsText(others.flat())}`] : []),
    ...(others.length > 0 ? ['  --json lists them, and RUN … behind the file looks only in these runs'] : []),
    ...notes.map(note => `  ${displayableLine(note)}`),
    ...(complete ? [] : ['  The search was stopped before it had looked at all files of the runs.']),
  ].join('\n')
}

/** Those that differ in their run only are one entry. */
function entriesOf(origins: readonly Origin[]): Iterable<Origin[]> {
  return groupBy(origins, ({ kind, action, path, document, command }) =>
    JSON.stringify([kind, action?.id, path, document, command]),
  ).values()
}

function entryLines(entry: readonly Origin[]): string[] {
  const [{ path, action }] = entry as readonly [Origin]
  const runs = entry.filter(({ run }) => run !== null)
  const doubts = new Set(entry.flatMap(({ doubt }) => doubt ?? []))
  const details = [
    ...(path === null ? [] : [path]),
    ...(action ? callLines(action) : []),
    ...compilationLines(entry[0]!),
    ...runs.slice(0, shown).flatMap(runLines),
    ...(runs.length > shown ? [`and ${counted(runs.length - shown, 'more run')}`] : []),
    ...[...doubts].map(doubt => `not certain: ${doubt}`),
    ...changesLine(entry),
  ]
  return [`  ${titleOf(entry)}`, ...details.map(detail => `    ${displayableLine(detail)}`)]
}

function compilationLines({ compilation }: Origin): string[] {
  if (compilation === null) return []
  const { compiled, command, commit, exports } = compilation
  const files = exports.map(({ path, run }) => `${path} (run ${run})`)
  return [
    `compiled ${moment(Date.parse(compiled))} at ${commit.slice(0, 7)}`,
    `command ${commandText(command)}`,
    ...(files.length > 0 ? [`from ${fewInSentence(files)}`] : []),
  ]
}

/** Whether what made a file would still make the same; none if that is not known. */
function changesLine(entry: readonly Origin[]): string[] {
  const known = entry.flatMap(({ changed }) => (changed === null ? [] : [changed]))
  if (known.length === 0) return []
  const changes = [...new Set(known.flat())]
  const script = entry[0]!.action ? ', its data and its script' : ' and its data'
  // What is not certain is not vouched for.
  if (changes.length === 0 && entry.every(({ doubt }) => doubt !== null)) return []
  const same = `up to date: nothing is known to have changed of its code${script}`
  return [changes.length === 0 ? same : `no longer up to date: ${changes.slice(0, shown).join('; ')}`]
}

function callLines(action: NonNullable<Origin['action']>): string[] {
  const { started, user, host, command, script, tree } = action
  const { path, commit, patch } = script
  const others = othersChanged(tree)
  const facts = [
    `script ${path}: ${commit === null ? 'not committed' : `commit ${commit.slice(0, 7)}`}`,
    ...(patch === null ? [] : [`changes in ${patch} beside the record`]),
    ...(tree !== null && tree.commit !== commit ? [`called at ${tree.commit.slice(0, 7)}`] : []),
    ...(others === null ? [] : [others]),
  ]
  const called = `called ${moment(started)} by ${user}@${host}${endText(action)}`
  return [called, `command ${commandText(command)}`, facts.join(', ')]
}

/** How an action ended, if not well: its files may be incomplete. */
function endText({ finished, exitCode }: NonNullable<Origin['action']>): string {
  if (finished === null) return '; its end is not recorded, so the file may be incomplete'
  if (exitCode === null) return '; it was interrupted, so the file may be incomplete'
  return exitCode === 0 ? '' : `; it failed with code ${exitCode}`
}

function runLines({ run, source, read, isTrashed }: Origin): string[] {
  return [
    ...sourceLines(run!, source, isTrashed),
    ...read.flatMap(({ reader, dataset, run: earlier, groups, source: ofEarlier }) => [
      `run ${reader} has read ${dataset} of ${groupsText(earlier, groups)}`,
      ...sourceLines(earlier, ofEarlier, false),
    ]),
  ]
}

/** `group 1.15 of train`, `run 3 of train`. */
function groupsText({ id, experiment, counts }: Run, groups: readonly number[]): string {
  if (groups.length === 0 || totalOf(counts) === 1) return `run ${id} of ${experiment}`
  const named = fewInSentence(groups.map(group => `${id}.${group}`))
  return `group${groups.length === 1 ? '' : 's'} ${named} of ${experiment}`
}

/** What a run was made from. @param source null if that is not known */
function sourceLines(run: Run, source: RunSource | null, isTrashed: boolean): string[] {
  const { id, commit, dirty, codeUsed, retired } = run
  const { data = [], environments = [] } = source ?? {}
  const facts = [
    `commit ${commit.slice(0, 7)}${dirty ? ' with uncommitted changes' : ''}`,
    ...(codeUsed === null ? [] : [`code ${codeUsed.slice(0, digits)}`]),
    ...data.flatMap(({ name, digest }) => (digest === null ? [] : [`data ${name} ${digest.slice(0, digits)}`])),
    ...(environments.length > 0 ? [environmentText(id, environments)] : []),
  ]
  return [
    `run ${id}: ${facts.join(', ')}`,
    ...(isTrashed ? [`run ${id} is in the trash: qanat trash restore ${id}`] : []),
    ...(retired ? [`run ${id} is retired${retired.why === '' ? '' : `: ${retired.why}`}`] : []),
  ]
}

function environmentText(run: number, environments: RunSource['environments']): string {
  const short = environments.map(({ hash }) => hash.slice(0, digits))
  const several = `one of the environments ${short.join(', ')} (qanat env show ${run})`
  const text = short.length === 1 ? `environment ${short[0]}` : several
  return [text, ...notKnown([...new Set(environments.flatMap(({ unknown }) => unknown))])].join(', ')
}

/** `, of runs 3, 4 and 5`. */
function runsText(origins: readonly Origin[]): string {
  const ids = [...new Set(origins.flatMap(({ run }) => run?.id ?? []))]
  if (ids.length === 0) return ''
  return `, of run${ids.length === 1 ? '' : 's'} ${fewInSentence(ids.map(String))}`
}

function titleOf(entry: readonly Origin[]): string {
  const [{ kind, run, action, document, command }] = entry as readonly [Origin]
  if (kind === 'plot' || kind === 'report')
    return `${displayCommand(['qanat', kind, ...command!])}, according to its own note`
  const where = placeOf(entry, run)
  if (kind === 'action') return `the action ${action?.action ?? '(unknown)'} on ${targetText(action) ?? where}`
  if (kind === 'compilation') return `the document ${document}, which was compiled from ${exportedText(entry)}`
  if (kind === 'export') return `the document ${document}, which exported it from ${where}`
  return where
}

/** `exports of run 1 of count and run 3 of tally`. */
function exportedText(entry: readonly Origin[]): string {
  const runs = entry.flatMap(({ run }) => (run ? [`run ${run.id} of ${run.experiment}`] : []))
  return runs.length === 0 ? 'no exports that are known' : `exports of ${fewInSentence(runs)}`
}

/** What an action worked on, as `run 3 and group 4.1 of iris`; null if it was not called on groups. */
function targetText(action: Origin['action']): string | null {
  if (!action?.runs.some(({ groups }) => groups !== null)) return null
  const whole = action.runs.filter(({ groups }) => groups === null).map(({ id }) => String(id))
  const groups = action.runs.flatMap(({ id, groups }) => (groups ?? []).map(group => `${id}.${group}`))
  const named = (what: string, ids: readonly string[]) =>
    ids.length === 0 ? [] : [`${what}${ids.length === 1 ? '' : 's'} ${fewInSentence(ids)}`]
  return `${[...named('run', whole), ...named('group', groups)].join(' and ')} of ${action.experiment}`
}

function commandText(words: readonly string[]): string {
  const text = displayableLine(displayCommand(words))
  return text.length > longestCommand ? `${text.slice(0, longestCommand - 1)}…` : text
}

/** `group 3.1 of iris`, `run 3 of iris`, `runs 3 and 4 of iris`. */
function placeOf(entry: readonly Origin[], run: Run | null): string {
  if (run === null) return 'a run'
  if (entry.length > 1) return `${runsText(entry).slice(', of '.length)} of ${run.experiment}`
  const group = totalOf(run.counts) === 1 || entry[0]!.kind === 'export' ? null : entry[0]!.group
  return group === null ? `run ${run.id} of ${run.experiment}` : `group ${run.id}.${group} of ${run.experiment}`
}

/** The same for programs: sizes in bytes, times in ISO 8601, null for unknown values. */
export function originsJson({ file, size, digest, origins, notes, complete }: Origins): JsonObject {
  const matches = origins.map(
    ({ kind, run, group, isTrashed, source, read, path, action, document, command, compilation, changed, doubt }) => ({
      kind,
      ...{
        run: run?.id ?? null,
        experiment: run?.experiment ?? null,
        group,
        trash: isTrashed,
        retired: Boolean(run?.retired),
      },
      ...{ action: action?.action ?? null, called: isoTime(action?.started ?? null), script: action?.script ?? null },
      tree: action?.tree ?? null,
      ...{ commit: source?.commit ?? null, code: source?.code_used ?? null, dirty: source?.dirty ?? null },
      ...{ data: source?.data ?? [], environments: source?.environments ?? [] },
      read: read.map(({ reader, dataset, run: earlier, groups, source: { commit, code_used: code } }) => ({
        ...{ reader, dataset, run: earlier.id, experiment: earlier.experiment, groups, commit, code },
      })),
      ...{ path, document, command, exports: compilation?.exports ?? null, changed, doubt },
    }),
  )
  return { file, size, digest, complete, notes, matches }
}
