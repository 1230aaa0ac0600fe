import type { Fingerprint } from '../../domain/data/fingerprint.js'
import { groupBy } from '../../domain/group-by.js'
import type { Run } from '../../domain/runs/run.js'
import { fewInSentence } from '../../domain/text/names.js'
import type { Workspace } from '../workspace.js'
import type { ChangeText } from './data-now.js'

/** Stands for a run in a sentence. */
const anyRun = '\0'

/** Keeps with a run that an attempt reads other data than the run has recorded. */
export function noteOtherData({ store }: Workspace, run: Run, attempt: number, changes: readonly ChangeText[]): void {
  store.transaction(() => {
    for (const { dataset, text } of changes) store.data.note(run.id, dataset, `${launchOf(run, attempt)}${text}`)
  })
}

/** Whether the data had changed already when an attempt was launched. */
export function isNotedAtLaunch(run: Run, attempt: number, { notes = [] }: Fingerprint): boolean {
  return notes.some(text => text.startsWith(launchOf(run, attempt)))
}

function launchOf({ id }: Run, attempt: number): string {
  return `run ${id}, attempt ${attempt}: `
}

/**
 * Sentences about groups that have perhaps read other data than is recorded; each names all runs for which it is true.
 */
export function otherData({ store }: Workspace, runs: readonly Pick<Run, 'id'>[]): string[] {
  const noted = new Set(store.data.noted())
  const told = runs.flatMap(({ id }) => {
    const notes = noted.has(id) ? store.data.of(id).flatMap(each => each.notes ?? []) : []
    return notes.map(text => ({ id, text: text.replaceAll(new RegExp(`\\brun ${id}\\b`, 'g'), anyRun) }))
  })
  return [...groupBy(told, ({ text }) => text)].map(([text, those]) => {
    const ids = those.map(({ id }) => String(id))
    return text.replaceAll(anyRun, `run${ids.length === 1 ? '' : 's'} ${fewInSentence(ids)}`)
  })
}
