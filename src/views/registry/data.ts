import { type DataDifference, differenceText, isChanged } from '../../domain/data/compare-listings.js'
import type { Fingerprint } from '../../domain/data/fingerprint.js'
import type { ComparedData } from '../../operations/data/compare-data.js'
import type { DataChange } from '../../operations/data/data-now.js'
import { displayableLine } from '../format/displayable.js'
import { byteText } from '../format/sizes.js'
import type { JsonObject } from '../render/json.js'

/** At most this many files of each kind are listed. */
const shownFiles = 10

/** How data differ, then the first files that do. */
export function comparedDataText({ dataset, run, other, fingerprint, difference, notes }: ComparedData): string {
  const unseen = [...difference.unseen, ...difference.neverSeen].sort()
  const isCut = difference.isPartial && unseen.length === 0
  const notSeen = isCut ? ['  a part of the data was not looked at'] : fileLines(['not looked at', unseen])
  const noteLines = ['  groups have perhaps read other data than were recorded:', ...notes.map(note => `    ${note}`)]
  const noted = notes.length > 0 ? noteLines : []
  const text = differenceText(difference)
  if (text === '') {
    const same = sameText(run, other, notes.length > 0)
    const limits = difference.isPartial ? ', as far as it could be looked at' : ''
    return [`Dataset ${dataset} ${same}${limits}: ${fingerprintText(fingerprint)}`, ...notSeen, ...noted].join('\n')
  }
  const since = other === null ? `since run ${run}` : `between runs ${run} and ${other}`
  const lines = kinds(difference).flatMap(kind => fileLines(kind, difference.sizes))
  const head = `Dataset ${dataset}${isChanged(difference) ? ' changed' : ','} ${since}: ${text}`
  return [head, ...lines, ...notSeen, ...noted].join('\n')
}

/** @param isUnsure whether groups have perhaps read something else than at the launch */
function sameText(run: number, other: number | null, isUnsure: boolean): string {
  if (other === null) return isUnsure ? `is as it was when run ${run} was launched` : `is as run ${run} read it`
  const both = `runs ${run} and ${other}`
  return isUnsure ? `was the same when ${both} were launched` : `was the same for ${both}`
}

/** The same for programs, with all files. */
export function comparedDataJson({ dataset, run, other, fingerprint, difference, notes }: ComparedData): JsonObject {
  const { added, gone, changed, maybe, unseen, neverSeen, isPartial } = difference
  const not_looked_at = [...unseen, ...neverSeen].sort()
  return {
    ...{ dataset, run, other_run: other, level: fingerprint.level, changed: isChanged(difference), partial: isPartial },
    files: { added, gone, changed, maybe_changed: maybe, not_looked_at },
    sizes: Object.fromEntries(difference.sizes),
    notes,
  }
}

/** What a run recorded of a dataset: `150 files, 4.4 kB (stat)`. */
export function fingerprintText({ level, files, tracked, bytes, partial }: Fingerprint): string {
  if (level === 'off') return 'not recorded (off)'
  const count = `${files.toLocaleString('en-US')} file${files === 1 ? '' : 's'}`
  const levels = [...(tracked > 0 ? ['git'] : []), ...(tracked < files || tracked === 0 ? [level] : [])].join(', ')
  return `${count}, ${byteText(bytes)} (${levels}${partial === null ? '' : `; partial: ${partial}`})`
}

/** The same for programs. @param changes of the data of its run since then */
export function fingerprintJson(fingerprint: Fingerprint, changes: readonly DataChange[]): JsonObject {
  const { name, level, taken, files, tracked, bytes, partial, digest, notes = [] } = fingerprint
  const change = changes.find(({ dataset }) => dataset === name)
  const since = change ? countsJson(change.difference) : null
  return { name, level, taken: new Date(taken).toISOString(), files, tracked, bytes, partial, digest, since, notes }
}

/** How many files differ, for programs. */
export function countsJson({ added, gone, changed, maybe }: DataDifference): JsonObject {
  return { added: added.length, gone: gone.length, changed: changed.length, maybe_changed: maybe.length }
}

function kinds({ added, gone, changed, maybe }: DataDifference) {
  return Object.entries({ gone, added, changed, 'maybe changed (same size, another time)': maybe })
}

function fileLines([kind, files]: [string, readonly string[]], sizes: DataDifference['sizes'] = new Map()): string[] {
  if (files.length === 0) return []
  const more = files.length - shownFiles
  return [
    `  ${kind}:`,
    ...files.slice(0, shownFiles).map(file => `    ${displayableLine(file)}${sizesText(sizes.get(file))}`),
    ...(more > 0 ? [`    and ${more.toLocaleString('en-US')} more`] : []),
  ]
}

/** `  4.4 kB → 5.1 kB`, with all digits where these are the same, or `  4.4 kB as before`. */
function sizesText(sizes: readonly [before: number, after: number] | undefined): string {
  if (sizes === undefined) return ''
  const [before, after] = sizes.map(byteText)
  if (sizes[0] === sizes[1]) return `  ${before} as before`
  const exact = sizes.map(bytes => `${bytes.toLocaleString('en-US')} B`)
  return `  ${(before === after ? exact : [before, after]).join(' → ')}`
}
