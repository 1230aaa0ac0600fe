import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { OperationError } from '../../errors.js'
import type { Origin, Origins } from '../../operations/whence/find-origins.js'
import { byteText } from '../format/sizes.js'
import { isoTime, moment } from '../format/times.js'
import type { JsonObject } from '../render/json.js'

/** Of very many groups that wrote the same, the first ones tell enough. */
const shown = 20

/** @throws OperationError that says where the content of the file was looked for, if it was found nowhere */
export function refuseUnknown({ file, size, origins, files, complete }: Origins, runs: number): void {
  if (origins.length > 0) return
  const searched = `${files} file${files === 1 ? '' : 's'} of ${runs} run${runs === 1 ? '' : 's'}`
  const empty = `${file} is empty, and so its content does not tell what made it`
  const nothing = `nothing in this project is known to have made ${file}: none of ${searched}, of the actions and the documents has its content`
  const stopped = `${file} was not found before the search was stopped, after ${searched}`
  throw new OperationError(
    size === 0 ? empty : complete ? nothing : stopped,
    complete ? null : `qanat whence ${displayCommand([file])} RUN …        looks only in some runs`,
  )
}

/** What made a file, the surest first. */
export function originsText({ file, size, digest, origins, complete }: Origins): string {
  const lines = origins.slice(0, shown).flatMap(originLines)
  const more = origins.length - shown
  return [
    `${file} (${byteText(size)}, ${digest.slice(0, 'sha256:'.length + 12)}) was made by`,
    ...lines.map(line => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more with the same content: --json lists them`] : []),
    ...(complete ? [] : ['  The search was stopped before it had looked at all files of the runs.']),
  ].join('\n')
}

function originLines(origin: Origin): string[] {
  const { run, path, action, doubt } = origin
  const script = action?.script
  const state = script?.commit ? `commit ${script.commit.slice(0, 7)}` : 'not committed'
  const details = [
    ...(path === null ? [] : [path]),
    ...(action ? [`called ${moment(action.started)} by ${action.user}@${action.host}`] : []),
    ...(script
      ? [`script ${script.path}: ${state}${script.patch ? `, changes in ${script.patch} beside the record` : ''}`]
      : []),
    ...(run ? [`run ${run.id}: ${codeText(run)}`] : []),
    ...(doubt === null ? [] : [`not certain: ${doubt}`]),
  ]
  return [titleOf(origin), ...details.map(detail => `  ${detail}`)]
}

function codeText({ commit, dirty, codeUsed }: Run): string {
  const changes = dirty ? ' with uncommitted changes' : ''
  return `commit ${commit.slice(0, 7)}${changes}${codeUsed === null ? '' : `, code ${codeUsed.slice(0, 12)}`}`
}

function titleOf({ kind, run, group, action, document, command }: Origin): string {
  const where = run === null ? 'a run' : `run ${run.id} of ${run.experiment}`
  const one = group === null || totalOf(run!.counts) === 1 ? where : `group ${run!.id}.${group} of ${run!.experiment}`
  if (kind === 'action') return `the action ${action?.action ?? '(unknown)'} on ${one}`
  if (kind === 'export') return `the document ${document}, which exported it from ${where}`
  if (kind === 'group') return one
  return `${displayCommand(['qanat', kind, ...command!])}, as it says itself`
}

/** The same for programs: sizes in bytes, times in ISO 8601, null for unknown values. */
export function originsJson({ file, size, digest, origins, complete }: Origins): JsonObject {
  const matches = origins.map(({ kind, run, group, path, action, document, command, doubt }) => ({
    kind,
    ...{ run: run?.id ?? null, experiment: run?.experiment ?? null, group },
    ...{ action: action?.action ?? null, called: isoTime(action?.started ?? null), script: action?.script ?? null },
    ...{
      commit: run?.commit ?? null,
      code: run?.codeUsed ?? null,
      dirty: run?.dirty ?? null,
      path,
      document,
      command,
      doubt,
    },
  }))
  return { file, size, digest, complete, matches }
}
